#pragma once
#include <string>

#include "common/json/describe.hpp"
#include "common/time/instant.hpp"

/// delete: deletes snapshots from a repository because their Backups were deleted with policy Delete. decisions.md section 5.
namespace kopiur::plans {

/// One Backup of a deletion run, as frozen in the order.
struct doomed {
  std::string uid, namespace_, name, snapshot;
  instant asked_at{};
  std::string pruned_by;
};
KOPIUR_DESCRIBE(doomed, (), (uid, namespace_, name, snapshot, asked_at, pruned_by))

}  // namespace kopiur::plans
