#include <sys/stat.h>

#include <cerrno>
#include <cstring>

#include "services/mover/core/policy.hpp"
#include "services/mover/shell/session.hpp"

namespace kopiur::mover {

namespace {

void require_source(std::string const& path) {
  struct stat facts{};
  if (::stat(path.c_str(), &facts) == 0) return;
  throw failed_run(proto::failure_class::SourceMissing, path + " cannot be entered: " + std::strerror(errno) + ".");
}

// The policy is written only when it differs. Retention is looked at again when it was not yet ours: a policy that was not saved would
// let kopia delete old snapshots right after the new one.
awaitable<void> settle_policy(session& run, proto::snapshot_work const& task) {
  auto source = source_text(task.source);
  auto effective = co_await show_policy(run, source);
  if (follows(effective, task.policy)) co_return;
  write_private_file(run.paths.policy_file(), policy_document(task.source, task.policy));
  require_success(co_await run.program.run(import_policy_command(run.paths)), activity::Creating);
  if (keeps_everything(effective)) co_return;
  if (!keeps_everything(co_await show_policy(run, source)))
    throw failed_run(proto::failure_class::Unknown, "kopia's own retention is in force for " + source +
                                                        ", so no snapshot is taken: it would "
                                                        "delete older ones.");
}

awaitable<creation> create(session& run, proto::snapshot_work const& task, proto::work_progress& last) {
  auto follow = [&](proto::work_progress const& frame) {
    last = frame;
    run.out.progress(frame);
  };
  auto made = co_await run.program.run(snapshot_command(task, run.work.run), {.progress = follow});
  creation how{.exited_well = made.how.success(),
               .stderr_text = made.err,
               .told_to_stop = run.program.cancelled(),
               .may_be_identical = task.policy.ignore_identical_snapshots};
  element_splitter elements([&](std::string_view text) {
    if (auto read = parse_manifest(text)) how.printed = std::move(*read);
  });
  elements.feed(made.out);
  if (made.how.signal == 9) how.stderr_text += "killed by the kernel\n";
  co_return how;
}

void record(session& run, manifest const& what, std::int64_t bytes_new) {
  run.result.snapshot = what.row;
  run.result.stats = what.stats;
  run.result.stats->bytes_new = bytes_new;
}

void conclude(session& run, verdict const& said, std::int64_t bytes_new) {
  if (auto* whole = std::get_if<saved>(&said)) return record(run, whole->what, bytes_new);
  if (std::holds_alternative<unchanged>(said)) {
    run.result.outcome = proto::outcome::Unchanged;
    return;
  }
  if (auto* some = std::get_if<partial>(&said)) {
    record(run, some->what, bytes_new);
    throw failed_run(some->why);
  }
  throw failed_run(std::get<proto::run_failure>(said));
}

}  // namespace

/// Look whether an earlier attempt did it; else settle the policy, create, and believe only the list.
awaitable<void> perform(session& run, proto::snapshot_work const& task) {
  require_source(task.path);
  co_await open_repository(run, {run.work.repository});
  if (run.work.attempt > 1)
    if (auto before = done_before(co_await snapshots_of_run(run, run.work.run)))
      co_return conclude(run, judge({.exited_well = true, .listed = {*before}}), 0);
  co_await settle_policy(run, task);
  proto::work_progress last;
  auto how = co_await create(run, task, last);
  if (!how.told_to_stop) how.listed = co_await snapshots_of_run(run, run.work.run);
  conclude(run, judge(how), last.bytes_hashed);
}

}  // namespace kopiur::mover
