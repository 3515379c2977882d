#pragma once
#include <span>
#include <string>
#include <vector>

#include "proto/kopiur/repository.hpp"
#include "services/retention/core/rows.hpp"

/// Limits outside GFS: failed Backups of a schedule, held ones of a source, and discovered Backups of an identity. Pure.
namespace kopiur::retention {

/// A row to delete, and a sentence why.
struct trimmed {
  std::size_t row;  ///< index in the input
  std::string reason;
};

/// Failed Backups of one schedule beyond its newest `limit` slots with failures (`failedJobsHistoryLimit`); rows that did not fail are
/// ignored. Rows that are pinned, in use, deleting, or dated in the future stay, and use no place.
std::vector<trimmed> trim_failed(std::span<row const> of_one_schedule, int limit, instant now);

/// Scheduled Held Backups of one source beyond the newest three: a volume that stays empty would add one per slot.
std::vector<trimmed> trim_held(std::span<row const> of_one_source, instant now);

/// Discovered Backups of one identity beyond `catalog.retain`: older than `maxAgeDays`, or not among the newest `perIdentity`. Only objects
/// are deleted: deleting a discovered Backup never deletes a snapshot. An absent bound does not apply. Rows of other origins are ignored.
std::vector<trimmed> trim_discovered(std::span<row const> of_one_identity, proto::catalog_retain const&, instant now);

}  // namespace kopiur::retention
