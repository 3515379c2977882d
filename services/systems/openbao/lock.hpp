#pragma once
#include "services/controller/core/plan_kind.hpp"
#include "services/systems/openbao/restores.hpp"

/// The operation lock in `OpenBaoCluster.status.operationLock`, by which OpenBao's operator and kopiur do not work on one cluster at once
/// (spec/openbao-restore.md A2.2). It is taken, renewed and released by comparing and setting the live object, and never expires.
namespace kopiur::openbao {

/// What kopiur holds the lock for, in the words of OpenBao's operator, which also has Upgrade.
enum class lock_operation { Restore, Backup };
BOOST_DESCRIBE_ENUM(lock_operation, Restore, Backup)

/// Who holds the lock, and for what. Two of them are the same holder if `operation` and `holder` are equal.
struct lock_claim {
  std::string operation, holder, message;
  bool may_override = false;  ///< a backup's or an upgrade's lock may be taken away
};
lock_claim restore_lock(proto::openbao_restore const& one);
lock_claim backup_lock(proto::openbao_cluster const& one);

/// Takes the lock. The note of `secured` is the lock that was taken away from another holder (bao_operation_lock), if any.
controller::securing take_lock(controller::cluster_view const& all, proto::run_state const& run, proto::openbao_cluster const& cluster,
                               lock_claim const& mine);
/// Says once a minute that its holder works; nothing while another one has it.
std::vector<controller::ask> renew_lock(controller::cluster_view const& all, proto::run_state const& run,
                                        proto::openbao_cluster const& cluster, lock_claim const& mine);
/// Releases the lock if it is still ours; nothing: that is done, or the lock was never this run's.
std::optional<controller::ask> release_lock(controller::cluster_view const& all, proto::run_state const& run,
                                            proto::openbao_cluster const& cluster, lock_claim const& mine);
/// Whether another holder was seen in the lock after the run had it.
bool has_lost_lock(proto::openbao_cluster const& cluster, lock_claim const& mine);

}  // namespace kopiur::openbao
