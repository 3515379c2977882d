#pragma once
#include <string>
#include <vector>

#include "services/systems/kopiur/plans/plans.hpp"
#include "services/systems/kopiur/rules/repositories.hpp"

/// Which snapshots of a source may be taken for its newest. decisions.md sections 6 and 13.
namespace kopiur::plans {

/// One that may not.
struct held_back {
  listed_snapshot const* which;
  std::string why;  ///< a clause that begins with its id
};
/// The complete ones that stay, the newest first; and the others, as they were listed.
struct offer {
  std::vector<listed_snapshot const*> snapshots;
  std::vector<plans::held_back> held_back;
};

/// Held back is one whose Backup is being deleted or held, whose run is not over, that is partial; and one that shrank and of which no
/// Backup is left, unless a later one was compared with it: nobody knows whether that was accepted.
offer on_offer(cluster_view const& all, rules::any_repository const& repository, listed_snapshots const& listed);

/// The clauses of the first three.
std::vector<std::string> few_words(std::vector<held_back> const& of);

}  // namespace kopiur::plans
