#include "services/mover/core/tree.hpp"
#include "services/mover/shell/session.hpp"

namespace kopiur::mover {

namespace {

// Prints each entry as it arrives: a folder with a million files is never in memory at once.
awaitable<void> print_folder(session& run, arguments show) {
  folder_splitter entries([&](std::string_view text) {
    if (auto entry = read_listed_entry(text)) run.out.line(*std::move(entry)), ++run.result.rows;
  });
  auto shown = co_await run.program.run(std::move(show), {.out = [&](std::string_view bytes) { entries.feed(bytes); }});
  require_success(shown, activity::Reading);
  if (!entries.whole()) throw failed_run(proto::kopia_failure::InvalidWork, "Only a folder can be listed, and it is not a folder.");
}

awaitable<void> print_file(session& run, arguments show) {
  auto shown = co_await run.program.run(std::move(show), {.out = [&](std::string_view bytes) { run.out.bytes(bytes); }});
  require_success(shown, activity::Reading);
}

}  // namespace

/// Finds the snapshot's root, then shows what is at the path below it. Never writes.
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
  if (run.out.lost()) throw failed_run(proto::kopia_failure::Unknown, "The content could not be printed: the reader closed the output.");
}

}  // namespace kopiur::mover
