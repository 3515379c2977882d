#pragma once
#include "common/metrics/metrics.hpp"
#include "proto/events/run.hpp"
#include "services/controller/core/objects.hpp"

/// The metrics that mover-orchestration exports (spec/kopiur.md, Observability). The series of an object are removed with the object.
namespace kopiur::plans {

/// Gauges of the objects' current state.
void measure(controller::objects const& all, metrics::registry& into);
/// Adds a fact that this replica wrote to the counters.
void count(proto::run_event const& event, proto::run_state const& run, metrics::registry& into);
/// Adds a command that this replica sent to the counters: the Event about a snapshot that a Backup leaves behind.
void count(proto::gateway_command const& command, controller::objects const& all, metrics::registry& into);

}  // namespace kopiur::plans
