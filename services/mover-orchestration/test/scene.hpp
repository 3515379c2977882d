#pragma once
#include <gtest/gtest.h>

#include <map>

#include "services/mover-orchestration/core/engine.hpp"

/// One run in the hands of the engine, for its tests.
namespace kopiur::mover_orchestration {

using namespace proto;
using namespace std::chrono_literals;

inline run_plan backup_plan() {
  run_plan plan;
  plan.leases = {{"repo/r1", lease_mode::Shared}};
  kopia_of(plan).task = snapshot_work{.path = "/data"};
  plan.undo_task = json::encode(verb(sweep_work{.run = "r"}));
  return plan;
}

/// The name of the requested command.
inline std::string member_of(ask const& what) {
  auto name = [](auto& one) { return std::string(one.member); };
  if (auto* request = std::get_if<lease_request>(&what.what)) return std::visit(name, *request);
  return std::visit(name, std::get<gateway_command>(what.what));
}

/// Simulates one run: records the engine's requests; the test sets the observation.
class scene {
 public:
  run_state run{.run = "r", .cluster = "c", .order = {.plan = "backup", .object = {"Backup", "ns", "b", "u"}}};
  preparation prepares = ready{backup_plan()};
  std::map<std::string, answer> answers;
  std::map<std::string, lease_state> leases;
  std::vector<lease_waiter> line;  ///< for the one lease of the plan, in order
  std::optional<job_status> job;
  int job_of = 1;                                      ///< the attempt that `job` belongs to
  std::optional<std::vector<lease_proof>> job_leases;  ///< absent: those of the run
  std::optional<std::string> cancel;
  std::optional<std::string> holder;  ///< the run that keeps the application quiesced
  std::map<std::string, run_state> others;
  std::vector<attendant> attendants;
  bool gathers_others = true;
  bool receipt = true, exists = true;
  duration unwatched{0};  ///< time in which no replica saw the cluster answer
  int committed_before = 0;
  std::vector<int> older_jobs;
  instant now{1'000'000ms};
  std::vector<std::string> asked, events;
  std::vector<ask> requests;
  std::optional<std::vector<ask>> follows;  ///< absent: the plan has nothing to follow
  bool follow_waits = false;
  std::optional<securing> secures;        ///< absent: the plan needs leases only
  std::optional<std::vector<ask>> keeps;  ///< absent: that needs no keeping
  std::optional<instant> wake;

  /// Advances until the engine only waits.
  void settle() {
    for (int guard = 0; guard < 50; ++guard) {
      observation seen;
      seen.now = now, seen.job = job && job_of == run.attempt ? &*job : nullptr, seen.receipt_seen = receipt;
      if (cancel) seen.cancel = cancellation{*cancel};
      seen.rests_already = [&] { return holder; };
      seen.other = [&](std::string const& id) -> run_state const* { return others.contains(id) ? &others.at(id) : nullptr; };
      if (gathers_others) seen.attendants = [&] { return attendants; };
      seen.object_exists = exists, seen.older_jobs = older_jobs, seen.committed_before = committed_before;
      seen.prepare = [&] { return prepares; };
      seen.watched = [&](instant since) { return std::max(now - since - unwatched, duration::zero()); };
      seen.answer = [&](std::string_view verb, std::string_view key) {
        auto of_a_hook = run.rests_since ? key.rfind("-" + std::to_string(run.rests_since->time_since_epoch().count())) : key.npos;
        auto found = answers.find(std::string(verb) + "." + std::string(key.substr(0, of_a_hook)));
        return found == answers.end() ? nullptr : &found->second;
      };
      seen.lease = [&](std::string_view key) {
        auto found = leases.find(std::string(key));
        return found == leases.end() ? nullptr : &found->second;
      };
      seen.place = [&](std::string_view) {
        auto mine = std::ranges::find(line, run.run, &lease_waiter::run);
        if (mine == line.end()) return controller::queue_place{};
        return controller::queue_place{&*mine, static_cast<std::size_t>(mine - line.begin())};
      };
      seen.job_leases = job_leases ? &*job_leases : &run.leases;
      if (follows) seen.follow = [&] { return follow_through{*follows, follow_waits}; };
      if (secures) seen.secure = [&] { return *secures; };
      if (keeps) seen.keep = [&] { return *keeps; };
      auto next = advance(run, seen);
      wake = next.wake, requests = next.asks;
      if (!next.fact) {
        asked.clear();
        for (auto& each : next.asks) asked.push_back(member_of(each));
        return;
      }
      run = next.fact->state;
      std::visit([&](auto& e) { events.push_back(std::string(e.member)); }, next.fact->event);
    }
    ADD_FAILURE() << "the engine does not settle";
  }
  void grant(instant until) { leases["repo/r1"] = {.key = "repo/r1", .holders = {{"c", "r", lease_mode::Shared, until, 7}}}; }
  /// `otherwise`: the Job did the other task: a sweep instead of a snapshot, or a snapshot instead of a sweep.
  void finish(kopia_result result, bool otherwise = false) {
    result.run = "r", job_of = run.attempt;
    if (result.outcome == outcome::Succeeded && run.undoing == otherwise && !result.snapshot) result.snapshot.emplace();
    job = job_status{.phase = job_phase::Finished, .pods_gone = true, .result = std::move(result)};
  }
  /// Advances until a Job runs.
  void start() {
    settle();
    grant(now + 120s);
    settle();
    job = job_status{.phase = job_phase::Running};
    settle();
  }
  /// Advances until the back-off has begun.
  void fail_first_attempt() {
    start();
    finish({.outcome = outcome::Failed, .failure = run_failure{.class_ = kopia_failure::Unreachable, .retryable = true}});
    settle();
    job.reset();
    ASSERT_EQ(run.not_before, now + backoff(1));
  }
  /// Advances to Committed; the gateway answers why no Job can exist yet.
  void start_but(std::string why) {
    start();
    run.stage = run_stage::Committed, job.reset();
    answers["create-job.r-1"] = {.code = answer_code::Unavailable, .message = std::move(why)};
    now += 1s;
    settle();
  }
};
using asks = std::vector<std::string>;

}  // namespace kopiur::mover_orchestration
