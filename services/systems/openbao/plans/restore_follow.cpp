#include "services/controller/core/run_facts.hpp"
#include "services/systems/openbao/plans/restore.hpp"
#include "services/systems/openbao/plans/voters.hpp"

/// From the result of a restore to its end, in this order: who claimed the submission, healthy voters, the lock.
namespace kopiur::openbao {

using namespace proto;
using namespace controller;

namespace {

/// Whether the live object was read since the Job is over; else the read is asked for.
bool has_proof(cluster_view const& all, run_state const& run, std::vector<ask>& asks) {
  auto* said = all.answer(read_object::member, proof_key(run));
  bool known = said && (said->code == answer_code::Ok || said->code == answer_code::NotFound);
  if (!known) asks.push_back({gateway_command{read_object{run.order.object}}, proof_key(run)});
  return known;
}

/// A user may end the wait for voters, as that of any run.
bool is_given_up(openbao_restore const* wanted) { return wanted && !lookup(wanted->metadata.annotations, annotation::cancel_run).empty(); }

}  // namespace

follow_through follow(cluster_view const& all, run_state const& run) {
  follow_through left;
  if (run.attempt > 0 && !has_proof(all, run, left.asks)) return left;
  auto cluster = target_of(all.objects, run);
  if (!cluster) return {.waits = true};
  if (!*cluster) return {};
  auto* wanted = restore_of(all.objects, run);
  if (end_of(all, run).phase == bao_phase::Completed && !is_given_up(wanted)) {
    auto voters = bring_back(all, run);
    if (!voters.is_done) return {.asks = std::move(voters.asks), .waits = true};
  }
  openbao_restore gone;  // its lock is known by its name
  gone.metadata.name = run.order.object.name, gone.metadata.namespace_ = run.order.object.namespace_;
  if (auto release = release_lock(all, run, **cluster, restore_lock(wanted ? *wanted : gone))) left.asks.push_back(std::move(*release));
  return left;
}

}  // namespace kopiur::openbao
