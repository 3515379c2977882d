#pragma once
#include "common/metrics/metrics.hpp"
#include "proto/events/run.hpp"
#include "services/mirror/core/objects.hpp"

/// The metrics that mover-orchestration emits (spec/kopiur.md, Observability). A series of an object goes with the object.
namespace kopiur::orchestration {

/// What the objects say now, as gauges.
void measure(mirror::objects const& all, metrics::registry& into);
/// What a fact that this replica wrote adds to the counters.
void count(proto::run_fact const& fact, metrics::registry& into);
/// A snapshot that a Backup leaves behind on purpose, when its Event is asked for.
void count_orphan(std::string const& repository, metrics::registry& into);

}  // namespace kopiur::orchestration
