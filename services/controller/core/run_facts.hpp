#pragma once
#include <functional>
#include <set>
#include <string>

#include "proto/events/run.hpp"

/// What the facts of runs say, as every service reads them.

namespace kopiur::controller {

/// Was the one ordered before the other? By the order of their first facts on the bus, for clocks differ and are stepped; by the clock only
/// where a release wrote them that did not say it.
bool is_older(proto::run_state const& one, proto::run_state const& than);

/// Whom a run concerns: the uids of all that it is for, that it serves, or that are among its items; and, once it is planned, the unique id
/// of the kopia repository, which outlives the object that stands for it.
std::set<std::string> concerned(proto::run_state const& run);

/// The run is among those that hold the lease; nullptr: nobody holds it.
bool holds(proto::lease_state const* lease, proto::run_state const& run);

/// Its hooks have brought an application to rest, or are about to, and not all has been done that lets it go.
bool rests(proto::run_state const& run);
/// It is one that takes part in an occasion or has hooks of its own, and has what it needs of its source: the application may go on.
bool has_its_copy(proto::run_state const& run);
/// Not all has been done that lets the application go, or tells others of the end.
bool has_hooks_left(proto::run_state const& run);
/// Why a run that somebody, or the end of its application's rest, has cancelled failed.
proto::run_failure cancelled(proto::run_state const& run, std::string_view when = "");
proto::run_failure failure(proto::failure_class why, std::string message, bool retryable = false);
/// It took part in an occasion whose application is not let go yet. Then its Backup is not over: were the bus lost, the Backups alone would
/// know that somebody has to do it. One that nobody wants any more leaves that to the others, where there are any.
bool rests_with_others(proto::run_state const& run, std::function<proto::run_state const*(std::string const&)> const& other);
/// It takes part in this one.
bool is_member(proto::run_state const& occasion, std::string const& run);
/// Nothing more comes of this member of an occasion for which its application has to rest; nullptr: it is unknown.
bool is_done(proto::run_state const* member);
/// Back-off between attempts: 10 s, doubled each time, 10 min at most.
duration backoff(int attempt);
/// Whether the back-off after this attempt, which ends at `until`, is to be waited for. One that lies further ahead than it
/// is long was begun before the clock was stepped back: it is over, or a step of an hour would stop the run for an hour.
bool backs_off(instant until, int attempt, instant now);

}  // namespace kopiur::controller
