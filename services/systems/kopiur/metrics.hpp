#pragma once
#include "common/metrics/metrics.hpp"
#include "proto/events/run.hpp"
#include "services/controller/core/objects.hpp"

/// The metrics that mover-orchestration emits (spec/kopiur.md, Observability). A series of an object goes with the object.
namespace kopiur::plans {

/// What the objects say now, as gauges.
void measure(controller::objects const& all, metrics::registry& into);
/// What a fact that this replica wrote adds to the counters.
void count(proto::run_event const& event, proto::run_state const& run, metrics::registry& into);
/// What a command that this replica sent adds to them: the Event of a snapshot that a Backup leaves behind.
void count(proto::gateway_command const& command, controller::objects const& all, metrics::registry& into);

}  // namespace kopiur::plans
