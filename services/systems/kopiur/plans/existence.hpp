#pragma once
#include "services/systems/kopiur/plans/plans.hpp"
#include "services/systems/kopiur/rules/repositories.hpp"

/// What a repository holds, by its newest complete list alone: bounds of the catalog, retention and namespaces decide which snapshots have
/// a Backup object, never which exist. decisions.md section 13.
namespace kopiur::plans {

/// All snapshots of the identity, by a list that began after the first fact of this run; else the wait for such a list, which is ordered
/// where nobody makes one. What other clusters have saved in between is in it, and what they have deleted is not.
plan_part<listed_snapshots const*> snapshots_of(cluster_view const& all, rules::any_repository const& repository,
                                                proto::identity const& who, proto::run_state const& run);

/// For a run that waits until there is a snapshot: the order of another list, at once (`due`), or once the last is a minute old; more as
/// there have been more of them, ten at most.
std::optional<ask> list_again(cluster_view const& all, rules::any_repository const& repository, proto::run_state const& run, bool due);

}  // namespace kopiur::plans
