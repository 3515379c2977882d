#pragma once
#include <optional>
#include <string>
#include <vector>

#include "services/controller/core/plan_kind.hpp"
#include "services/systems/openbao/lock.hpp"

/// The plan openbao-restore: cluster -> credentials -> lease -> operation lock -> one Job, once -> voters are healthy -> lock released.
namespace kopiur::openbao {

extern controller::plan_kind const restore_plan;

/// The plan of that restore. `cluster` nullptr: it is gone, and the run was committed before.
proto::run_plan restore_job(controller::cluster_view const& all, proto::openbao_restore const& wanted,
                            proto::openbao_cluster const* cluster);

/// Adds until when the Job may claim the submission: known once the run is committed.
void add_preparation_deadline(proto::run_state const& run, proto::create_job& command);

/// What the Job's program said when it ended (its termination message).
struct told {
  std::string message, digest;
  std::int64_t size = 0;
  std::string voters;                    ///< healthy, sealed, unreachable; empty: not known
  std::vector<std::string> not_healthy;  ///< pods
  std::string key;                       ///< of a backup
};
KOPIUR_DESCRIBE(told, (), (message, digest, size, voters, not_healthy, key))
/// Of the run's last Job; empty: it said nothing.
told told_by(proto::run_state const& run);

/// How a restore stands.
struct verdict {
  proto::bao_phase phase = proto::bao_phase::Pending;
  std::string message;
};
verdict verdict_of(controller::cluster_view const& all, proto::run_state const& run);
/// What the end of its Job comes to, from the result and from who claimed the submission: Completed, Failed or Unknown.
verdict end_of(controller::cluster_view const& all, proto::run_state const& run);
std::vector<controller::object_status> report(controller::cluster_view const& all, proto::run_state const& run);
/// Proves the end, waits for healthy voters, then releases the lock.
controller::follow_through follow(controller::cluster_view const& all, proto::run_state const& run);
/// The Events of a restore that are due now.
std::vector<controller::ask> events_of(controller::cluster_view const& all, proto::run_state const& run);

}  // namespace kopiur::openbao
