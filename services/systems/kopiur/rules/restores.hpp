#pragma once
#include "services/controller/core/objects.hpp"

namespace kopiur::rules {

/// Completed or Failed: it does nothing more.
bool is_over(std::optional<proto::restore_phase> phase);

/// The name of a Restore that reads this Backup's snapshot, or will: it has not ended, and has pinned the snapshot or names the Backup.
/// decisions.md section 6: a restore protects its snapshot until it has ended.
std::optional<std::string> restore_of(controller::objects const& all, proto::backup const& object);

}  // namespace kopiur::rules
