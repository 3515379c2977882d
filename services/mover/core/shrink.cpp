#include "services/mover/core/shrink.hpp"

#include <algorithm>

#include "proto/shrink.hpp"

namespace kopiur::mover {

void predecessor::meet(manifest const& older) {
  if (!older.complete() || older.failed > 0 || older.root.empty()) return;
  bool accepted = newest_held_ && older.row.baseline && older.row.baseline->snapshot == newest_held_->id;
  if (accepted) good_ = newest_held_;
  auto held = is_held(older.row);
  (held ? newest_held_ : good_) = older.row;
  if (!held) newest_held_.reset();
}

bool predecessor::is_held(proto::snapshot_row const& row) const {
  if (row.id == watch_->last_good) return false;
  if (std::ranges::find(watch_->held, row.id) != watch_->held.end()) return true;
  return row.run && compare(row);
}

std::optional<proto::shrinkage> predecessor::compare(proto::snapshot_row const& made) const {
  if (!good_ || watch_->percent == 0 || !proto::is_shrunk(made, *good_, watch_->percent)) return std::nullopt;
  return proto::shrinkage{.snapshot = made.id,
                          .predecessor = good_->id,
                          .files = made.files,
                          .size_bytes = made.size_bytes,
                          .files_before = good_->files,
                          .size_bytes_before = good_->size_bytes};
}

std::optional<proto::baseline> predecessor::baseline() const {
  return good_ && watch_->percent > 0 ? std::optional(proto::baseline{good_->id, watch_->percent}) : std::nullopt;
}

std::optional<proto::shrinkage> predecessor::unchanged() const { return newest_held_ ? compare(*newest_held_) : std::nullopt; }

}  // namespace kopiur::mover
