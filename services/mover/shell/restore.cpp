#include <unistd.h>

#include <charconv>
#include <filesystem>

#include "common/process/lines.hpp"
#include "services/mover/core/policy.hpp"
#include "services/mover/shell/session.hpp"
#include "services/mover/shell/target.hpp"

namespace kopiur::mover {

namespace {

void require_right_snapshot(manifest const& snapshot, proto::restore_work const& task) {
  if (snapshot.row.source != task.source)
    throw failed_run(proto::failure_class::SnapshotMissing, "Snapshot " + task.snapshot_ID + " is of " + source_text(snapshot.row.source) +
                                                                ", not of " + source_text(task.source) + ".");
  if (!snapshot.complete() || snapshot.root.empty())
    throw failed_run(proto::failure_class::SnapshotMissing,
                     "Snapshot " + task.snapshot_ID + " is incomplete (" + snapshot.incomplete + ").");
}

// Compares every entry of the snapshot with what stands in its place. A line that cannot be read belongs to a name with a line break: links
// with such names were refused already, and a parent that is a link is met at its own, whole line.
awaitable<void> compare_target(session& run, proto::restore_work const& task, restore_target const& target) {
  process::line_splitter lines([&](std::string_view line) {
    if (auto entry = read_listing(line)) target.require_room_for(*entry);
  });
  auto listed = co_await run.program.run(list_tree_command(task.snapshot_ID), {.out = [&](std::string_view bytes) { lines.feed(bytes); }});
  lines.finish();
  require_success(listed, activity::Reading);
}

std::string variable(session const& run, std::string const& name) {
  auto found = run.from.variables.find(name);
  return found == run.from.variables.end() ? std::string() : found->second;
}

// In a pod the container is the wall. Elsewhere root's kopia sees all but the target and its own folders read-only.
bool must_confine(session const& run) {
  return ::geteuid() == 0 && variable(run, "KUBERNETES_SERVICE_HOST").empty() && variable(run, "KOPIUR_CONTAINED").empty();
}

std::vector<process::writable_folder> confinement(session const& run, proto::restore_work const& task) {
  std::vector<process::writable_folder> writable{{run.paths.private_folder}, {task.target, run.paths.target()}};
  if (!run.work.repository.cache_directory.empty()) writable.push_back({run.work.repository.cache_directory});
  return writable;
}

awaitable<ran> restore(session& run, proto::restore_work const& task) {
  run_options how{.progress = [&](proto::work_progress const& frame) { run.out.progress(frame); }};
  if (!must_confine(run)) {
    restore_target(task.target).require_writable_parent();
    co_return co_await run.program.run(restore_command(task, task.target), std::move(how));
  }
  std::filesystem::create_directory(run.paths.target());
  how.only_writable = confinement(run, task);
  co_return co_await run.program.run(restore_command(task, run.paths.target()), std::move(how));
}

// `Restored 2 files, 2 directories and 1 symbolic links (4 B).`
std::int64_t restored_files(std::string_view stderr_text) {
  auto begin = stderr_text.rfind("Restored ");
  std::int64_t files = 0;
  if (begin != std::string_view::npos) std::from_chars(stderr_text.data() + begin + 9, stderr_text.data() + stderr_text.size(), files);
  return files;
}

}  // namespace

/// Prove that it is the right snapshot, that nothing in the target would lead kopia astray, and only then write.
awaitable<void> perform(session& run, proto::restore_work const& task) {
  co_await open_repository(run, {run.work.repository, true});
  auto snapshot = co_await find_snapshot(run, task.snapshot_ID);
  require_right_snapshot(snapshot, task);
  restore_target target(task.target);
  if (target.holds_something()) co_await compare_target(run, task, target);
  auto done = co_await restore(run, task);
  if (run.program.cancelled()) throw failed_run(proto::failure_class::Cancelled, "The target is half-written.");
  require_success(done, activity::Restoring);
  run.result.restored_files = restored_files(done.err);
  run.result.restored_bytes = snapshot.row.size_bytes;
  // kopia does not count what it forgave. Another owner than ourselves could not be given back, to no file.
  if (::geteuid() != 0 && static_cast<std::int64_t>(::geteuid()) != snapshot.uid)
    run.result.ignored_permission_errors = run.result.restored_files;
}

}  // namespace kopiur::mover
