#pragma once
#include "common/metrics/metrics.hpp"
#include "proto/events/run.hpp"
#include "services/controller/core/objects.hpp"

namespace kopiur::openbao {

void measure(controller::objects const& all, metrics::registry& into);
void count(proto::run_event const& event, proto::run_state const& run, metrics::registry& into);

}  // namespace kopiur::openbao
