#pragma once
#include <optional>
#include <string>

#include "services/controller/core/plan_kind.hpp"
#include "services/systems/openbao/restores.hpp"

/// What restores and backups check alike before a Job is made.
namespace kopiur::openbao {

/// The role that a restore logs in with; empty: it uses a token. A cluster that was configured for it has a role of its own.
std::string role_of(proto::openbao_restore const& wanted, proto::openbao_cluster const& cluster);
/// Why no Job can talk to the cluster's pods; empty: one can.
std::string unreachable(proto::openbao_cluster const& cluster);
/// Why this image is not run; empty: none is asked for.
std::string foreign_image(std::optional<std::string> const& image, proto::openbao_cluster const& cluster);
/// Waits for a Secret that the Job needs, for a quarter of an hour at most; nothing: all are there.
std::optional<controller::wait> missing_secret(controller::cluster_view const& all, std::string const& ns, bool by_token,
                                               std::optional<proto::bao_secret_ref> const& token, proto::bao_target const& store,
                                               proto::openbao_cluster const& cluster);

}  // namespace kopiur::openbao
