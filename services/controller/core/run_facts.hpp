#pragma once
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

}  // namespace kopiur::controller
