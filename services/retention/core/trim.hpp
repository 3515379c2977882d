#pragma once
#include <span>
#include <string>
#include <vector>

#include "proto/kopiur/repository.hpp"
#include "services/retention/core/rows.hpp"

/// The bounds beside GFS: failed Backups of a schedule, held ones of a source, and discovered Backups of an identity. Pure.
namespace kopiur::retention {

/// A row that goes, and a sentence why.
struct trimmed {
  std::size_t row;  ///< index in the input
  std::string reason;
};

/// Failed Backups of one schedule beyond its newest `limit` slots that had any (`failedJobsHistoryLimit`); rows that did not fail are
/// passed over. Pinned, in use, deleting, or dated in the future: left alone, and take nobody's place.
std::vector<trimmed> trim_failed(std::span<row const> of_one_schedule, int limit, instant now);

/// Scheduled Backups of one source that are held, beyond the newest three: a volume that stays empty would have one a slot.
std::vector<trimmed> trim_held(std::span<row const> of_one_source, instant now);

/// Discovered Backups (the objects; a discovered Backup's deletion never reaches a snapshot) of one identity beyond `catalog.retain`: older
/// than `maxAgeDays`, or not among the newest `perIdentity`. An absent bound does not bound. Rows of other origins are passed over.
std::vector<trimmed> trim_discovered(std::span<row const> of_one_identity, proto::catalog_retain const&, instant now);

}  // namespace kopiur::retention
