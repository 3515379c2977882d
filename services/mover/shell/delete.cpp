#include <map>
#include <set>

#include "services/mover/shell/session.hpp"

namespace kopiur::mover {

namespace {

/// The snapshots among `ids` that a fresh list contains.
awaitable<std::map<std::string, proto::snapshot_row>> present(session& run, std::set<std::string> ids) {
  std::map<std::string, proto::snapshot_row> found;
  co_await each_snapshot(run, list_command(), [&](manifest each) {
    if (ids.contains(each.row.id)) found.insert_or_assign(each.row.id, std::move(each.row));
  });
  co_return found;
}

/// The ids that a deletion did not remove, and kopia's stderr.
struct left_behind {
  std::vector<std::string> ids;
  std::string said;
};

// Two rounds: one id that another client deletes meanwhile aborts the whole batch. An id that a later list lacks counts as deleted, by any
// client.
awaitable<left_behind> delete_all(session& run, std::vector<std::string> ids) {
  left_behind left{std::move(ids), {}};
  for (int round = 0; round < 2 && !left.ids.empty(); ++round) {
    run.out.progress({.phase = "deleting"});
    left.said = (co_await run.program.run(delete_command(left.ids))).err;
    auto still = co_await present(run, {left.ids.begin(), left.ids.end()});
    std::erase_if(left.ids, [&](auto const& id) { return !still.contains(id); });
  }
  co_return left;
}

void report(session& run, std::size_t asked, std::vector<std::string> remaining) {
  run.result.remaining_count = static_cast<std::int64_t>(remaining.size());
  run.result.deleted_count = static_cast<std::int64_t>(asked - remaining.size());
  run.result.remaining = std::move(remaining);
}

void require_nothing(left_behind const& left) {
  if (!left.ids.empty())
    throw failed_run(failure(classify(left.said, activity::Deleting), std::to_string(left.ids.size()) + " snapshots still exist.",
                             last_line(left.said)));
}

}  // namespace

/// Lists, deletes the listed snapshots that match the request, and lists again.
awaitable<void> perform(session& run, proto::delete_work const& task) {
  co_await open_repository(run, {run.work.repository});
  std::set<std::string> asked;
  for (auto const& each : task.snapshots) asked.insert(each.id);
  auto found = judge(task.snapshots, co_await present(run, asked));
  auto left = co_await delete_all(run, found.ids);
  auto remaining = left.ids;
  remaining.insert(remaining.end(), found.others.begin(), found.others.end());
  report(run, asked.size(), std::move(remaining));
  require_nothing(left);
  if (!found.others.empty()) throw failed_run(proto::kopia_failure::SnapshotMissing, found.why);
}

/// Deletes the complete snapshots of a cancelled run. Its incomplete ones stay: they are in no catalog, and the next run of the source
/// reuses them.
awaitable<void> perform(session& run, proto::sweep_work const& task) {
  co_await open_repository(run, {run.work.repository});
  auto ids = left_over(co_await snapshots_of_run(run, task.run), task.keep);
  auto left = co_await delete_all(run, ids);
  report(run, ids.size(), left.ids);
  require_nothing(left);
}

}  // namespace kopiur::mover
