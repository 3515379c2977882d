#pragma once
#include "common/metrics/metrics.hpp"
#include "services/systems/kopiur/rules/repositories.hpp"

namespace kopiur::catalog_discovery {

/// The metrics that catalog-discovery emits (spec/kopiur.md, Observability): of each repository its size and its snapshots, as last seen.
void measure(controller::objects const& all, metrics::registry& into);

}  // namespace kopiur::catalog_discovery
