#pragma once
#include "common/json/value.hpp"
#include "services/gateway/admission/certificates.hpp"

/// When certificates of the webhook are created, as functions of the current ones and the clock. At every instant of a rotation the API
/// server must trust the served certificate: a new authority is published first, signs after a settling time, and the previous one stays
/// trusted until its end.
namespace kopiur::gateway::kubernetes {

/// The content of the Secret. Keys of former authorities are not kept.
struct held_certificates {
  std::vector<std::string> authorities;  ///< PEM, the newest first
  std::string authority_key;             ///< of the newest
  pem_pair serving;
  /// The authorities that the API server has to trust.
  std::string bundle() const;
  bool operator==(held_certificates const&) const = default;
};
/// From a Secret's `ca.crt`, `ca.key`, `tls.crt`, `tls.key`; missing or unreadable parts are empty.
held_certificates from_secret(json::value const& secret);
/// The `data` of such a Secret.
json::value secret_data(held_certificates const& held);

struct rotation_limits {
  duration authority{std::chrono::days(365)}, serving{std::chrono::days(90)};  ///< lifetimes; renewed when a third is left
  duration backdated{std::chrono::hours(1)};                                   ///< valid from before now: clocks differ
  duration settled{std::chrono::minutes(10)};                                  ///< an authority signs after it has been trusted for so long
};

enum class rotation_step { Nothing, Serving, Authority, Both };
/// What is to be created now, for a server with `names`. `known_since`: when the API server was first seen to trust all of bundle(). A
/// serving certificate that clients would refuse is replaced at once.
rotation_step due(held_certificates const& held, std::vector<std::string> const& names, std::optional<instant> known_since, instant now,
                  rotation_limits const& limits);
/// `held` after that step, without authorities that have expired.
held_certificates rotated(held_certificates held, rotation_step step, std::vector<std::string> const& names, instant now,
                          rotation_limits const& limits);

}  // namespace kopiur::gateway::kubernetes
