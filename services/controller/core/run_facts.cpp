#include "services/controller/core/run_facts.hpp"

#include <algorithm>

namespace kopiur::controller {

using namespace proto;

bool is_older(run_state const& one, run_state const& than) {
  bool both = one.ordered_as && than.ordered_as;
  return both ? one.ordered_as < than.ordered_as : one.ordered_at < than.ordered_at;
}

std::set<std::string> concerned(run_state const& run) {
  std::set<std::string> ids{run.order.object.uid};
  if (run.plan) {
    for (auto& each : run.plan->serves) ids.insert(each.uid);
    if (auto* kopia = std::get_if<kopia_task>(&run.plan->body)) ids.insert(kopia->repository->unique_ID.value_or(""));
  }
  if (auto* items = run.order.parameters.find("items"); items && items->as_array())
    for (auto& item : *items->as_array()) ids.emplace(item.text("uid"));
  ids.erase("");
  return ids;
}

bool has_hooks_left(run_state const& run) { return run.plan && run.hooks_started && run.after_hooks_done < std::ssize(run.plan->after); }

bool rests(run_state const& run) { return run.rests_since && has_hooks_left(run); }

bool has_its_copy(run_state const& run) {
  if (!run.plan) return false;
  bool copied = run.plan->rests == rest_until::Copied && (run.captured_at || run.stage == run_stage::Created);
  return copied || (run.plan->rests == rest_until::Started && run.started_at);
}

run_failure cancelled(run_state const& run, std::string_view when) {
  if (run.cancelled_as) return failure(*run.cancelled_as, *run.cancelled);
  return failure(failure_class::Cancelled, "Cancelled" + std::string(when) + ": " + *run.cancelled);
}

bool is_done(run_state const* member) { return !member || is_terminal(member->stage) || member->cancelled || has_its_copy(*member); }

bool rests_with_others(run_state const& run, std::function<run_state const*(std::string const&)> const& other) {
  auto* occasion = run.plan && run.plan->occasion ? other(*run.plan->occasion) : nullptr;
  bool released = !occasion || (is_terminal(occasion->stage) && !has_hooks_left(*occasion));
  if (released || !is_member(*occasion, run.run)) return false;
  bool unwanted = run.cancelled && !run.cancelled_as;
  return !unwanted || std::ranges::all_of(occasion->members, [&](auto& each) { return each.run == run.run || is_done(other(each.run)); });
}

bool is_member(run_state const& occasion, std::string const& run) {
  return std::ranges::find(occasion.members, run, &occasion_member::run) != occasion.members.end();
}

bool holds(lease_state const* lease, run_state const& run) {
  return lease && std::ranges::any_of(lease->holders, [&](auto& each) { return each.run == run.run && each.cluster == run.cluster; });
}

run_failure failure(failure_name why, std::string message, bool retryable) {
  return {.class_ = why, .message = std::move(message), .stderr_tail = {}, .retryable = retryable};
}

duration backoff(int attempt) {
  constexpr duration first = std::chrono::seconds(10), most = std::chrono::minutes(10);
  return std::min(most, first * (1 << std::clamp(attempt - 1, 0, 10)));
}

bool backs_off(instant until, int attempt, instant now) { return now < until && until - now <= backoff(attempt); }

}  // namespace kopiur::controller
