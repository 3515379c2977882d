#include "services/mover/core/shrink.hpp"

#include <algorithm>

namespace kopiur::mover {

namespace {

// Below this, halves mean nothing.
constexpr std::int64_t enough_files = 20, enough_bytes = 10 << 20;

bool is_less(std::int64_t now, std::int64_t before, int percent) {
  return static_cast<double>(now) * 100 < static_cast<double>(before) * percent;
}

}  // namespace

void predecessor::meet(manifest const& older) {
  if (!older.complete() || older.failed > 0 || older.root.empty()) return;
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
  if (!good_ || watch_->percent == 0) return std::nullopt;
  bool large = good_->files >= enough_files || good_->size_bytes >= enough_bytes;
  bool less = is_less(made.files, good_->files, watch_->percent) || is_less(made.size_bytes, good_->size_bytes, watch_->percent);
  if (!large || !less) return std::nullopt;
  return proto::shrinkage{.snapshot = made.id,
                          .predecessor = good_->id,
                          .files = made.files,
                          .size_bytes = made.size_bytes,
                          .files_before = good_->files,
                          .size_bytes_before = good_->size_bytes};
}

std::optional<proto::shrinkage> predecessor::unchanged() const { return newest_held_ ? compare(*newest_held_) : std::nullopt; }

}  // namespace kopiur::mover
