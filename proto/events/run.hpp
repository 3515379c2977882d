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

/// A run: one execution of one plan, from due to done. A message on its subject carries event and state and is written by compare-and-set.
/// The first is written with expected sequence 0, so a run exists once. decisions.md section 3, architecture.md "The plan engine".
namespace kopiur::proto {

/// Why a run exists. Written by the scheduler (slots) and mover-orchestration (objects); the plan kind reads `parameters`.
struct run_order {
  std::string plan;                   ///< plan kind: connect, backup, restore, delete, maintain, discover ...
  object_ref object;                  ///< the object that the run is mainly for; its uid is empty until `create` has been carried out
  std::optional<json::value> create;  ///< a manifest that must exist before the run is prepared
  json::value parameters;             ///< defined by the plan kind
  std::optional<instant> slot;        ///< the schedule's base slot
};
KOPIUR_DESCRIBE_NOTED(run_order, (), (plan, object, create, parameters, slot))

/// How a lost Job is handled.
enum class plan_class {
  Repeatable,  ///< may be tried again, up to `attempts`
  AtMostOnce   ///< after Committed a missing Job means Unknown; it is never submitted a second time
};
BOOST_DESCRIBE_ENUM(plan_class, Repeatable, AtMostOnce)

struct lease_need {
  std::string key;
  lease_mode mode = lease_mode::Shared;
  std::int64_t slots = usual_slots;  ///< as in acquire_lease
  bool wait = true;                  ///< false: the run fails (LeaseTaken) when another one holds it
};
KOPIUR_DESCRIBE(lease_need, (), (key, mode, slots, wait))

/// One hook, as the gateway runs it.
struct plan_hook {
  std::string name;
  hook_call call;
  bool continue_on_failure = false;
};
KOPIUR_DESCRIBE(plan_hook, (), (name, call, continue_on_failure))

/// How long the application that before-hooks quiesced must stay quiesced.
enum class rest_until {
  Read,    ///< until the mover has ended: it reads the source itself
  Copied,  ///< until the Job exists: a snapshot of the source was taken for it
  Started  ///< until the Job runs: a clone of the source was created for it
};
BOOST_DESCRIBE_ENUM(rest_until, Read, Copied, Started)

/// A frozen plan: it is never edited, and later changes of a spec do not affect a run that has one.
struct run_plan {
  static constexpr std::string_view inlined = "body";
  plan_class class_ = plan_class::Repeatable;
  int attempts = 3;                      ///< at most this many
  duration deadline{172'800'000};        ///< of the whole run, counted from its preparation
  bool waits_unlimited = false;          ///< the deadline counts from the commit: what the plan waits for before may take any time
  std::optional<duration> start_within;  ///< how long a pod may report that it cannot start; absent in older runs: 300 s
  lease_priority priority = lease_priority::Scheduled;
  std::vector<lease_need> leases;  ///< acquired in this order, which is sorted, so runs cannot deadlock
  std::vector<object_ref> serves;
  std::string namespace_;
  job_body body;
  interned<std::vector<secret_use>> secrets;
  interned<std::vector<volume_use>> volumes;
  std::vector<plan_hook> before, after;
  bool gathers = false;                 ///< it runs no Job: it quiesces an application for other runs, which name it in `occasion`
  std::optional<std::string> occasion;  ///< the run that does so for this one
  rest_until rests = rest_until::Read;
  std::optional<duration> rests_at_most;  ///< from the first before-hook on; absent: bounded by the deadline only
  frozen<json::value>
      undo_task;            ///< removes what a cancelled run may have left; runs as a Job of its own. Its form belongs to the plan kind
  shared<pod_options> pod;  ///< what users wish; complete_job() of the plan kind adds what the task needs
  shared<json::value> resolved;  ///< what the plan kind pinned, for status
};
KOPIUR_DESCRIBE(run_plan, (),
                (class_, attempts, deadline, waits_unlimited, start_within, priority, leases, serves, namespace_, body, secrets, volumes,
                 before, after, gathers, occasion, rests, rests_at_most, undo_task, pod, resolved))

enum class run_stage {
  Due,                   ///< ordered; the object or what it refers to may be missing
  Prepared,              ///< the plan is frozen; leases, hooks and grants are being obtained
  Committed,             ///< everything is held; the create command may be sent
  Created,               ///< the Job is proven to exist
  TerminalObserved,      ///< the result is stored; after-hooks, lease release and clean-up follow
  FollowThroughComplete  ///< terminal
};
BOOST_DESCRIBE_ENUM(run_stage, Due, Prepared, Committed, Created, TerminalObserved, FollowThroughComplete)
/// The outcome is known and no longer changes.
constexpr bool is_terminal(run_stage stage) { return stage == run_stage::TerminalObserved || stage == run_stage::FollowThroughComplete; }

enum class run_outcome { Succeeded, Unchanged, Failed, Unknown };
BOOST_DESCRIBE_ENUM(run_outcome, Succeeded, Unchanged, Failed, Unknown)

/// A run that takes part in an occasion: a shared quiesce of several Backups.
struct occasion_member {
  std::string run;
  std::string claim;  ///< the claim that it reads; empty: none
};
KOPIUR_DESCRIBE(occasion_member, (), (run, claim))

/// Why a run does not progress, for users and for `kubectl wait`.
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
  std::uint64_t ordered_as = 0;  ///< the sequence of its first fact; 0 while that is its only fact
  std::optional<instant> prepared_at, started_at, finished_at;
  frozen<run_plan> plan;                                         ///< from Prepared on
  std::vector<lease_proof> leases;                               ///< held, in the plan's order
  int attempt = 0;                                               ///< the current or last attempt; 0 before the first commit
  std::optional<instant> committed_at, created_at, observed_at;  ///< of the last attempt: when it entered that stage
  std::optional<json::value> secured;  ///< what the plan kind noted when it held all that it needs (plan_kind::secure)
  std::uint64_t committed_after = 0;   ///< the sequence of the fact before the last commit: facts before it precede the mover's start
  std::optional<instant> not_before;   ///< backoff: no attempt starts earlier
  int hooks_done = 0;                  ///< number of before-hooks that ended, in order
  int after_hooks_done = 0;
  bool hooks_started = false;             ///< if true, after-hooks always run
  std::optional<instant> rests_since;     ///< when the first before-hook began
  std::vector<std::string> hooks_failed;  ///< includes those after which the plan continues
  std::optional<wait_reason> waits;
  std::optional<instant> missing_since;    ///< Due: since when a precondition is missing, which has a deadline
  std::optional<instant> unstarted_since;  ///< Created: since when the pod of this attempt reports that it cannot start
  bool undoing = false;                    ///< the current attempt is the plan's `undo_task`
  int undo_attempts = 0;
  std::optional<std::string> cancelled;      ///< by which user or event, and why; set once
  std::optional<failure_name> cancelled_as;  ///< if no user wanted it: the failure class, of which `cancelled` is the message
  std::optional<instant> opened_at;          ///< if it gathers: it holds what it needs, and its members may acquire what they need
  std::optional<instant> first_ready_at;     ///< if it gathers: when the first member was ready
  std::optional<instant> gathered_at;        ///< if it gathers: `members` is final from then on
  std::vector<occasion_member> members;
  std::optional<instant> captured_at;  ///< if it is a member: when its VolumeSnapshot was cut
  std::optional<run_outcome> outcome;  ///< from TerminalObserved on
  frozen<job_result> result;           ///< of the last attempt
  std::optional<run_failure> failure;  ///< of the run
  std::int64_t row_pages = 0;          ///< list: number of row pages stored under `attempt`
  std::string log_tail;
};
KOPIUR_DESCRIBE(run_state, (),
                (run, cluster, order, stage, ordered_at, changed_at, ordered_as, prepared_at, started_at, finished_at, plan, leases,
                 attempt, committed_at, created_at, observed_at, secured, committed_after, not_before, hooks_done, after_hooks_done,
                 hooks_started, rests_since, hooks_failed, waits, missing_since, unstarted_since, undoing, undo_attempts, cancelled,
                 cancelled_as, opened_at, first_ready_at, gathered_at, members, captured_at, outcome, result, failure, row_pages, log_tail))

// Events: what happened, in the past tense. The state after the event is in the same message.
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
/// The members are final.
struct run_gathered {
  static constexpr std::string_view type = "run.gathered.v1", member = "gathered";
};
KOPIUR_DESCRIBE(run_gathered, (), ())
/// The VolumeSnapshot of its source was cut.
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
/// The mover of this attempt runs: its Job no longer waits.
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
