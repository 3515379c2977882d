#pragma once
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "proto/kopiur/kopia_task.hpp"
#include "services/systems/kopiur/rules/repositories.hpp"

/// Which snapshots of a list become Backup objects. Pure. spec/kopiur.md "Backup"; decisions.md section 5, last line.
namespace kopiur::catalog_discovery {

/// Calls `look` with up to `most` Backups after the key, in order; false: none are left.
bool each_backup(controller::objects const& all, controller::name_key& after, std::size_t most, auto const& look) {
  auto& there = all.of<proto::backup>();
  auto found = there.upper_bound(after);
  for (; found != there.end() && most > 0; ++found, --most) look(found->second), after = found->first;
  return found != there.end();
}

/// The changes that a list requires in the cluster.
struct changes {
  std::vector<json::value> create;        ///< discovered Backups, as manifests
  std::vector<proto::object_ref> remove;  ///< discovered Backups whose snapshot is gone or out of bounds; never a snapshot
  /// The row of each discovered Backup that does not exist yet or has no status yet.
  std::map<controller::name_key, proto::snapshot_row> untold;
};

/// What the Backups record about snapshots that our runs took.
class taken_here {
 public:
  void add(controller::objects const& all, proto::backup const& one);
  /// Whether a Backup records the snapshot; one that does not name its repository may mean this one.
  bool records(std::string const& snapshot, std::string const& unique_ID) const;
  /// Whether a Backup represents the run: by its label, where that is proven, or by the Job in its status. A Backup that failed without
  /// recording a snapshot does not claim one that a lost attempt may have saved.
  bool has_run(std::string const& run) const { return runs_.contains(run); }

 private:
  std::set<std::pair<std::string, std::string>> snapshots_;  // and the unique id of their repository; empty: unknown
  std::set<std::string> runs_;
};

/// Compares a complete list with the objects, in slices. Between two slices other coroutines run, and objects may be added or deleted. A
/// snapshot gets no discovered Backup when a Backup records it, or when its run tag belongs to a Backup or to a run that is not over. The
/// name is derived from (unique id, snapshot id), so every replica uses the same name, and slightly stale input does no harm.
class comparison {
 public:
  using alive = std::function<bool(std::string const& run)>;
  comparison(std::vector<proto::snapshot_row> const& rows, alive run_is_alive, instant now)
      : rows_(rows), run_is_alive_(std::move(run_is_alive)), now_(now) {}

  /// Processes at least `most` more objects or rows; false: the comparison is done. `repository`: its current state.
  bool step(controller::objects const& all, rules::any_repository const& repository, std::size_t most);
  changes result() && { return std::move(found_); }

 private:
  bool index(controller::objects const& all, std::size_t most);
  bool sort_out(std::string const& unique_ID, std::size_t most);
  bool bound(rules::any_repository const& repository, std::size_t most);
  bool name(controller::objects const& all, rules::any_repository const& repository, std::size_t most);
  bool clear(controller::objects const& all, rules::any_repository const& repository, std::size_t most);

  std::vector<proto::snapshot_row> const& rows_;
  alive run_is_alive_;
  instant now_;
  int stage_ = 0;
  controller::name_key after_{};  // the last Backup processed
  std::size_t next_ = 0;          // the next row
  taken_here here_;
  std::map<std::string, std::vector<proto::snapshot_row const*>> foreign_;  // by identity
  std::vector<proto::snapshot_row const*> kept_;
  std::map<proto::identity, std::optional<std::string>> namespaces_;
  std::set<controller::name_key> stay_;
  changes found_;
};

/// Runs a whole comparison at once.
changes reconcile(controller::objects const& all, rules::any_repository const& repository, std::vector<proto::snapshot_row> const& rows,
                  comparison::alive run_is_alive, instant now);

/// The prefix of the names of discovered Backups.
inline constexpr std::string_view row_prefix = "discovered-";

}  // namespace kopiur::catalog_discovery
