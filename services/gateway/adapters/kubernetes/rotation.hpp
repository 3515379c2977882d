#pragma once
#include "common/json/value.hpp"
#include "services/gateway/adapters/kubernetes/certificates.hpp"

/// When certificates of the webhook are made, as functions of what there is and of the clock. What somebody calls us by has to be trusted
/// at every instant of a change: a new authority is made known first, signs once that has settled, and the one before it stays trusted
/// until its end.
namespace kopiur::gateway::kubernetes {

/// What stands in the Secret. Of former authorities there is no key any more.
struct held_certificates {
  std::vector<std::string> authorities;  ///< PEM, the newest first
  std::string authority_key;             ///< of the newest
  pem_pair serving;
  /// What the API server has to trust.
  std::string bundle() const;
  bool operator==(held_certificates const&) const = default;
};
/// From a Secret's `ca.crt`, `ca.key`, `tls.crt`, `tls.key`; what is missing or cannot be read is empty.
held_certificates from_secret(json::value const& secret);
/// The `data` of such a Secret.
json::value secret_data(held_certificates const& held);

struct rotation_limits {
  duration authority{std::chrono::days(365)}, serving{std::chrono::days(90)};  ///< lives; renewed when a third is left
  duration backdated{std::chrono::hours(1)};                                   ///< valid from before now on: clocks differ
  duration settled{std::chrono::minutes(10)};                                  ///< an authority signs when it has been known for so long
};

enum class rotation_step { Nothing, Serving, Authority, Both };
/// What is to be made now, for a server that is called by `names`. `known_since`: when the API server was first seen to trust all of
/// bundle(). A serving certificate that nobody would take is replaced at once, whatever stands.
rotation_step due(held_certificates const& held, std::vector<std::string> const& names, std::optional<instant> known_since, instant now,
                  rotation_limits const& how);
/// `held` after that step; authorities that have ended are no longer in it.
held_certificates rotated(held_certificates held, rotation_step step, std::vector<std::string> const& names, instant now,
                          rotation_limits const& how);

}  // namespace kopiur::gateway::kubernetes
