#include "services/mover/shell/session.hpp"

namespace kopiur::mover {

namespace {

awaitable<void> print_folder(session& run, arguments show) {
  auto shown = co_await run.program.run(std::move(show));
  require_success(shown, activity::Reading);
  auto entries = read_folder(shown.out);
  if (!entries) throw failed_run(proto::failure_class::InvalidWork, "Only a folder can be listed, and " + entries.error() + ".");
  for (auto& entry : *entries) run.out.line(std::move(entry));
  run.result.rows = static_cast<std::int64_t>(entries->size());
}

awaitable<void> print_file(session& run, arguments show) {
  auto shown = co_await run.program.run(std::move(show), {.out = [&](std::string_view bytes) { run.out.bytes(bytes); }});
  require_success(shown, activity::Reading);
}

}  // namespace

/// Find the snapshot's root, then show what lies at the path below it. Never writes.
awaitable<void> perform(session& run, proto::browse_work const& task) {
  if (task.content) run.out.print_content_only();
  co_await open_repository(run, {run.work.repository, true});
  auto snapshot = co_await find_snapshot(run, task.snapshot_ID);
  auto show = show_object_command(snapshot.root, task.path);
  if (task.content)
    co_await print_file(run, std::move(show));
  else
    co_await print_folder(run, std::move(show));
  run.out.flush();
  if (run.out.lost()) throw failed_run(proto::failure_class::Unknown, "The content could not be printed: nobody reads the output.");
}

}  // namespace kopiur::mover
