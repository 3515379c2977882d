#pragma once
#include "common/metrics/metrics.hpp"
#include "services/mirror/core/objects.hpp"

namespace kopiur::discovery {

/// The metrics that catalog-discovery emits (spec/kopiur.md, Observability): of each repository its size and its snapshots, as last seen.
void measure(mirror::objects const& all, metrics::registry& into);

}  // namespace kopiur::discovery
