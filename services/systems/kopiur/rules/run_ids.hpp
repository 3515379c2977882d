#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "services/controller/core/objects.hpp"

/// The ids of the runs that Backups stand for, which follow from what they are for: the same slot can never make two of one source
/// (decisions.md section 3). Run ids are one space for a cluster, so a namespace is part of what they are made of.
namespace kopiur::rules {

/// Of a slot: `backup-` and 16 hex digits of (namespace, uid of the schedule, slot, source).
std::string slot_run(std::string_view ns, std::string_view schedule_uid, instant slot, std::string_view source);
/// The same as it was made before the namespace was part of it: what has run under it is not run again.
std::string former_slot_run(std::string_view schedule_uid, instant slot, std::string_view source);
/// Of one source of a Backup that stands for several.
std::string sibling_run(proto::backup const& parent, std::string_view path);
/// The name of the Backup that it becomes. Of the parent's uid too: a Backup made again under a former one's name does not take that one's
/// siblings for its own.
std::string sibling_name(proto::backup const& parent, std::string_view path);
/// Of a Backup that nobody else has ordered.
std::string own_run(proto::backup const& object);

/// What a schedule made a Backup for.
struct scheduled {
  std::string_view schedule_uid, slot;  ///< the slot as RFC 3339
};
/// Nothing where no schedule made it. Its annotations are believed only where the run that its label names is that of just this slot, for
/// just its namespace and source, and its name is that of the slot: a copy, or a Backup that bears them from elsewhere, is none of it.
std::optional<scheduled> scheduled_for(proto::backup const& object);

/// The same for one schedule: its slot, or nothing. Of all others' Backups no more than the uid is compared.
std::optional<std::string_view> slot_of(proto::backup const& object, std::string_view schedule_uid);

/// Is the run that the Backup's label names its own, by what nobody of another namespace can have written: by its status, or because the id
/// follows from its slot, or from the Backup that it is a sibling of? Without a label: no. Run facts may prove it as well.
bool proves_its_run(controller::objects const& all, proto::backup const& object);

}  // namespace kopiur::rules
