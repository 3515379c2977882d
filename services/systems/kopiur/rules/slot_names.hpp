#pragma once
#include <string>
#include <string_view>

#include "common/time/instant.hpp"

/// Deterministic names: one slot can never produce two Backups of one source (decisions.md section 3).
namespace kopiur::rules {

/// A Backup's name: `<schedule>-<slot, as 20261121-0600>-<6 hex digits of the source>`; the slot has seconds (`-060007`) unless they are 0
/// (runOnCreate). A name over 63 characters is cut to its first 54, plus 8 hex digits of the whole.
std::string backup_name(std::string_view schedule, instant slot, std::string_view source);

/// The prefix of the names of all Backups of a schedule.
std::string backup_name_beginning(std::string_view schedule);

/// The group of the Backups of one slot (label `group`): `<schedule>-<slot>`, shortened in the same way.
std::string group_name(std::string_view schedule, instant slot);

}  // namespace kopiur::rules
