#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "services/controller/core/objects.hpp"

/// Deterministic ids of the runs of Backups: one slot can never produce two runs of one source (decisions.md section 3). Run ids are unique
/// per cluster, so the namespace is part of the hash.
namespace kopiur::rules {

/// For a slot: `backup-` and 16 hex digits of (namespace, uid of the schedule, slot, source).
std::string slot_run(std::string_view ns, std::string_view schedule_uid, instant slot, std::string_view source);
/// The earlier form, without the namespace: a run with this id is not repeated under the new id.
std::string former_slot_run(std::string_view schedule_uid, instant slot, std::string_view source);
/// For one source of a Backup of several sources.
std::string sibling_run(proto::backup const& parent, std::string_view path);
/// The name of the sibling Backup for that source. It depends on the parent's uid, so a Backup recreated under the same name does not adopt
/// earlier siblings.
std::string sibling_name(proto::backup const& parent, std::string_view path);
/// For a Backup that is not ordered by a schedule or a parent.
std::string own_run(proto::backup const& object);

/// The schedule and slot that a Backup was created for.
struct scheduled {
  std::string_view schedule_uid, slot;  ///< the slot as RFC 3339
};
/// Nothing if no schedule created it. The annotations are trusted only if the run in its label has the id of this slot, namespace and
/// source, and its name is that of the slot. A copy, or a Backup with annotations from another one, is not scheduled.
std::optional<scheduled> scheduled_for(proto::backup const& object);

/// The same for one schedule: the slot, or nothing. For Backups of other schedules only the uid is compared.
std::optional<std::string_view> slot_of(proto::backup const& object, std::string_view schedule_uid);

/// Whether the run in the Backup's label is its own, by evidence that no user of another namespace can write: its status names the run's
/// Job, or the id follows from its slot or from its parent. False without a label. Run facts are further evidence.
bool proves_its_run(controller::objects const& all, proto::backup const& object);

}  // namespace kopiur::rules
