#pragma once
#include "proto/validate.hpp"

namespace kopiur::proto {

/// The parsers that run schedules, as validate() takes them.
format_checks schedule_parsers();

/// Everything that can be said of a manifest without looking at other objects: what the local adapter, the webhook and the CLI ask before
/// they take it. Our kinds: validate() or, where there is a `current` object, validate_update(), with the schedule parsers, and jitter
/// below the shortest gap between slots. Kinds of Kubernetes' own that the local adapter reads: metadata, the fields that
/// it needs, and, where they are new, a volume's path and members that a Secret does not have. Any other kind is one finding.
std::vector<finding> examine(json::value const& manifest, json::value const* current = nullptr);

}  // namespace kopiur::proto
