#pragma once
#include "services/mover/core/names.hpp"
#include "services/mover/shell/session.hpp"

namespace kopiur::mover {

/// Finds the paths below the folder that a snapshot into the run's repository must exclude under any policy (walk.hpp). Reports progress.
/// Throws Cancelled when the run is cancelled meanwhile.
awaitable<odd_names> find_odd_names(session&, std::string folder);

/// Removes from `odd_names` those that the recipe excludes anyway: they are not reported. kopia itself evaluates the rules, on a model of
/// the folders that lead to these names, with the recipe's patterns and the `.kopiaignore` files on the way.
awaitable<void> forget_ignored(session&, proto::snapshot_work const&, odd_names&);

}  // namespace kopiur::mover
