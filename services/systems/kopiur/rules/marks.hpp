#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "services/controller/core/metadata.hpp"

/// What a Backup that runs something bears beside its spec. Whoever creates one sets it at once, which saves a write; what is not known
/// then, and what a user created, gets it from mover-orchestration.
namespace kopiur::rules {

/// Made for a slot of a schedule (run_ids.hpp, scheduled_for).
bool is_scheduled(proto::backup const& object);
/// The name that Backups have in common which one slot, or one manual Backup of several sources, made; empty: it stands alone. A user may
/// put a Backup of his own into such a group of his namespace: that gains him nothing that he may not do otherwise.
std::string_view group_of(proto::backup const& object);
/// Why a Backup that runs something is there: imported, scheduled, else manual.
proto::backup_origin origin_of(proto::backup const& object);
/// The labels that mirror its status (spec/kopiur.md, Backup); as long as nothing is resolved there, what it would come to now, as far as
/// that is known.
std::map<std::string, std::string> labels_of(controller::objects const& all, proto::backup const& object);
/// Gives it those, and the finalizer without which nothing is done for it (decisions.md section 5).
void mark(controller::objects const& all, proto::backup& object);

}  // namespace kopiur::rules
