#pragma once
#include <expected>
#include <string>

#include "common/time/instant.hpp"
#include "services/gateway/core/refusal.hpp"

/// A client of the Kubernetes API: who we are (access), what is asked and how it went (client, error), everything and its changes
/// (reflector).
namespace kopiur::gateway::kubernetes {

/// Why a call did not do what was asked.
/// - Forbidden: also when who we are was not recognised;
/// - TooManyRequests: asked again for as long as the call allows, and still refused; nothing was done;
/// - Ambiguous: a write was sent and no answer came: it may have been done, a live read tells;
/// - Unavailable: nothing was done: no connection, the server has an error of its own, or a quota is used up;
/// - Invalid: refused for good, or not understood; also a version or page that has expired.
struct error {
  proto::answer_code code = proto::answer_code::Unavailable;
  std::string message;     ///< a sentence that names the call
  int status = 0;          ///< HTTP's; 0: there was no answer
  duration retry_after{};  ///< as the server asks (`Retry-After`, `details.retryAfterSeconds`); 0: it does not
  bool expired = false;    ///< 410: list again
  bool too_large = false;  ///< the answer is larger than we read: ask for less
  bool operator==(error const&) const = default;
};
/// What does not pass by itself, so that nobody waits for it: somebody has to change something.
inline bool is_for_good(proto::answer_code code) { return code == proto::answer_code::Forbidden || code == proto::answer_code::Invalid; }
template <class T>
using result = std::expected<T, error>;

/// What went wrong, for people: of an error of the system its message, without the place in the source that Boost adds.
std::string words_of(std::exception const& failed);

/// What an answer of 400 and above means. `body` is a Status object or anything else; `what` names the call (`GET /api/v1/...`).
error read_error(int status, std::string_view retry_after, std::string_view body, std::string_view what);

}  // namespace kopiur::gateway::kubernetes
