#pragma once
#include "services/mover-orchestration/core/engine.hpp"

/// The stages of the engine, one function each, and what they share.
namespace kopiur::mover_orchestration {

using controller::cancelled;
using controller::failure;
using controller::has_hooks_left;
using controller::has_its_copy;
using controller::holds;
using controller::is_done;
using controller::is_member;
using controller::rests;
using controller::rests_with_others;

inline constexpr duration told_after{300};

/// The run's next state with its event; stamps the time.
step write(proto::run_state next, proto::run_event event, instant now);
/// A new reason to wait is a fact, once it has lasted for `unsaid_for`; the old one again is only a wake.
step waiting(proto::run_state const& run, proto::wait_reason why, std::optional<instant> wake, instant now, std::vector<ask> asks = {},
             duration unsaid_for = told_after);
/// A wait whose beginning is not known, or lies in the future because the clock was stepped back, begins now; or it would be longer by as
/// much. A fact even where the reason is the old one.
step count_from_now(proto::run_state next, std::optional<instant> proto::run_state::* since, proto::wait_reason why, instant now);
/// The run is to end this way; what has to be undone, released or removed follows in TerminalObserved.
step observe(proto::run_state next, proto::run_outcome outcome, std::optional<proto::run_failure> failure, instant now);

/// The run's place in the line for a lease; nullptr when it does not stand there.
proto::lease_waiter const* waiter_of(proto::lease_state const& state, proto::run_state const& run);
/// Asks to renew what is about to run out; the wake of the next renewal.
std::optional<instant> keep_leases(proto::run_state const& run, observation const& seen, std::vector<ask>& asks);
/// As waiting(), and keeps its leases meanwhile.
step holding(proto::run_state const& run, observation const& seen, proto::wait_reason why, std::optional<instant> wake,
             duration unsaid_for = told_after);
/// What it waits for is a write of the status itself. Only where that does not come it is told, or it would be another write for each run.
step wait_for_receipt(proto::run_state const& run, observation const& seen);
/// One run at a time runs hooks of an application, or one would let go what another one reads. Nothing: it may.
std::optional<step> while_another_has_it(proto::run_state const& run, observation const& seen);
/// The hooks before the act, one after the other; one that fails ends the run, unless the plan goes on.
step next_before_hook(proto::run_state const& run, observation const& seen);
/// The same of those after it, which all run; nothing: there is none left, or none has to.
std::optional<step> next_after_hook(proto::run_state const& run, observation const& seen);
/// When what the before-hooks brought to rest has to be let go; nothing: it does not rest, or without such a bound.
std::optional<instant> rest_ends(proto::run_state const& run);
/// That end of its rest.
cancellation rested_too_long(proto::run_state const& run);
/// The after-hooks are due though the run is not over.
bool may_let_go(proto::run_state const& run);
/// They are due because it is cancelled: what a mover read meanwhile is not of the moment for which the application rested.
bool was_let_go(proto::run_state const& run);
/// This attempt was started once, whatever became of its Job: from there on the run looks for the Job, and never asks for it again.
step was_created(proto::run_state const& run, int attempt, instant now);
/// The name of the current attempt's Job.
std::string job_name(proto::run_state const& run);
/// Ends that attempt's Job, and takes away what was copied for the run, which has a plan.
ask remove_job(proto::run_state const& run, int attempt);

/// An occasion, before its hooks: opens, and waits for those that it is for, until all are ready or over, and for a minute at most once
/// one of them is.
step gather(proto::run_state const& run, observation const& seen);
/// An occasion, whose application rests: until each of its members has what it needs, or is over, or wanted by nobody any more.
step hold_open(proto::run_state const& run, observation const& seen);
/// What a run that takes part in an occasion has to wait for before it asks for leases: that it may, and where its source is captured, that
/// this was done, for which it needs none. Nothing: it may go on.
std::optional<step> before_leases(proto::run_state const& run, observation const& seen);
/// The same once it has them: its application rests.
std::optional<step> until_it_rests(proto::run_state const& run, observation const& seen);

step due(proto::run_state const& run, observation const& seen);
step prepared(proto::run_state const& run, observation const& seen);
step committed(proto::run_state const& run, observation const& seen);
step created(proto::run_state const& run, observation const& seen);
step closing(proto::run_state const& run, observation const& seen);

}  // namespace kopiur::mover_orchestration
