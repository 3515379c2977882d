#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "services/mover/core/policy.hpp"
#include "services/mover/core/shrink.hpp"
#include "services/mover/shell/left_out.hpp"
#include "services/mover/shell/session.hpp"

namespace kopiur::mover {

namespace {

void require_source(std::string const& path) {
  struct stat facts{};
  if (::stat(path.c_str(), &facts) == 0) return;
  throw failed_run(proto::kopia_failure::SourceMissing, path + " cannot be entered: " + std::strerror(errno) + ".");
}

// Writes the policy only when it differs. If the effective retention was not ours, reads it again: if the policy was not saved, kopia would
// delete old snapshots right after the new one.
awaitable<void> settle_policy(session& run, proto::snapshot_work const& task) {
  auto source = source_text(task.source);
  auto effective = co_await show_policy(run, source);
  if (follows(effective, task.policy)) co_return;
  write_private_file(run.paths.policy_file(), policy_document(task.source, task.policy));
  require_success(co_await run.program.run(import_policy_command(run.paths)), activity::Creating);
  if (keeps_everything(effective)) co_return;
  if (!keeps_everything(co_await show_policy(run, source)))
    throw failed_run(proto::kopia_failure::Unknown, "kopia's own retention is in force for " + source +
                                                        ", so no snapshot is taken: it would "
                                                        "delete older ones.");
}

awaitable<creation> create(session& run, proto::snapshot_work const& task, std::optional<proto::baseline> const& baseline,
                           proto::kopia_progress& last) {
  auto follow = [&](proto::kopia_progress const& frame) {
    last = frame;
    run.out.progress(frame);
  };
  auto made = co_await run.program.run(snapshot_command(task, run.work.run, baseline), {.progress = follow});
  creation created{.exited_well = made.ending.success(),
                   .stderr_text = made.err,
                   .told_to_stop = run.program.cancelled(),
                   .may_be_identical = task.policy.ignore_identical_snapshots};
  element_splitter elements([&](std::string_view text) {
    if (auto read = parse_manifest(text)) created.printed = std::move(*read);
  });
  elements.feed(made.out);
  if (made.ending.signal == 9) created.stderr_text += "killed by the kernel\n";
  co_return created;
}

void record(session& run, manifest const& what, std::int64_t bytes_new) {
  run.result.snapshot = what.row;
  run.result.stats = what.stats;
  run.result.stats->bytes_new = bytes_new;
}

/// The source's snapshots in the repository: those of this run, and the predecessor.
struct sight {
  explicit sight(proto::snapshot_work const& task) : before(task.watch) {}
  std::vector<manifest> own;
  predecessor before;
};

awaitable<sight> look(session& run, proto::snapshot_work const& task) {
  sight seen(task);
  co_await each_snapshot(run, list_source_command(task.source), [&](manifest each) {
    if (each.row.run == run.work.run)
      seen.own.push_back(std::move(each));
    else if (each.row.source == task.source)
      seen.before.meet(each);
  });
  co_return seen;
}

/// A file excluded because of its name counts as one that could not be read: the snapshot is kept, and the run fails unless the recipe
/// ignores such errors.
void tell_left_out(session& run, proto::snapshot_work const& task, odd_names const& odd) {
  if (odd.empty()) return;
  run.result.left_out = report_of(odd);
  auto lost = odd.lost();
  if (run.result.stats) run.result.stats->error_count += std::ssize(lost);
  if (!lost.empty() && !task.policy.ignore_file_errors) throw failed_run(proto::kopia_failure::SourceUnreadable, lost_text(lost));
}

void conclude(session& run, verdict const& said, predecessor const& before, std::int64_t bytes_new) {
  if (auto* whole = std::get_if<saved>(&said)) {
    run.result.shrunk = before.compare(whole->what.row);
    return record(run, whole->what, bytes_new);
  }
  if (std::holds_alternative<unchanged>(said)) {
    run.result.outcome = proto::outcome::Unchanged;
    run.result.shrunk = before.unchanged();
    return;
  }
  if (auto* some = std::get_if<partial>(&said)) {
    record(run, some->what, bytes_new);
    throw failed_run(some->why);
  }
  throw failed_run(std::get<proto::run_failure>(said));
}

/// The work as passed to kopia: without the paths that kopia cannot store.
proto::snapshot_work prepared(proto::snapshot_work task, odd_names const& odd) {
  auto patterns = odd.patterns();
  task.policy.ignore_paths.insert(task.policy.ignore_paths.end(), patterns.begin(), patterns.end());
  if (odd.has_broken_rules()) task.policy.follow_ignore_files = false;
  // A cache tag at the root would exclude the whole source.
  if (::access((task.path + "/" + cache_tag).c_str(), F_OK) == 0) task.policy.ignore_cache_dirs = false;
  return task;
}

/// The baseline for a new snapshot, if the Kubernetes objects determine it.
std::optional<proto::baseline> known_baseline(proto::shrink_watch const& watch) {
  return watch.percent > 0 && watch.last_good ? std::optional(proto::baseline{*watch.last_good, watch.percent}) : std::nullopt;
}

/// Returns the snapshot of an earlier attempt if there is one; else applies the policy, creates, and trusts only the list.
awaitable<void> save(session& run, proto::snapshot_work const& task) {
  auto predecessor = known_baseline(task.watch);
  if (run.work.attempt > 1 || (task.watch.percent > 0 && !predecessor)) {
    auto seen = co_await look(run, task);
    if (!predecessor) predecessor = seen.before.baseline();
    if (auto before = done_before(seen.own)) co_return conclude(run, judge({.exited_well = true, .listed = {*before}}), seen.before, 0);
  }
  co_await settle_policy(run, task);
  proto::kopia_progress last;
  auto creation = co_await create(run, task, predecessor, last);
  sight seen(task);
  if (!creation.told_to_stop && !is_out_of_reach(creation)) seen = co_await look(run, task);
  creation.listed = std::move(seen.own);
  conclude(run, judge(creation), seen.before, last.bytes_hashed);
}

}  // namespace

/// First finds the paths that kopia cannot store; reports them at the end.
awaitable<void> perform(session& run, proto::snapshot_work const& task) {
  require_source(task.path);
  auto odd = co_await find_odd_names(run, task.path);
  if (odd.is_repository())
    throw failed_run(proto::kopia_failure::InvalidWork,
                     "The source is the folder of the repository itself: each snapshot would hold all that were taken before. Name another "
                     "source, or put the repository somewhere else.");
  auto ready = prepared(task, odd);
  co_await open_repository(run, {run.work.repository});
  co_await forget_ignored(run, task, odd);
  co_await save(run, ready);
  tell_left_out(run, task, odd);
}

}  // namespace kopiur::mover
