#pragma once
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "proto/work.hpp"
#include "services/systems/kopiur/rules/repositories.hpp"

/// Which snapshots of a list become Backup objects. Pure. spec/kopiur.md "Backup"; decisions.md section 5, last line.
namespace kopiur::catalog_discovery {

/// What a list asks of the cluster.
struct changes {
  std::vector<json::value> create;        ///< discovered Backups, as manifests
  std::vector<proto::object_ref> remove;  ///< rows whose snapshot is gone or out of bounds; never a snapshot
  /// What the list says of each discovered Backup that is not there yet, or that has no status yet.
  std::map<controller::name_key, proto::snapshot_row> untold;
};

/// What the Backups say of the snapshots that were taken here.
class taken_here {
 public:
  void add(controller::objects const& all, proto::backup const& one);
  /// A Backup records it; one that does not say in which repository may mean this one.
  bool records(std::string const& snapshot, std::string const& unique_ID) const;
  /// A Backup stands for the run: by its label, where that is proven, or by the Job that its status names. One that failed without
  /// recording a snapshot does not claim what a lost attempt may have saved after all.
  bool has_run(std::string const& run) const { return runs_.contains(run); }

 private:
  std::set<std::pair<std::string, std::string>> snapshots_;  // and the unique id of their repository; empty: not said
  std::set<std::string> runs_;
};

/// Compares a complete list with the objects, a slice at a time: between two slices others may work, and objects may come and go. A
/// snapshot that a Backup records, or whose run tag belongs to a Backup or to a run that is not over, gets no discovered one. The name is
/// derived from (unique id, snapshot id): one Backup each, whoever finds it, so that what was seen a moment ago does no harm.
class comparison {
 public:
  using alive = std::function<bool(std::string const& run)>;
  comparison(std::vector<proto::snapshot_row> const& rows, alive run_is_alive, instant now)
      : rows_(rows), run_is_alive_(std::move(run_is_alive)), now_(now) {}

  /// Looks at `most` objects or rows more, at least; false: it is done. `repository` as it is now.
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
  controller::name_key after_{};  // of the Backups: seen so far
  std::size_t next_ = 0;          // of the rows
  taken_here here_;
  std::map<std::string, std::vector<proto::snapshot_row const*>> foreign_;  // by identity
  std::vector<proto::snapshot_row const*> kept_;
  std::map<proto::identity, std::optional<std::string>> namespaces_;
  std::set<controller::name_key> stay_;
  changes found_;
};

/// All of it at once.
changes reconcile(controller::objects const& all, rules::any_repository const& repository, std::vector<proto::snapshot_row> const& rows,
                  comparison::alive run_is_alive, instant now);

/// The names of all rows begin with it.
inline constexpr std::string_view row_prefix = "discovered-";

}  // namespace kopiur::catalog_discovery
