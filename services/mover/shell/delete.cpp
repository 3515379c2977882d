#include <set>

#include "services/mover/shell/session.hpp"

namespace kopiur::mover {

namespace {

awaitable<std::set<std::string>> present_ids(session& run) {
  std::set<std::string> ids;
  co_await each_snapshot(run, {}, [&](manifest each) { ids.insert(std::move(each.row.id)); });
  co_return ids;
}

// Two rounds: one id that somebody else deletes in between undoes a whole batch. What a list afterwards lacks is deleted, whoever did it.
awaitable<void> delete_all(session& run, std::vector<std::string> there, std::size_t asked) {
  std::string last_words;
  for (int round = 0; round < 2 && !there.empty(); ++round) {
    run.out.progress({.phase = "deleting"});
    auto command = co_await run.program.run(delete_command(there));
    last_words = command.err;
    there = deletable(there, co_await present_ids(run));
  }
  run.result.remaining = there;
  run.result.remaining_count = static_cast<std::int64_t>(there.size());
  run.result.deleted_count = static_cast<std::int64_t>(asked - there.size());
  if (!there.empty())
    throw failed_run(failure(classify(last_words, activity::Deleting), std::to_string(there.size()) + " snapshots are still there.",
                             last_line(last_words)));
}

}  // namespace

/// List, delete what is there, list again.
awaitable<void> perform(session& run, proto::delete_work const& task) {
  co_await open_repository(run, {run.work.repository});
  std::set<std::string> asked(task.snapshot_IDs.begin(), task.snapshot_IDs.end());
  auto there = deletable(task.snapshot_IDs, co_await present_ids(run));
  co_await delete_all(run, there, asked.size());
}

/// Delete what a cancelled run left; its incomplete snapshots stay: they are in no catalog, and the next run of the source reuses them.
awaitable<void> perform(session& run, proto::sweep_work const& task) {
  co_await open_repository(run, {run.work.repository});
  auto left = left_over(co_await snapshots_of_run(run, task.run), task.keep);
  co_await delete_all(run, left, left.size());
}

}  // namespace kopiur::mover
