#include <algorithm>

#include "services/mover-orchestration/core/stages.hpp"

/// Hooks. Before-hooks quiesce an application. After-hooks release it: exactly once, whatever the outcome, and before the quiesce timeout.
namespace kopiur::mover_orchestration {

using namespace proto;

namespace {

/// The key contains the start of the quiesce period: a run that is created again after a loss of the bus must not use the answers of its
/// earlier life.
std::string key(run_state const& run, std::string_view when, int which) {
  auto since = run.rests_since ? "-" + std::to_string(run.rests_since->time_since_epoch().count()) : std::string();
  return run.run + "-" + std::string(when) + "-" + std::to_string(which) + since;
}
std::string before_key(run_state const& run) { return key(run, "before", run.hooks_done); }
std::string after_key(run_state const& run) { return key(run, "after", run.after_hooks_done); }

ask ask_for(plan_hook const& hook, std::string key) {
  return {std::visit([](auto const& call) { return gateway_command{call}; }, hook.call), std::move(key)};
}
answer const* answer_of(plan_hook const& hook, std::string const& key, observation const& seen) {
  return seen.answer(std::visit([](auto const& call) { return call.member; }, hook.call), key);
}

/// Requests the hook until it is answered.
step asked_for(plan_hook const& hook, std::string key, instant now) {
  return {.fact = {}, .asks = {ask_for(hook, std::move(key))}, .wake = now + duration(15'000)};
}

/// Records the outcome of the hook in the run's next state.
bool note_end(run_state& next, plan_hook const& hook, answer const& said) {
  bool succeeded = said.code == answer_code::Ok;
  if (!succeeded) next.hooks_failed.push_back(hook.name);
  return succeeded;
}

/// Finishes a before-hook that was in flight when the run ended: if it ran after the after-hooks, the application would stay quiesced for
/// good. Nothing: no hook is in flight.
std::optional<step> finish_before_hook(run_state const& run, observation const& seen) {
  if (!run.rests_since || run.hooks_done >= std::ssize(run.plan->before)) return {};
  auto& hook = run.plan->before[static_cast<std::size_t>(run.hooks_done)];
  if (std::ranges::find(run.hooks_failed, hook.name) != run.hooks_failed.end()) return {};
  auto* said = answer_of(hook, before_key(run), seen);
  if (!said) return asked_for(hook, before_key(run), seen.now);
  auto next = run;
  bool succeeded = note_end(next, hook, *said);
  if (succeeded) ++next.hooks_done;
  return write(std::move(next), run_hook_ended{hook.name, succeeded}, seen.now);
}

/// Recorded before the first hook runs, so that the after-hooks run whatever happens.
step begin_rest(run_state const& run, observation const& seen, plan_hook const& first) {
  // If the bus is lost while the application is quiesced, only the object can show that it may be.
  if (!seen.receipt_seen) return wait_for_receipt(run, seen);
  auto next = run;
  next.hooks_started = true;
  next.rests_since = seen.now;
  next.waits = wait_reason{"RunningHook", "Waiting for hook " + first.name + "."};
  return write(std::move(next), run_waiting{"RunningHook"}, seen.now);
}

}  // namespace

std::optional<step> while_another_has_it(run_state const& run, observation const& seen) {
  bool has_hooks = !run.plan->before.empty() || !run.plan->after.empty();
  if (run.undoing || run.hooks_started || !has_hooks) return {};
  auto other = seen.rests_already();
  if (!other) return {};
  return holding(run, seen, {"ApplicationRests", "Waiting until run " + *other + ", whose hooks hold this application, releases it."},
                 seen.now + duration(15'000));
}

step next_before_hook(run_state const& run, observation const& seen) {
  auto& hook = run.plan->before[static_cast<std::size_t>(run.hooks_done)];
  if (!run.hooks_started) return begin_rest(run, seen, hook);
  auto* said = answer_of(hook, before_key(run), seen);
  if (!said) {
    std::vector<ask> asks{ask_for(hook, before_key(run))};
    auto wake = keep_leases(run, seen, asks);
    return waiting(run, {"RunningHook", "Waiting for hook " + hook.name + "."}, wake ? *wake : seen.now + duration(15'000), seen.now,
                   std::move(asks));
  }
  auto next = run;
  bool succeeded = note_end(next, hook, *said);
  if (!succeeded && !hook.continue_on_failure)
    return observe(std::move(next), run_outcome::Failed,
                   failure(failure_class::HookFailed, "Hook " + hook.name + " failed, so nothing was backed up: " + said->message),
                   seen.now);
  ++next.hooks_done;
  return write(std::move(next), run_hook_ended{hook.name, succeeded}, seen.now);
}

std::optional<step> next_after_hook(run_state const& run, observation const& seen) {
  if (!has_hooks_left(run)) return {};
  if (auto first = finish_before_hook(run, seen)) return first;
  auto& hook = run.plan->after[static_cast<std::size_t>(run.after_hooks_done)];
  auto* said = answer_of(hook, after_key(run), seen);
  if (!said) return asked_for(hook, after_key(run), seen.now);
  auto next = run;
  ++next.after_hooks_done;
  bool succeeded = note_end(next, hook, *said);
  return write(std::move(next), run_hook_ended{hook.name, succeeded}, seen.now);
}

std::optional<instant> rest_ends(run_state const& run) {
  bool bounded = rests(run) && run.plan->rests_at_most && !run.cancelled;
  return bounded ? std::optional(*run.rests_since + *run.plan->rests_at_most) : std::nullopt;
}

bool was_released(run_state const& run) {
  if (!run.cancelled) return false;
  return run.plan->occasion ? !run.captured_at : run.rests_since && !run.plan->after.empty();
}

bool may_release(run_state const& run) { return rests(run) && !run.plan->gathers && (run.cancelled || has_its_copy(run)); }

cancellation rested_too_long(run_state const& run) {
  return {.why = "The hooks before the snapshot held the application for " + to_text(*run.plan->rests_at_most) +
                 " (hooks.quiesceTimeoutSeconds), and it was not done by then. So kopiur released it, and this Backup keeps nothing: "
                 "data read later is not of that moment.",
          .as = failure_class::QuiesceTimeout};
}

}  // namespace kopiur::mover_orchestration
