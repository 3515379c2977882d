#pragma once
#include <functional>
#include <set>
#include <string>

#include "proto/events/run.hpp"

/// Predicates over the facts of runs, as every service reads them.

namespace kopiur::controller {

/// Whether `one` was ordered before `than`: by the order of their first facts on the bus, since clocks differ and are stepped. Facts of
/// older releases do not record that order; for them the clock decides.
bool is_older(proto::run_state const& one, proto::run_state const& than);

/// What a run concerns: the uids of its object, of the objects that it serves and of its items; and, once it is planned, the unique id of
/// the kopia repository, which outlives the object that represents it.
std::set<std::string> concerned(proto::run_state const& run);

/// Whether the run is among the lease's holders; nullptr: there is no holder.
bool holds(proto::lease_state const* lease, proto::run_state const& run);

/// Its hooks have quiesced an application, or are about to, and not all hooks that release it are done.
bool rests(proto::run_state const& run);
/// It is a member of an occasion or has hooks, and has what it needs from its source: the application may resume.
bool has_its_copy(proto::run_state const& run);
/// Not all hooks are done that release the application or report the end.
bool has_hooks_left(proto::run_state const& run);
/// The failure of a run that a user, or the end of its application's quiescence, has cancelled.
proto::run_failure cancelled(proto::run_state const& run, std::string_view when = "");
proto::run_failure failure(proto::failure_name why, std::string message, bool retryable = false);
/// It was a member of an occasion whose application is not released yet. Then its Backup is not over: after a loss of the bus, only the
/// Backups record that the application must be released. A run that a user cancelled leaves that to the other members, if there are any.
bool rests_with_others(proto::run_state const& run, std::function<proto::run_state const*(std::string const&)> const& other);
/// Whether the run is a member of this occasion.
bool is_member(proto::run_state const& occasion, std::string const& run);
/// This member no longer needs its application quiesced; nullptr: it is unknown, and counts as done.
bool is_done(proto::run_state const* member);
/// Backoff between attempts: 10 s, doubled each time, 10 min at most.
duration backoff(int attempt);
/// Whether to wait for the backoff after this attempt, which ends at `until`. An end further ahead than the backoff is long was set before
/// the clock was stepped back: it counts as over, else a step of an hour would stop the run for an hour.
bool backs_off(instant until, int attempt, instant now);

}  // namespace kopiur::controller
