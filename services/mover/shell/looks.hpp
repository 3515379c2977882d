#pragma once
#include "services/mover/shell/session.hpp"
#include "services/mover/shell/target.hpp"

/// Compares snapshot and target, entry by entry: before a restore writes, after it has written, and for a dry run.
namespace kopiur::mover {

/// Checks that nothing in the target would misdirect kopia and that the request is possible; creates the folders that lead to
/// `options.path`. With `enableFileDeletion`, the target may contain nothing that no snapshot can hold. Throws TargetConflict, InvalidWork
/// (no such path) and OwnershipNotKept (`requireOwnership`, and the mover may not change owners). Returns false when a file's name is so
/// long that the name of its temporary file would be too long.
awaitable<bool> look_before(session&, proto::restore_work const&, manifest const& snapshot, restore_target const&);

/// How much of the snapshot, or of `options.path` in it, is in the target.
struct aftermath {
  proto::ownership_report ownership;
  std::int64_t bytes = 0;    ///< of the snapshot's files
  std::int64_t missing = 0;  ///< entries that the target lacks
  std::string first_missing;
};
awaitable<aftermath> look_after(session&, proto::restore_work const&, manifest const& snapshot, restore_target const&);

/// What a restore would write, and what it would change in the target. An empty `task.target`: the target does not exist yet. Throws as
/// look_before does, except for ownership, which is reported.
awaitable<proto::restore_preview> preview(session&, proto::restore_work const&, manifest const& snapshot, restore_target const&);

}  // namespace kopiur::mover
