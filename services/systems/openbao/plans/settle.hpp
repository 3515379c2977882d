#pragma once
#include "services/controller/core/plan_kind.hpp"
#include "services/systems/openbao/plans/restore.hpp"

/// The plan openbao-settle: a Job that waits until all voters of a restored cluster are healthy. It changes nothing, so it is repeated
/// until they are: OpenBao lets only pods with certain labels in, so nobody else could look.
namespace kopiur::openbao {

extern controller::plan_kind const settle_plan;

/// How far the cluster of a restore is on its way back.
struct settling {
  bool is_done = false;
  std::string_view reason{};            ///< WaitingForUnseal, WaitingForVoters, RestartingVoters
  std::string message{};                ///< what is waited for, and what ends it
  std::vector<controller::ask> asks{};  ///< orders the next look
};
/// Whether its voters are healthy. `when`: names looks of their own; empty: those after the submission, of which the Job's is the first.
settling settle(controller::cluster_view const& all, proto::run_state const& restore, std::string_view when = {});

/// The key of the live read of a restore that proves who claimed the submission.
std::string proof_key(proto::run_state const& run);

}  // namespace kopiur::openbao
