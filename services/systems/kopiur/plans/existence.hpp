#pragma once
#include "services/systems/kopiur/plans/plans.hpp"
#include "services/systems/kopiur/rules/repositories.hpp"

/// Which snapshots a repository contains, by its newest complete list only. Catalog bounds, retention and namespaces decide which snapshots
/// have a Backup object, never which exist. decisions.md section 13.
namespace kopiur::plans {

/// All snapshots of the identity, from a list that began after the first fact of this run. Otherwise the wait for such a list, which is
/// ordered if none is pending. So the list includes what other clusters have saved and excludes what they have deleted meanwhile.
plan_part<listed_snapshots const*> snapshots_of(cluster_view const& all, rules::any_repository const& repository,
                                                proto::identity const& who, proto::run_state const& run);

/// For a run that waits for a snapshot to appear: orders another list. Immediately if `due`, else 1 minute after the last one; the pause
/// grows by a minute with each list, up to 10 minutes.
std::optional<ask> list_again(cluster_view const& all, rules::any_repository const& repository, proto::run_state const& run, bool due);

}  // namespace kopiur::plans
