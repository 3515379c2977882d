#pragma once
#include <optional>

#include "services/mover/core/manifest.hpp"

/// Detects a snapshot that is much smaller than its predecessor (decisions.md section 13): an empty mount point must not count as a
/// success.
namespace kopiur::mover {

/// Finds the predecessor of a new snapshot: the newest good one among the older snapshots of its source. A snapshot is good if a Backup
/// that Succeeded refers to it, or if another client saved it. One of ours that shrank, and that no Backup refers to any more, counts as
/// held until a later snapshot was compared with it.
class predecessor {
 public:
  /// `watch` must outlive this object.
  explicit predecessor(proto::shrink_watch const& watch) : watch_(&watch) {}

  /// Adds an older snapshot of the source; call it oldest first. Incomplete and partial ones are skipped.
  void meet(manifest const&);
  /// Nothing: the snapshot did not shrink, or there is no predecessor.
  std::optional<proto::shrinkage> compare(proto::snapshot_row const& made) const;
  /// The baseline for a new snapshot.
  std::optional<proto::baseline> baseline() const;
  /// The shrinkage of the newest snapshot, if it is held: a source that has not changed since is still as small.
  std::optional<proto::shrinkage> unchanged() const;

 private:
  bool is_held(proto::snapshot_row const&) const;

  proto::shrink_watch const* watch_;
  std::optional<proto::snapshot_row> good_, newest_held_;
};

}  // namespace kopiur::mover
