#pragma once
#include <optional>
#include <string>
#include <vector>

#include "proto/openbao/kinds.hpp"
#include "proto/openbao/openbao_cluster.hpp"
#include "services/controller/core/cluster_view.hpp"

/// The objects of OpenBao, and the names that follow from them.
namespace kopiur::openbao {

/// Whether kopiur acts in this API group: false while OpenBao's operator does, or while that is not known.
bool is_ours(controller::objects const& all);
/// The restore that the run was ordered for; nullptr: it does not exist any more.
proto::openbao_restore const* restore_of(controller::objects const& all, proto::run_state const& run);
/// A cluster by name; nullptr: there is none. Its kind's presence while that is not known.
std::expected<proto::openbao_cluster const*, proto::kind_presence> find_cluster(controller::objects const& all, std::string const& ns,
                                                                                std::string const& name);
bool is_over(proto::openbao_restore const& one);

/// The run that carries a restore out. A Job's name has it, and 63 characters are the limit.
std::string run_of(proto::openbao_restore const& one);
/// The run that takes the backup which the cluster's trigger asks for now.
std::string backup_run_of(proto::openbao_cluster const& one);
/// The value of the cluster's trigger if it was not handled yet; empty: nothing is asked for.
std::string trigger_of(proto::openbao_cluster const& one);

/// The lease by which kopiur does one thing at a time with a cluster.
std::string lease_of(std::string const& cluster, std::string const& ns, std::string const& name);
/// The StatefulSet of its active pods.
std::string stateful_set_of(proto::openbao_cluster const& one);
/// The name of a restore's or a backup's service account, to which OpenBao's roles are bound.
std::string service_account_of(std::string const& cluster, std::string_view component);

/// The cluster that the run works on, and still exists; nullptr: it does not. Nothing: not known.
std::optional<proto::openbao_cluster const*> target_of(controller::objects const& all, proto::run_state const& run);

/// Whether the object's own status shows that the run was committed: from then on there may be a Job.
bool was_committed(proto::openbao_restore const& one);

}  // namespace kopiur::openbao
