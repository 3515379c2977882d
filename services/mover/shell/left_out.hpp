#pragma once
#include "services/mover/core/names.hpp"
#include "services/mover/shell/session.hpp"

namespace kopiur::mover {

/// What of the folder a snapshot into the run's repository does not hold, whatever the policy says (walk.hpp). Tells how far it is, and
/// throws Cancelled where the run is told to stop meanwhile.
awaitable<odd_names> find_odd_names(session&, std::string folder);

/// Takes away of the names that kopia cannot keep those that the recipe leaves out anyhow: nobody is told of them. kopia itself judges, by
/// a model of the folders that lead there, with the recipe's patterns and the `.kopiaignore` files that stand on the way.
awaitable<void> forget_ignored(session&, proto::snapshot_work const&, odd_names&);

}  // namespace kopiur::mover
