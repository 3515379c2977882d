#pragma once
#include <functional>
#include <set>

#include "services/mover/core/tree.hpp"
#include "services/mover/shell/session.hpp"

namespace kopiur::mover {

/// Reads the folders of the repository that is open.
class tree_reader {
 public:
  virtual ~tree_reader() = default;
  /// The entries of the folder, as they come; memory is that of one entry. Throws failed_run.
  virtual awaitable<void> folder(tree_entry of, std::function<void(tree_entry)> each) = 0;
};

/// One kopia serves all folders, for as long as `use` runs: an object a request, where a command each would take a second for every four
/// folders. It listens on a socket in the run's own folder (0700).
awaitable<void> with_tree(session&, std::function<awaitable<void>(tree_reader&)> use);

/// What of a snapshot is meant, and the folders that lead to it, from the root.
struct part {
  tree_entry entry;
  std::vector<tree_entry> above;
};
/// Throws InvalidWork where the snapshot has nothing at `path`.
awaitable<part> find_part(tree_reader&, manifest const& snapshot, std::optional<std::string> path);

struct tree_visitor {
  std::function<void(tree_entry const&)> entry;
  /// After a folder: its path, and the names in it. Empty: not wanted.
  std::function<void(std::string const& folder, std::set<std::string> const& names)> folder_end{};
};
/// The entry and all below it; a folder before what is in it.
awaitable<void> walk(tree_reader&, tree_entry top, tree_visitor);

}  // namespace kopiur::mover
