#pragma once
#include "common/metrics/metrics.hpp"
#include "services/systems/kopiur/rules/repositories.hpp"

namespace kopiur::catalog_discovery {

/// The metrics of catalog-discovery (spec/kopiur.md, Observability): size and snapshots of each repository, as last listed.
void measure(controller::objects const& all, metrics::registry& into);

}  // namespace kopiur::catalog_discovery
