#include <map>

#include "services/mover/shell/session.hpp"

namespace kopiur::mover {

namespace {

// Adds up the repository's logical size: the newest snapshot of each source.
class newest_sizes {
 public:
  void see(proto::snapshot_row const& row) {
    auto& newest = all_[row.source];
    if (row.end_time >= newest.time) newest = {row.end_time, row.size_bytes};
  }
  std::int64_t sum() const {
    std::int64_t bytes = 0;
    for (auto const& [source, newest] : all_) bytes += newest.bytes;
    return bytes;
  }

 private:
  struct entry {
    instant time{};
    std::int64_t bytes = 0;
  };
  std::map<proto::identity, entry> all_;
};

}  // namespace

/// Prints each complete snapshot as a row on stdout as it arrives: the list is never in memory.
awaitable<void> perform(session& run, proto::list_work const&) {
  co_await open_repository(run, {run.work.repository, true});
  newest_sizes sizes;
  co_await each_snapshot(run, list_command(), [&](manifest each) {
    if (!each.complete() || each.root.empty()) return;
    sizes.see(each.row);
    run.out.line(std::move(each.row));
    ++run.result.rows;
  });
  run.out.flush();
  if (run.out.lost()) throw failed_run(proto::kopia_failure::Unknown, "The rows could not be printed: the reader closed the output.");
  run.result.total_bytes = sizes.sum();
}

}  // namespace kopiur::mover
