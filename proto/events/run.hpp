#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "common/json/frozen.hpp"
#include "common/json/value.hpp"
#include "common/time/instant.hpp"
#include "proto/describe.hpp"
#include "proto/events/command.hpp"
#include "proto/events/lease.hpp"
#include "proto/events/object_ref.hpp"
#include "proto/work.hpp"

/// A run: one execution of one plan, from due to done. Its subject holds event and state in one message, written by compare-and-set;
/// created with expected sequence 0, so it exists once. decisions.md section 3, architecture.md "The plan engine".
namespace kopiur::proto {

/// Why a run exists. Written by scheduler (slots) and by mover-orchestration (objects); the plan's recipe reads `parameters`.
struct run_order {
  std::string plan;                   ///< recipe: connect, backup, restore, delete, maintain, discover ...
  object_ref object;                  ///< whom it is for first of all; its uid is empty while `create` has not been done
  std::optional<json::value> create;  ///< a manifest that has to exist before the run is prepared
  json::value parameters;             ///< the recipe's own
  std::optional<instant> slot;        ///< the schedule's base slot
};
KOPIUR_DESCRIBE_NOTED(run_order, (), (plan, object, create, parameters, slot))

/// What a lost Job means.
enum class plan_class {
  Repeatable,  ///< may be tried again, bounded
  AtMostOnce   ///< after Committed a missing Job is Unknown, never a second submit
};
BOOST_DESCRIBE_ENUM(plan_class, Repeatable, AtMostOnce)

struct lease_need {
  std::string key;
  lease_mode mode = lease_mode::Shared;
};
KOPIUR_DESCRIBE(lease_need, (), (key, mode))

/// One hook, as the gateway performs it.
struct plan_hook {
  std::string name;
  hook_call call;
  bool continue_on_failure = false;
};
KOPIUR_DESCRIBE(plan_hook, (), (name, call, continue_on_failure))

/// Until when what before-hooks have brought to rest has to rest.
enum class rest_until {
  Read,    ///< the mover is over: it reads the source itself
  Copied,  ///< its Job is there: a snapshot of the source was made for it
  Started  ///< it runs: a clone of the source was made for it
};
BOOST_DESCRIBE_ENUM(rest_until, Read, Copied, Started)

/// A plan as it was frozen: nothing edits it, and no later change of a spec reaches a run that has one.
struct run_plan {
  plan_class class_ = plan_class::Repeatable;
  int attempts = 3;                      ///< at most
  duration deadline{172'800'000};        ///< of the whole run, from its preparation
  std::optional<duration> start_within;  ///< how long a pod may say that it cannot start; absent in runs from before: 300 s
  lease_priority priority = lease_priority::Scheduled;
  std::vector<lease_need> leases;  ///< taken in this order, which is sorted: no two runs wait for each other
  std::vector<object_ref> serves;
  std::string namespace_;
  proto::work work;
  std::vector<secret_use> secrets;
  std::vector<volume_use> volumes;
  std::vector<plan_hook> before, after;
  bool gathers = false;                 ///< its act is not a Job: it brings an application to rest for other runs, which name it as theirs
  std::optional<std::string> occasion;  ///< the run that does so for this one
  rest_until rests = rest_until::Read;
  std::optional<duration> rests_at_most;  ///< from the first before-hook on; nothing: no other bound than the deadline
  frozen<verb> undo_task;  ///< takes away what a cancelled run may have made in the repository of `work`; done by a Job of its own
  json::value pod;
  shared<json::value> resolved;  ///< what the recipe pinned, for status
};
KOPIUR_DESCRIBE(run_plan, (),
                (class_, attempts, deadline, start_within, priority, leases, serves, namespace_, work, secrets, volumes, before, after,
                 gathers, occasion, rests, rests_at_most, undo_task, pod, resolved))

enum class run_stage {
  Due,                   ///< ordered; the object or its parts may be missing
  Prepared,              ///< plan frozen; leases, hooks and grants are being had
  Committed,             ///< all held; the create command may go out
  Created,               ///< the Job is proven to be there
  TerminalObserved,      ///< the result is stored; after-hooks, release, clean-up
  FollowThroughComplete  ///< terminal
};
BOOST_DESCRIBE_ENUM(run_stage, Due, Prepared, Committed, Created, TerminalObserved, FollowThroughComplete)
/// The outcome is known; what follows changes it no more.
constexpr bool is_terminal(run_stage stage) { return stage == run_stage::TerminalObserved || stage == run_stage::FollowThroughComplete; }

enum class run_outcome { Succeeded, Unchanged, Failed, Unknown };
BOOST_DESCRIBE_ENUM(run_outcome, Succeeded, Unchanged, Failed, Unknown)

/// A run that takes part in an occasion.
struct occasion_member {
  std::string run;
  std::string claim;  ///< that it reads; empty: none
};
KOPIUR_DESCRIBE(occasion_member, (), (run, claim))

/// Why a run does not move on, for people and for `kubectl wait`.
struct wait_reason {
  std::string reason, message;
  auto operator<=>(wait_reason const&) const = default;
};
KOPIUR_DESCRIBE(wait_reason, (), (reason, message))

struct run_state {
  std::string run, cluster;
  run_order order;
  run_stage stage = run_stage::Due;
  instant ordered_at{}, changed_at{};
  std::uint64_t ordered_as = 0;  ///< the sequence of its first fact; 0 while that is its only one
  std::optional<instant> prepared_at, started_at, finished_at;
  frozen<run_plan> plan;              ///< from Prepared on
  std::vector<lease_proof> leases;    ///< held, in the plan's order
  int attempt = 0;                    ///< the current or last one; 0 before the first commit
  std::uint64_t committed_after = 0;  ///< the sequence of the fact before the last commit: what is younger came before the mover started
  std::optional<instant> not_before;  ///< back-off: no next attempt earlier
  int hooks_done = 0;                 ///< before-hooks that ended, in order
  int after_hooks_done = 0;
  bool hooks_started = false;             ///< then after-hooks run whatever happens
  std::optional<instant> rests_since;     ///< the first before-hook began
  std::vector<std::string> hooks_failed;  ///< those that failed, also where the plan goes on
  std::optional<wait_reason> waits;
  std::optional<instant> missing_since;    ///< Due: it waits for something that is not there, and for so long only
  std::optional<instant> unstarted_since;  ///< Created: the pod of this attempt says that it cannot start
  bool undoing = false;                    ///< the current attempt is the plan's `undo_task`
  int undo_attempts = 0;
  std::optional<std::string> cancelled;       ///< by whom and why; set once
  std::optional<failure_class> cancelled_as;  ///< nobody wanted that: this went wrong, and `cancelled` says it as a sentence
  std::optional<instant> opened_at;           ///< of one that gathers: it has what it needs, and its members may take what they need
  std::optional<instant> first_ready_at;      ///< the same: when the first of them was ready
  std::optional<instant> gathered_at;         ///< the same: who is in `members` takes part, and nobody else
  std::vector<occasion_member> members;
  std::optional<instant> captured_at;  ///< of one that takes part: its VolumeSnapshot is cut
  std::optional<run_outcome> outcome;  ///< from TerminalObserved on
  frozen<work_result> result;          ///< of the last attempt
  std::optional<run_failure> failure;  ///< of the run
  std::int64_t row_pages = 0;          ///< list: pages of rows under attempt
  std::string log_tail;
};
KOPIUR_DESCRIBE(run_state, (),
                (run, cluster, order, stage, ordered_at, changed_at, ordered_as, prepared_at, started_at, finished_at, plan, leases,
                 attempt, committed_after, not_before, hooks_done, after_hooks_done, hooks_started, rests_since, hooks_failed, waits,
                 missing_since, unstarted_since, undoing, undo_attempts, cancelled, cancelled_as, opened_at, first_ready_at, gathered_at,
                 members, captured_at, outcome, result, failure, row_pages, log_tail))

// Events: what happened, past tense. The state after it stands beside it.
struct run_due {
  static constexpr std::string_view type = "run.due.v1", member = "due";
};
KOPIUR_DESCRIBE(run_due, (), ())
struct run_waiting {
  static constexpr std::string_view type = "run.waiting.v1", member = "waiting";
  std::string reason;
};
KOPIUR_DESCRIBE(run_waiting, (), (reason))
struct run_prepared {
  static constexpr std::string_view type = "run.prepared.v1", member = "prepared";
};
KOPIUR_DESCRIBE(run_prepared, (), ())
/// Who takes part is settled.
struct run_gathered {
  static constexpr std::string_view type = "run.gathered.v1", member = "gathered";
};
KOPIUR_DESCRIBE(run_gathered, (), ())
/// The VolumeSnapshot of its source is cut.
struct run_captured {
  static constexpr std::string_view type = "run.captured.v1", member = "captured";
};
KOPIUR_DESCRIBE(run_captured, (), ())
struct run_hook_ended {
  static constexpr std::string_view type = "run.hook-ended.v1", member = "hookEnded";
  std::string name;
  bool succeeded = false;
};
KOPIUR_DESCRIBE(run_hook_ended, (), (name, succeeded))
struct run_committed {
  static constexpr std::string_view type = "run.committed.v1", member = "committed";
  int attempt = 1;
};
KOPIUR_DESCRIBE(run_committed, (), (attempt))
struct run_created {
  static constexpr std::string_view type = "run.created.v1", member = "created";
  int attempt = 1;
};
KOPIUR_DESCRIBE(run_created, (), (attempt))
/// The mover of this attempt runs: its Job has stopped waiting.
struct run_started {
  static constexpr std::string_view type = "run.started.v1", member = "started";
  int attempt = 1;
};
KOPIUR_DESCRIBE(run_started, (), (attempt))
struct run_attempt_failed {
  static constexpr std::string_view type = "run.attempt-failed.v1", member = "attemptFailed";
  int attempt = 1;
  run_failure failure;
};
KOPIUR_DESCRIBE(run_attempt_failed, (), (attempt, failure))
struct run_cancel_requested {
  static constexpr std::string_view type = "run.cancel-requested.v1", member = "cancelRequested";
  std::string by;
};
KOPIUR_DESCRIBE(run_cancel_requested, (), (by))
struct run_observed {
  static constexpr std::string_view type = "run.observed.v1", member = "observed";
  run_outcome outcome = run_outcome::Failed;
};
KOPIUR_DESCRIBE(run_observed, (), (outcome))
struct run_finished {
  static constexpr std::string_view type = "run.finished.v1", member = "finished";
  run_outcome outcome = run_outcome::Failed;
};
KOPIUR_DESCRIBE(run_finished, (), (outcome))
using run_event = std::variant<run_due, run_waiting, run_prepared, run_gathered, run_captured, run_hook_ended, run_committed, run_created,
                               run_started, run_attempt_failed, run_cancel_requested, run_observed, run_finished>;

/// One message of the stream `runs`.
struct run_fact {
  run_event event;
  run_state state;
};
KOPIUR_DESCRIBE_NOTED(run_fact, (), (event, state))

}  // namespace kopiur::proto
