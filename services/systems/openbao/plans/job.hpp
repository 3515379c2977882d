#pragma once
#include <string>

#include "proto/events/run.hpp"
#include "services/controller/core/cluster_view.hpp"
#include "services/systems/openbao/restores.hpp"

/// The Jobs of OpenBao: one container with kopiur's executor, in the cluster's namespace, with the environment of OpenBao's operator
/// (spec/openbao-restore.md A3.1).
namespace kopiur::openbao {

/// How a Job logs in to OpenBao: by a role and the token of its service account, or by a token in a Secret.
struct login {
  std::string role;  ///< wins
  std::optional<proto::bao_secret_ref> token{};
};

/// The Secret with OpenBao's certificate authority.
std::string authority_of(std::string const& cluster);

/// A Job under construction.
struct bao_job {
  proto::pod_plan pod;
  std::vector<proto::secret_use> secrets;
  proto::pod_options options;
};
/// A Job that finds the cluster's pods, and may do nothing else. `component`: restore or backup; `cluster` nullptr: it is gone.
bao_job job_for(std::string const& ns, std::string const& name, proto::openbao_cluster const* cluster, std::string_view component,
                std::string_view mode);
void add_login(bao_job& job, std::string const& ns, login const& access);
/// The store under the variables `BACKUP_...`, which a restore reads too.
void add_store(bao_job& job, std::string const& ns, proto::bao_target const& store);
/// Disk for a whole snapshot.
void add_staging(bao_job& job);

}  // namespace kopiur::openbao
