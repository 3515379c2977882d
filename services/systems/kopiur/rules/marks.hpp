#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "services/controller/core/metadata.hpp"

/// Finalizer and labels of a Backup that starts a run. Each creator sets them immediately, which saves a write; mover-orchestration adds
/// what was not known then, and marks Backups that users create.
namespace kopiur::rules {

/// Created for a slot of a schedule (run_ids.hpp, scheduled_for).
bool is_scheduled(proto::backup const& object);
/// The group of the Backups of one slot, or of one manual Backup of several sources; empty: it is in none. A user may put his own Backup
/// into such a group of his namespace: he gains no additional rights by that.
std::string_view group_of(proto::backup const& object);
/// Origin of a Backup that starts a run: imported, scheduled, else manual.
proto::backup_origin origin_of(proto::backup const& object);
/// The labels that mirror its status (spec/kopiur.md, Backup). While the status has no resolved values, they are derived from the current
/// objects as far as possible.
std::map<std::string, std::string> labels_of(controller::objects const& all, proto::backup const& object);
/// Adds these labels, and the finalizer that is required before any action (decisions.md section 5).
void mark(controller::objects const& all, proto::backup& object);

}  // namespace kopiur::rules
