#pragma once
#include <string>
#include <string_view>

#include "common/time/instant.hpp"

/// Names that follow from what they are for: the same slot can never make two of one source (decisions.md section 3).
namespace kopiur::rules {

/// A Backup's name: `<schedule>-<slot, as 20261121-0600>-<6 hex digits of the source>`; the slot has seconds (`-060007`) where it has any
/// (runOnCreate). A name over 63 characters becomes its first 54 and 8 hex digits of the whole.
std::string backup_name(std::string_view schedule, instant slot, std::string_view source);

/// What the names of all Backups of a schedule begin with.
std::string backup_name_beginning(std::string_view schedule);

/// Joins the Backups of one slot (label `group`): `<schedule>-<slot>`, shortened the same way.
std::string group_name(std::string_view schedule, instant slot);

}  // namespace kopiur::rules
