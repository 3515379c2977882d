#include "services/systems/openbao/plans/checks.hpp"

#include "services/systems/openbao/plans/job.hpp"

namespace kopiur::openbao {

using namespace proto;
using namespace controller;
using namespace std::chrono_literals;

std::string role_of(openbao_restore const& wanted, openbao_cluster const& cluster) {
  constexpr std::string_view usual = "openbao-operator-restore";
  if (wanted.spec.jwt_auth_role && !wanted.spec.jwt_auth_role->empty()) return *wanted.spec.jwt_auth_role;
  bool configured = cluster.spec.self_init && cluster.spec.self_init->oidc.enabled;
  return configured && !wanted.spec.token_secret_ref ? std::string(usual) : "";
}

std::string unreachable(openbao_cluster const& cluster) {
  if (cluster.spec.tls.enabled) return {};
  return "OpenBaoCluster " + cluster.metadata.namespace_ + "/" + cluster.metadata.name +
         " has spec.tls.enabled: false, and tokens and snapshots are sent over TLS only. Enable TLS.";
}

std::string foreign_image(std::optional<std::string> const& image, openbao_cluster const& cluster) {
  auto& of_cluster = cluster.spec.backup ? cluster.spec.backup->image : std::optional<std::string>();
  auto& asked = image && !image->empty() ? image : of_cluster;
  if (!asked || asked->empty()) return {};
  return "The image " + *asked +
         " is not run: only kopiur's own executor claims a submission before it submits, so that a snapshot is restored at most once. "
         "Remove spec.image, and spec.backup.image of OpenBaoCluster " +
         cluster.metadata.name + ".";
}

std::optional<wait> missing_secret(cluster_view const& all, std::string const& ns, bool by_token,
                                   std::optional<bao_secret_ref> const& token, bao_target const& store, openbao_cluster const& cluster) {
  auto lacks = [&](std::string const& name) { return !find(all.objects.of<secret_metadata>(), ns, name); };
  auto wait_for = [&](std::string_view reason, std::string const& name, std::string_view what) {
    return wait{.why = {std::string(reason), "The Secret " + ns + "/" + name + " " + std::string(what) + " does not exist. Create it."},
                .look_again = {},
                .asks = {},
                .at_most = 15min,
                .limit = {}};
  };
  if (by_token && token && lacks(token->name)) return wait_for("TokenSecretMissing", token->name, "with a token of OpenBao");
  if (store.credentials_secret_ref && lacks(store.credentials_secret_ref->name))
    return wait_for("CredentialsSecretMissing", store.credentials_secret_ref->name, "with the object store's credentials");
  if (lacks(authority_of(cluster.metadata.name)))
    return wait_for("AuthorityMissing", authority_of(cluster.metadata.name), "with OpenBao's certificate authority (ca.crt)");
  return std::nullopt;
}

}  // namespace kopiur::openbao
