#pragma once
#include "services/mover-orchestration/core/engine.hpp"

/// The stages of the engine, one function each, and their shared helpers.
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

/// The run's next state with its event; sets the time.
step write(proto::run_state next, proto::run_event event, instant now);
/// Writes a new reason to wait as a fact, once the last fact of the run is `unsaid_for` old. An unchanged reason only sets the wake.
step waiting(proto::run_state const& run, proto::wait_reason why, std::optional<instant> wake, instant now, std::vector<ask> asks = {},
             duration unsaid_for = told_after);
/// A wait starts now if its start is unknown, or lies in the future because the clock was stepped back: else it would last longer by that
/// step. Writes a fact even when the reason is unchanged.
step count_from_now(proto::run_state next, std::optional<instant> proto::run_state::* since, proto::wait_reason why, instant now);
/// Ends the run with this outcome; undo, release and removal follow in TerminalObserved.
step observe(proto::run_state next, proto::run_outcome outcome, std::optional<proto::run_failure> failure, instant now);

/// Adds requests to renew leases that are about to expire; returns the wake for the next renewal.
std::optional<instant> keep_leases(proto::run_state const& run, observation const& seen, std::vector<ask>& asks);
/// As waiting(), and also renews its leases.
step holding(proto::run_state const& run, observation const& seen, proto::wait_reason why, std::optional<instant> wake,
             duration unsaid_for = told_after);
/// Waits for a write of the status itself. Reports this wait only if it takes long: else it would cost another write per run.
step wait_for_receipt(proto::run_state const& run, observation const& seen);
/// Only one run at a time may run hooks of an application: else one would release what another one reads. Nothing: it may.
std::optional<step> while_another_has_it(proto::run_state const& run, observation const& seen);
/// The hooks before the act, one after the other. A failed hook ends the run, unless the hook continues on failure.
step next_before_hook(proto::run_state const& run, observation const& seen);
/// The same for the hooks after the act, which all run; nothing: none is left, or none need run.
std::optional<step> next_after_hook(proto::run_state const& run, observation const& seen);
/// When an application that the before-hooks quiesced must be released; nothing: it is not quiesced, or has no such limit.
std::optional<instant> rest_ends(proto::run_state const& run);
/// The cancellation for exceeding that limit.
cancellation rested_too_long(proto::run_state const& run);
/// True when the after-hooks are due although the run is not over.
bool may_release(proto::run_state const& run);
/// True when they are due because the run was cancelled: what a mover read meanwhile does not belong to the quiesced moment.
bool was_released(proto::run_state const& run);
/// This attempt was started once, whatever became of its Job: from here on the run looks for the Job, and never requests it again.
step was_created(proto::run_state const& run, int attempt, instant now);
/// The name of the current attempt's Job.
std::string job_name(proto::run_state const& run);
/// Ends that attempt's Job, and removes the volume copies and the grants that were made for the run. Requires a plan.
ask remove_job(proto::run_state const& run, int attempt);

/// An occasion, before its hooks: opens, and waits until all its attendants are ready or over, but for at most a minute after the first one
/// is ready.
step gather(proto::run_state const& run, observation const& seen);
/// An occasion whose application is quiesced: waits until each member has what it needs, is over, or is no longer wanted.
step hold_open(proto::run_state const& run, observation const& seen);
/// What a member of an occasion must wait for before it requests leases: that the occasion is open; and where its source is captured, that
/// the capture is done, which needs no leases. Nothing: it may go on.
std::optional<step> before_leases(proto::run_state const& run, observation const& seen);
/// What it must wait for once it has its leases: that its application is quiesced.
std::optional<step> until_it_rests(proto::run_state const& run, observation const& seen);

step due(proto::run_state const& run, observation const& seen);
step prepared(proto::run_state const& run, observation const& seen);
step committed(proto::run_state const& run, observation const& seen);
step created(proto::run_state const& run, observation const& seen);
step closing(proto::run_state const& run, observation const& seen);

}  // namespace kopiur::mover_orchestration
