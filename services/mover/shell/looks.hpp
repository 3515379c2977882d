#pragma once
#include "services/mover/shell/session.hpp"
#include "services/mover/shell/target.hpp"

/// A restore compares snapshot and target, entry by entry: before it writes, after it has written, and where it shall write nothing.
namespace kopiur::mover {

/// Nothing in the target would lead kopia astray, and nothing of what is asked for is impossible; folders that lead to `options.path` are
/// made. With `enableFileDeletion` nothing may lie there that no snapshot can hold. Throws TargetConflict, InvalidWork (no such path) and
/// OwnershipNotKept (`requireOwnership`, and the mover may not give away files). False where a file's name is so long that a temporary one
/// beside it is too long.
awaitable<bool> look_before(session&, proto::restore_work const&, manifest const& snapshot, restore_target const&);

/// What of the snapshot, or of `options.path` in it, is in the target.
struct aftermath {
  proto::ownership_report ownership;
  std::int64_t bytes = 0;    ///< of its files, as the snapshot has them
  std::int64_t missing = 0;  ///< entries that are not there
  std::string first_missing;
};
awaitable<aftermath> look_after(session&, proto::restore_work const&, manifest const& snapshot, restore_target const&);

/// What would be written, and what of the target would change. An empty `task.target`: there is nothing yet. Throws as look_before does,
/// but for ownership, which is told.
awaitable<proto::restore_preview> preview(session&, proto::restore_work const&, manifest const& snapshot, restore_target const&);

}  // namespace kopiur::mover
