#pragma once
#include <expected>
#include <string>

#include "common/time/instant.hpp"
#include "services/gateway/core/refusal.hpp"

/// A client of the Kubernetes API: the credentials (access), calls and their errors (client, error), all objects and their changes
/// (reflector).
namespace kopiur::gateway::kubernetes {

/// Why a call failed.
/// - Forbidden: also when the credentials were not accepted;
/// - TooManyRequests: repeated as often as the call allows, and still refused; nothing was done;
/// - Ambiguous: a write was sent and not answered: it may have been done, a live read decides;
/// - Unavailable: nothing was done: no connection, an error of the server, or an exceeded quota;
/// - Invalid: refused permanently, or not understood; also an expired version or page.
struct error {
  proto::answer_code code = proto::answer_code::Unavailable;
  std::string message;     ///< a sentence that names the call
  int status = 0;          ///< HTTP status; 0: there was no answer
  duration retry_after{};  ///< as the server requests (`Retry-After`, `details.retryAfterSeconds`); 0: not requested
  bool expired = false;    ///< 410: list again
  bool too_large = false;  ///< the answer is larger than the limit: request less
  bool operator==(error const&) const = default;
};
/// A permanent failure: retries do not help until a user changes something.
inline bool is_for_good(proto::answer_code code) { return code == proto::answer_code::Forbidden || code == proto::answer_code::Invalid; }
template <class T>
using result = std::expected<T, error>;

/// The message of an exception for users; for a system error without the source location that Boost adds.
std::string words_of(std::exception const& failed);

/// Interprets an answer of 400 and above. `body` is a Status object or anything else; `what` names the call (`GET /api/v1/...`).
error read_error(int status, std::string_view retry_after, std::string_view body, std::string_view what);

}  // namespace kopiur::gateway::kubernetes
