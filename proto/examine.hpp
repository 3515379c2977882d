#pragma once
#include "proto/validate.hpp"

namespace kopiur::proto {

/// The parsers that the scheduler uses, in the form that validate() expects.
format_checks schedule_parsers();

/// All checks of one manifest that need no other objects. The local adapter, the webhook and the CLI call it before they accept a manifest.
/// Kopiur kinds: validate() (or validate_update() if there is a `current` object) with the schedule parsers; jitter must be below the
/// shortest gap between slots. Kubernetes kinds that the local adapter reads: metadata and the fields that it needs; for new objects also a
/// volume's path and members that a Secret does not have. Any other kind is one finding.
std::vector<finding> examine(json::value const& manifest, json::value const* current = nullptr);

}  // namespace kopiur::proto
