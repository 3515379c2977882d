#pragma once
#include <expected>
#include <string>

#include "common/time/instant.hpp"

/// A client of the Kubernetes API: the credentials (access), calls and their errors (client, error), all objects and their changes
/// (reflector).
namespace kopiur::kubernetes {

/// Why a call failed: what a caller branches on.
enum class failure {
  not_found,
  already_exists,
  conflict,           ///< changed by another writer in the meantime
  invalid,            ///< refused permanently, or not understood; also an expired version or page
  forbidden,          ///< also when the credentials were not accepted
  too_many_requests,  ///< repeated as often as the call allows, and still refused; nothing was done
  ambiguous,          ///< a write was sent and not answered: it may have been done, a live read decides
  unavailable         ///< nothing was done: no connection, an error of the server, or an exceeded quota
};

/// Why a call failed, for its caller and for users.
struct error {
  failure code = failure::unavailable;
  std::string message;     ///< a sentence that names the call
  int status = 0;          ///< HTTP status; 0: there was no answer
  duration retry_after{};  ///< as the server requests (`Retry-After`, `details.retryAfterSeconds`); 0: not requested
  bool expired = false;    ///< 410: list again
  bool too_large = false;  ///< the answer is larger than the limit: request less
  bool operator==(error const&) const = default;
};
/// A permanent failure: retries do not help until a user changes something.
inline bool is_permanent(error const& why) { return why.code == failure::forbidden || why.code == failure::invalid; }
template <class T>
using result = std::expected<T, error>;

/// Interprets an answer of 400 and above. `body` is a Status object or anything else; `what` names the call (`GET /api/v1/...`).
error read_error(int status, std::string_view retry_after, std::string_view body, std::string_view what);

}  // namespace kopiur::kubernetes
