#pragma once
#include <optional>

#include "common/json/value.hpp"
#include "common/time/instant.hpp"
#include "proto/core/object_ref.hpp"
#include "proto/kopiur/kopia_task.hpp"

namespace kopiur::plans {

/// The status fragment that shows a mover's progress on the object: `status.progress` of a Backup or a Restore. Nothing for other kinds,
/// and while the mover reads or writes no files.
std::optional<json::value> progress_of(proto::object_ref const& object, json::value const& said, instant now);

}  // namespace kopiur::plans
