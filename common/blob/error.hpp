#pragma once
#include <boost/describe.hpp>
#include <expected>
#include <string>

namespace kopiur::blob {

/// What a failure means for the caller.
enum class failure {
  absent,       ///< the bucket or the object does not exist
  denied,       ///< the credentials are wrong, or may not do that
  taken,        ///< the bucket exists and belongs to somebody else
  owned,        ///< the bucket exists and belongs to these credentials
  conflict,     ///< the state forbids it: the object exists, the bucket is not empty
  unsupported,  ///< the store does not have this function
  unavailable,  ///< no answer, or the store says that it cannot answer now: try again later
  invalid,      ///< the request is wrong: a name, a setting, a value
  other,
};
BOOST_DESCRIBE_ENUM(failure, absent, denied, taken, owned, conflict, unsupported, unavailable, invalid, other)

/// Why a call failed.
struct error {
  failure kind = failure::other;
  int status = 0;         ///< HTTP; 0: there was no answer
  std::string code{};     ///< the store's name of the error; empty: it gave none
  std::string request{};  ///< the store's id of the request, for its operator; empty: it gave none
  std::string message{};  ///< a sentence, without credentials
  bool repeated = false;  ///< an earlier attempt of this call got no answer, and may have taken effect
};

/// Whether the store may have done what it did not confirm: there was no answer, or it failed inside, also after status 200.
inline bool may_have_taken_effect(error const& failed) { return failed.status == 0 || failed.status / 100 == 2 || failed.status >= 500; }
/// The same of all attempts: the object may be there.
inline bool is_uncertain(error const& failed) { return failed.repeated || may_have_taken_effect(failed); }

template <class T>
using result = std::expected<T, error>;

}  // namespace kopiur::blob
