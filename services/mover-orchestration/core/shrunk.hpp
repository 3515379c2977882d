#pragma once
#include "proto/events/run.hpp"

namespace kopiur::mover_orchestration {

/// What is left of a run that has been over for a while: its order, times, outcome, result and failure, and of its plan what it was about
/// (task, objects, what was pinned). Without what its pod, its leases and its hooks needed, and without the log of one that succeeded. A
/// run that is not over, or that others may still ask about its hooks (it gathers), is left whole.
proto::run_state shrunk(proto::run_state run);

}  // namespace kopiur::mover_orchestration
