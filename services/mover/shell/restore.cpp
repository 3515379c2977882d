#include <unistd.h>

#include <charconv>
#include <filesystem>

#include "services/mover/core/policy.hpp"
#include "services/mover/shell/looks.hpp"

namespace kopiur::mover {

namespace {

void require_right_snapshot(manifest const& snapshot, proto::restore_work const& task) {
  if (snapshot.row.source != task.source)
    throw failed_run(proto::kopia_failure::SnapshotMissing, "Snapshot " + task.snapshot_ID + " is of " + source_text(snapshot.row.source) +
                                                                ", not of " + source_text(task.source) + ".");
  if (!snapshot.complete() || snapshot.root.empty())
    throw failed_run(proto::kopia_failure::SnapshotMissing,
                     "Snapshot " + task.snapshot_ID + " is incomplete (" + snapshot.incomplete + ").");
  if (!snapshot.of_a_folder)
    throw failed_run(proto::kopia_failure::InvalidWork,
                     "Snapshot " + task.snapshot_ID + " is of a single file, and a volume is a folder: kopiur cat BACKUP / prints it.");
}

std::string variable(session const& run, std::string const& name) {
  auto found = run.from.variables.find(name);
  return found == run.from.variables.end() ? std::string() : found->second;
}

// In a pod the container confines kopia. Elsewhere a kopia that runs as root sees everything except the target and its own folders
// read-only.
bool must_confine(session const& run) {
  return ::geteuid() == 0 && variable(run, "KUBERNETES_SERVICE_HOST").empty() && variable(run, "KOPIUR_CONTAINED").empty();
}

std::vector<process::writable_folder> confinement(session const& run, proto::restore_work const& task) {
  std::vector<process::writable_folder> writable{{run.paths.private_folder}, {task.target, run.paths.target()}};
  if (!run.work.repository->cache_directory.empty()) writable.push_back({run.work.repository->cache_directory});
  return writable;
}

awaitable<ran> restore(session& run, proto::restore_work const& task) {
  run_options options{.progress = [&](proto::kopia_progress const& frame) { run.out.progress(frame); }};
  if (!must_confine(run)) {
    restore_target(task.target).require_writable_parent();
    co_return co_await run.program.run(restore_command(task, task.target), std::move(options));
  }
  std::filesystem::create_directory(run.paths.target());
  options.only_writable = confinement(run, task);
  co_return co_await run.program.run(restore_command(task, run.paths.target()), std::move(options));
}

// `Restored 2 files, 2 directories and 1 symbolic links (4 B).`
std::int64_t restored_files(std::string_view stderr_text) {
  auto begin = stderr_text.rfind("Restored ");
  std::int64_t files = 0;
  if (begin != std::string_view::npos) std::from_chars(stderr_text.data() + begin + 9, stderr_text.data() + stderr_text.size(), files);
  return files;
}

}  // namespace

namespace {

// A failed comparison does not fail the restore; the result then lacks the comparison.
awaitable<std::optional<aftermath>> compared(session& run, proto::restore_work const& task, manifest const& snapshot,
                                             restore_target const& target) {
  try {
    co_return co_await look_after(run, task, snapshot, target);
  } catch (failed_run const&) {
    if (task.options.require_ownership || run.program.cancelled()) throw;
  }
  co_return std::nullopt;
}

void judge(proto::restore_work const& task, aftermath const& found, proto::kopia_result& result) {
  result.restored_bytes = found.bytes;
  result.ownership = found.ownership;
  if (task.options.ignore_permission_errors) result.ignored_permission_errors = found.ownership.lost;
  if (found.missing > 0)
    throw failed_run(proto::kopia_failure::Unknown,
                     "kopia ended well, and " + std::to_string(found.missing) +
                         " of the snapshot's entries are not in the target, the first: " + found.first_missing + ".");
  if (task.options.require_ownership && found.ownership.lost > 0)
    throw failed_run(
        proto::kopia_failure::OwnershipNotKept,
        "The files were written, and not all have the owner, group and mode of the snapshot: " + sentence_of(found.ownership) + ".");
}

}  // namespace

/// Verifies the snapshot and checks that nothing in the target would misdirect kopia; only then writes, and compares the target afterwards.
awaitable<void> perform(session& run, proto::restore_work const& task) {
  co_await open_repository(run, {run.work.repository, true});
  auto snapshot = co_await find_snapshot(run, task.snapshot_ID);
  require_right_snapshot(snapshot, task);
  restore_target target(task.target);
  if (task.dry_run) {
    run.result.preview = co_await preview(run, task, snapshot, target);
    co_return;
  }
  target.require_folder();
  auto act = task;
  if (!co_await look_before(run, task, snapshot, target)) act.options.write_files_atomically = false;
  auto done = co_await restore(run, act);
  if (run.program.cancelled()) throw failed_run(proto::kopia_failure::Cancelled, "The target is half-written.");
  require_success(done, activity::Restoring);
  run.result.restored_files = restored_files(done.err);
  run.result.restored_bytes = snapshot.row.size_bytes;
  if (auto found = co_await compared(run, task, snapshot, target)) judge(task, *found, run.result);
}

}  // namespace kopiur::mover
