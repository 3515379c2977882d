#pragma once
#include <optional>

#include "services/mover/core/manifest.hpp"

/// Whether a snapshot holds much less than the one before it (decisions.md section 13): an empty mount point must not pass for a success.
namespace kopiur::mover {

/// Finds the predecessor of a new snapshot among the older ones of its source: the newest that is good. Good is what a Backup that
/// Succeeded stands for, and what others have saved; one of ours that shrank, and of which no Backup is left, is taken for held until a
/// later one was compared with it.
class predecessor {
 public:
  /// `watch` outlives it.
  explicit predecessor(proto::shrink_watch const& watch) : watch_(&watch) {}

  /// The older snapshots of the source, oldest first; incomplete and partial ones are passed over.
  void meet(manifest const&);
  /// Nothing: it did not shrink, or there is nothing to compare it with.
  std::optional<proto::shrinkage> compare(proto::snapshot_row const& made) const;
  /// What a new one is compared with.
  std::optional<proto::baseline> baseline() const;
  /// The newest one, where it is held: a source that has not changed since is still as it was then.
  std::optional<proto::shrinkage> unchanged() const;

 private:
  bool is_held(proto::snapshot_row const&) const;

  proto::shrink_watch const* watch_;
  std::optional<proto::snapshot_row> good_, newest_held_;
};

}  // namespace kopiur::mover
