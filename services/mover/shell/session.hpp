#pragma once
#include <functional>
#include <string>
#include <vector>

#include "services/mover/core/judge.hpp"
#include "services/mover/shell/failed.hpp"
#include "services/mover/shell/kopia.hpp"
#include "services/mover/shell/private_folder.hpp"
#include "services/mover/shell/reporter.hpp"

namespace kopiur::mover {

/// The state of one run: its work, its resources, and the result that it fills.
struct session {
  proto::kopia_task const& work;
  given from;
  run_paths paths;
  mover::connection connection;
  kopia& program;
  reporter& out;
  proto::kopia_result& result;
};

/// Throws the failure that the command's text indicates, unless the command succeeded.
void require_success(ran const&, activity);

/// Connects as `as` and verifies that the repository is the pinned one. Every verb starts with it.
awaitable<void> open_repository(session&, connect_options as);
/// The same, but creates a repository where none exists; `before_create` throws where none may be created.
awaitable<void> open_or_create_repository(session&, connect_options as, proto::create_behavior const&, std::function<void()> before_create);

/// The effective policy of a source, or the global one (empty).
awaitable<json::value> show_policy(session&, std::string target);

/// Passes on the listed snapshots, including incomplete ones, as they arrive: the oldest of each source first.
awaitable<void> each_snapshot(session&, arguments listing, std::function<void(manifest)> sink);
awaitable<std::vector<manifest>> snapshots_of_run(session&, std::string run);
/// One snapshot by its id; SnapshotMissing when there is none.
awaitable<manifest> find_snapshot(session&, std::string id);

// The verbs: each is implemented in its own file.
awaitable<void> perform(session&, proto::connect_work const&);
awaitable<void> perform(session&, proto::snapshot_work const&);
awaitable<void> perform(session&, proto::restore_work const&);
awaitable<void> perform(session&, proto::delete_work const&);
awaitable<void> perform(session&, proto::sweep_work const&);
awaitable<void> perform(session&, proto::maintain_work const&);
awaitable<void> perform(session&, proto::list_work const&);
awaitable<void> perform(session&, proto::browse_work const&);

}  // namespace kopiur::mover
