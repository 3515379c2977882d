#include "services/mover-orchestration/core/shrunk.hpp"

namespace kopiur::mover_orchestration {

using namespace proto;

namespace {

run_plan outline(run_plan plan) {
  plan.leases = {}, plan.secrets = {}, plan.volumes = {}, plan.before = {}, plan.after = {};
  plan.undo_task.reset(), plan.pod.reset();
  return plan;
}

bool went_well(run_state const& run) { return run.outcome == run_outcome::Succeeded || run.outcome == run_outcome::Unchanged; }

}  // namespace

run_state shrunk(run_state run) {
  if (run.stage != run_stage::FollowThroughComplete) return run;
  if (run.plan && run.plan->gathers) return run;
  if (run.plan) run.plan = outline(*run.plan);
  run.order.create.reset(), run.secured.reset();
  run.leases = {};
  if (went_well(run)) std::string().swap(run.log_tail);
  return run;
}

}  // namespace kopiur::mover_orchestration
