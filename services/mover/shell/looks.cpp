#include "services/mover/shell/looks.hpp"

#include "services/mover/shell/left_out.hpp"
#include "services/mover/shell/tree.hpp"

namespace kopiur::mover {

namespace {

// Next to an entry that it has restored, kopia deletes the file or folder with the name of its placeholder.
void require_no_placeholder(restore_target const& target, tree_entry const& entry) {
  auto placeholder = entry.path + std::string(placeholder_suffix);
  if (entry.path.empty() || target.at(placeholder).kind == entry_kind::Nothing) return;
  throw failed_run(proto::kopia_failure::TargetConflict, "The target has " + printable(placeholder) +
                                                             ", and kopia would delete that: rename it, or restore into another folder.");
}

// kopia appends a suffix for its temporary file. For a name of more than 245 bytes the temporary name is too long.
bool has_room_for_suffix(tree_entry const& entry) {
  auto slash = entry.path.rfind('/');
  return entry.path.size() - (slash == std::string::npos ? 0 : slash + 1) <= 245;
}

void require_same_or_missing(restore_target const& target, tree_entry const& entry) {
  auto there = target.at(entry.path);
  if (entry.kind == entry_kind::Folder || there.kind == entry_kind::Nothing || is_same(entry, there)) return;
  throw failed_run(proto::kopia_failure::TargetConflict,
                   "The target has " + entry.path + ", which differs from the snapshot's, and options.overwriteFiles is false.");
}

void require_attainable(tree_entry const& entry, mover_rights const& rights, proto::restore_options const& options) {
  if (!options.require_ownership || entry.has.uid == attainable(entry.has, rights).uid) return;
  ownership_count lost;
  lost.add(entry, lost_attributes(entry, attainable(entry.has, rights), options));
  throw failed_run(proto::kopia_failure::OwnershipNotKept,
                   "The mover runs as user " + std::to_string(rights.uid) +
                       " and may not give files to others, so nothing was written: " + lost.report().examples.front() + ".");
}

// Files that no snapshot can hold would be lost for good; if the repository itself is among them, so would all snapshots.
awaitable<void> require_nothing_to_lose(session& run, proto::restore_work const& task) {
  if (!task.options.enable_file_deletion || task.target.empty()) co_return;
  auto odd = co_await find_odd_names(run, task.target + (task.options.path ? "/" + *task.options.path : ""));
  for (auto& [path, what] : odd.all()) {
    if (what == oddity::BrokenRules) continue;
    auto where = path.empty() ? std::string("the repository itself") : printable(path);
    throw failed_run(proto::kopia_failure::TargetConflict,
                     "options.enableFileDeletion would delete what no snapshot of this repository holds, " +
                         std::string(what == oddity::Own ? "for it is kopiur's own: " : "for kopia cannot keep its name: ") + where +
                         ". Nothing was written. Move it away, or restore without enableFileDeletion.");
  }
}

// Counts what a restore would do.
class plan_count {
 public:
  plan_count(proto::restore_work const& task, restore_target const& target) : task_(task), target_(target) {}

  void add(tree_entry const& entry) {
    auto there = task_.target.empty() ? found_entry() : target_.at(entry.path);
    if (!fits(there.kind, entry.kind)) target_.require_room_for(entry);
    if (!task_.target.empty()) require_no_placeholder(target_, entry);
    lost_.add(entry, lost_attributes(entry, attainable(entry.has, rights_), task_.options));
    if (entry.kind == entry_kind::Folder) return void(++plan_.folders);
    ++plan_.files;
    if (entry.kind == entry_kind::File) plan_.bytes += entry.size_bytes;
    ++(there.kind == entry_kind::Nothing ? plan_.created : is_same(entry, there) ? plan_.unchanged : plan_.replaced);
  }
  void end(std::string const& folder, std::set<std::string> const& names) {
    bool there = !task_.target.empty() && target_.at(folder).kind == entry_kind::Folder;
    if (there) plan_.deleted += target_.extra_in(folder, names);
  }
  proto::restore_preview result(manifest const& snapshot) {
    plan_.snapshot_ID = snapshot.row.id, plan_.snapshot_time = snapshot.row.end_time;
    plan_.ownership_lost = lost_.report().lost, plan_.examples = lost_.report().examples;
    return plan_;
  }

 private:
  proto::restore_work const& task_;
  restore_target const& target_;
  mover_rights rights_ = own_rights();
  ownership_count lost_;
  proto::restore_preview plan_;
};

// If the tree cannot be read, assumes that the names are too long.
awaitable<bool> all_have_room(session& run, manifest const& snapshot) {
  bool all = true;
  try {
    co_await with_tree(run, [&](tree_reader& tree) -> awaitable<void> {
      auto whole = co_await find_part(tree, snapshot, std::nullopt);
      co_await walk(tree, whole.entry, {.entry = [&](tree_entry const& entry) { all = all && has_room_for_suffix(entry); }});
    });
  } catch (failed_run const&) {
    if (run.program.cancelled()) throw;
    all = false;
  }
  co_return all;
}

}  // namespace

awaitable<bool> look_before(session& run, proto::restore_work const& task, manifest const& snapshot, restore_target const& target) {
  co_await require_nothing_to_lose(run, task);
  auto& flags = task.options;
  bool occupied = target.holds_something(), fits_beside = true;
  if (!occupied && !flags.path && !flags.require_ownership)
    co_return !flags.write_files_atomically || co_await all_have_room(run, snapshot);
  auto rights = own_rights();
  co_await with_tree(run, [&](tree_reader& tree) -> awaitable<void> {
    auto wanted = co_await find_part(tree, snapshot, flags.path);
    for (auto& each : wanted.above)
      if (!each.path.empty()) target.require_room_for(each);
    auto see = [&](tree_entry const& entry) {
      if (!entry.path.empty()) target.require_room_for(entry);
      require_no_placeholder(target, entry);
      fits_beside = fits_beside && has_room_for_suffix(entry);
      if (!flags.overwrite_files) require_same_or_missing(target, entry);
      require_attainable(entry, rights, flags);
    };
    co_await walk(tree, wanted.entry, {.entry = see});
    target.make_folders(wanted.above, flags);
  });
  co_return fits_beside;
}

awaitable<aftermath> look_after(session& run, proto::restore_work const& task, manifest const& snapshot, restore_target const& target) {
  aftermath found;
  ownership_count kept;
  auto see = [&](tree_entry const& entry) {
    auto there = target.at(entry.path);
    if (entry.kind == entry_kind::File) found.bytes += entry.size_bytes;
    if (there.kind != entry_kind::Nothing)
      kept.add(entry, lost_attributes(entry, there.has, task.options));
    else if (entry.kind != entry_kind::Other && found.missing++ == 0)
      found.first_missing = entry.path;
  };
  co_await with_tree(run, [&](tree_reader& tree) -> awaitable<void> {
    auto wanted = co_await find_part(tree, snapshot, task.options.path);
    co_await walk(tree, wanted.entry, {.entry = see});
  });
  found.ownership = kept.report();
  co_return found;
}

awaitable<proto::restore_preview> preview(session& run, proto::restore_work const& task, manifest const& snapshot,
                                          restore_target const& target) {
  co_await require_nothing_to_lose(run, task);
  plan_count plan(task, target);
  tree_visitor see{.entry = [&](tree_entry const& entry) { plan.add(entry); }};
  if (task.options.enable_file_deletion)
    see.folder_end = [&](std::string const& folder, std::set<std::string> const& names) { plan.end(folder, names); };
  co_await with_tree(run, [&](tree_reader& tree) -> awaitable<void> {
    auto wanted = co_await find_part(tree, snapshot, task.options.path);
    co_await walk(tree, wanted.entry, see);
  });
  co_return plan.result(snapshot);
}

}  // namespace kopiur::mover
