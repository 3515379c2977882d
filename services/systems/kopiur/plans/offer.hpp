#pragma once
#include <string>
#include <vector>

#include "services/systems/kopiur/plans/plans.hpp"
#include "services/systems/kopiur/rules/repositories.hpp"

/// Which snapshots of a source may be chosen as its newest. decisions.md sections 6 and 13.
namespace kopiur::plans {

/// A snapshot that must not be chosen.
struct held_back {
  listed_snapshot const* which;
  std::string why;  ///< a clause that starts with its id
};
/// Complete snapshots that may be chosen, newest first; and the others, in list order.
struct offer {
  std::vector<listed_snapshot const*> snapshots;
  std::vector<plans::held_back> held_back;
};

/// A snapshot is held back if its Backup is being deleted or held, if its run has not ended, or if it is partial. Also if it shrank and no
/// Backup of it is left, unless a later snapshot was compared with it: it is unknown whether the shrinkage was accepted.
offer on_offer(cluster_view const& all, rules::any_repository const& repository, listed_snapshots const& listed);

/// The clauses of the first three.
std::vector<std::string> few_words(std::vector<held_back> const& held);

}  // namespace kopiur::plans
