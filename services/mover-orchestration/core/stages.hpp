#pragma once
#include "services/mover-orchestration/core/engine.hpp"

/// The stages of the engine, one function each, and what they share.
namespace kopiur::orchestration {

inline constexpr duration told_after{300};

/// The run's next state with its event; stamps the time.
step write(proto::run_state next, proto::run_event event, instant now);
/// A new reason to wait is a fact, once it has lasted for `unsaid_for`; the old one again is only a wake.
step waiting(proto::run_state const& run, proto::wait_reason why, std::optional<instant> wake, instant now, std::vector<ask> asks = {},
             duration unsaid_for = told_after);
/// The run is to end this way; what has to be undone, released or removed follows in TerminalObserved.
step observe(proto::run_state next, proto::run_outcome outcome, std::optional<proto::run_failure> failure, instant now);

bool holds(proto::run_state const& run, observation const& seen, std::string_view key);
/// The run's place in the line for a lease; nullptr when it does not stand there.
proto::lease_waiter const* waiter_of(proto::lease_state const& state, proto::run_state const& run);
/// Asks to renew what is about to run out; the wake of the next renewal.
std::optional<instant> keep_leases(proto::run_state const& run, observation const& seen, std::vector<ask>& asks);
/// What to ask for to have a hook done, under this key, and what came of it; nullptr: nothing yet.
ask ask_for(proto::plan_hook const& hook, std::string key);
proto::answer const* answer_of(proto::plan_hook const& hook, std::string const& key, observation const& seen);
/// This attempt was started once, whatever became of its Job: from there on the run looks for the Job, and never asks for it again.
step was_created(proto::run_state const& run, int attempt, instant now);
/// The name of the current attempt's Job.
std::string job_name(proto::run_state const& run);
/// Ends that attempt's Job, and takes away what was copied for the run, which has a plan.
ask remove_job(proto::run_state const& run, int attempt);
proto::run_failure failure(proto::failure_class why, std::string message, bool retryable = false);

step due(proto::run_state const& run, observation const& seen);
step prepared(proto::run_state const& run, observation const& seen);
step committed(proto::run_state const& run, observation const& seen);
step created(proto::run_state const& run, observation const& seen);
step closing(proto::run_state const& run, observation const& seen);

}  // namespace kopiur::orchestration
