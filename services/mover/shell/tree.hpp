#pragma once
#include <functional>
#include <set>

#include "services/mover/core/tree.hpp"
#include "services/mover/shell/session.hpp"

namespace kopiur::mover {

/// Reads the folders of the open repository.
class tree_reader {
 public:
  virtual ~tree_reader() = default;
  /// Passes on the entries of the folder as they arrive; holds one entry in memory. Throws failed_run.
  virtual awaitable<void> folder(tree_entry entry, std::function<void(tree_entry)> each) = 0;
};

/// Starts one kopia server for all folders while `use` runs, one request per object. A command per object would read only about four
/// folders per second. It listens on a socket in the run's private folder (0700).
awaitable<void> with_tree(session&, std::function<awaitable<void>(tree_reader&)> use);

/// The selected entry of a snapshot, and the folders that lead to it, from the root.
struct part {
  tree_entry entry;
  std::vector<tree_entry> above;
};
/// Throws InvalidWork when the snapshot has nothing at `path`.
awaitable<part> find_part(tree_reader&, manifest const& snapshot, std::optional<std::string> path);

struct tree_visitor {
  std::function<void(tree_entry const&)> entry;
  /// Called after each folder with its path and the names in it. Empty: not called.
  std::function<void(std::string const& folder, std::set<std::string> const& names)> folder_end{};
};
/// Visits the entry and everything below it; a folder before its contents.
awaitable<void> walk(tree_reader&, tree_entry top, tree_visitor);

}  // namespace kopiur::mover
