#pragma once
#include "common/metrics/metrics.hpp"
#include "proto/events/run.hpp"
#include "services/controller/core/objects.hpp"

namespace kopiur::hypershift {

/// When the etcd of each control plane was last saved, by its namespace.
void measure(controller::objects const& all, metrics::registry& into);
/// How long backups take, and why they fail.
void count(proto::run_event const& event, proto::run_state const& run, metrics::registry& into);

}  // namespace kopiur::hypershift
