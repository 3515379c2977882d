#include "services/mover/shell/session.hpp"

namespace kopiur::mover {

namespace {

constexpr duration patience{120'000};  // for the backend to answer at connect

void announce(session& run, std::string phase) { run.out.progress({.phase = std::move(phase)}); }

// The format blob is in the run's own cache, just fetched from the storage, and is what kopia will use. Its id identifies the repository.
awaitable<void> prove_identity(session& run) {
  auto blob = read_file(run.paths.cache() + "/kopia.repository");
  auto id = blob ? repository_id(*blob) : std::nullopt;
  if (!id) {
    auto status = co_await run.program.run(status_command());
    require_success(status, activity::Connecting);
    id = status_id(status.out);
  }
  if (!id) throw failed_run(proto::kopia_failure::KopiaUnsupported, "kopia names no unique id of the repository.");
  run.result.unique_ID = *id;
  if (auto other = other_repository(run.work.repository->unique_ID, *id)) throw failed_run(*other);
}

awaitable<ran> try_connect(session& run, connect_options const& as) {
  announce(run, "connecting");
  co_return co_await run.program.run(connect_command(run.connection, as, run.paths), {.limit = patience});
}

}  // namespace

void require_success(ran const& command, activity doing) {
  if (command.ending.success()) return;
  auto what = command.ending.signal == 9 ? proto::kopia_failure::OutOfMemory : classify(command.err, doing);
  throw failed_run(failure(what, remedy(command.err), last_line(command.err)));
}

awaitable<void> open_repository(session& run, connect_options as) {
  require_success(co_await try_connect(run, as), activity::Connecting);
  co_await prove_identity(run);
}

awaitable<void> open_or_create_repository(session& run, connect_options as, proto::create_behavior const& make,
                                          std::function<void()> before_create) {
  auto first = co_await try_connect(run, as);
  auto what = first.ending.success() ? proto::kopia_failure::Unknown : classify(first.err, activity::Connecting);
  bool nothing_there = what == proto::kopia_failure::NotInitialized || first.err.find("cannot access storage path") != std::string::npos;
  // A repository that was recorded once is never created again: an empty location then means data loss or a wrong location.
  if (!first.ending.success() && nothing_there && !run.work.repository->unique_ID) {
    before_create();
    announce(run, "creating");
    auto created = co_await run.program.run(create_command(run.connection, as, run.paths, make), {.limit = patience});
    require_success(created, activity::Creating);
    run.result.created = true;
  } else {
    require_success(first, activity::Connecting);
  }
  co_await prove_identity(run);
}

awaitable<json::value> show_policy(session& run, std::string target) {
  auto shown = co_await run.program.run(show_policy_command(target));
  require_success(shown, activity::Reading);
  auto policy = json::parse(shown.out);
  if (!policy) throw failed_run(proto::kopia_failure::KopiaUnsupported, "kopia shows a policy that is not JSON.");
  co_return std::move(*policy);
}

awaitable<void> each_snapshot(session& run, arguments listing, std::function<void(manifest)> sink) {
  std::string problem;
  element_splitter elements([&](std::string_view text) {
    auto read = parse_manifest(text);
    if (read)
      sink(std::move(*read));
    else
      problem = read.error();
  });
  auto listed = co_await run.program.run(std::move(listing), {.out = [&](std::string_view bytes) { elements.feed(bytes); }});
  require_success(listed, activity::Reading);
  if (!elements.whole()) problem = "kopia's list of snapshots was cut off.";
  if (!problem.empty()) throw failed_run(proto::kopia_failure::Unknown, problem);
}

awaitable<std::vector<manifest>> snapshots_of_run(session& run, std::string run_id) {
  std::vector<manifest> found;
  co_await each_snapshot(run, list_command(run_id), [&](manifest each) { found.push_back(std::move(each)); });
  co_return found;
}

awaitable<manifest> find_snapshot(session& run, std::string id) {
  auto shown = co_await run.program.run(show_manifest_command(id));
  require_success(shown, activity::Reading);
  auto read = read_shown_manifest(shown.out, id);
  if (!read) throw failed_run(proto::kopia_failure::SnapshotMissing, "Manifest " + id + " is no snapshot.");
  co_return std::move(*read);
}

}  // namespace kopiur::mover
