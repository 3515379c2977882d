#pragma once
#include <set>

#include "services/mover/core/tree.hpp"

/// Compares a snapshot with the restored target: which entries and attributes were restored. Pure: the caller passes in what the target
/// contains.
namespace kopiur::mover {

/// What exists at a path of the target.
struct found_entry {
  entry_kind kind = entry_kind::Nothing;
  attributes has;
  std::int64_t size_bytes = 0;
  instant modified{};
};

/// The identity a mover runs as: which owners it can set.
struct mover_rights {
  bool may_chown = false;  ///< root, with CAP_CHOWN
  std::int64_t uid = 0, gid = 0;
  std::set<std::int64_t> groups;  ///< groups that it may give a file to
};
/// The attributes that the entry receives from a mover with these rights.
attributes attainable(attributes const& wanted, mover_rights const& rights);

/// Owner, group and mode that differ from the snapshot's, as `1000:1000 0644 -> 65532:65532 0644`; empty: kept, or not requested.
std::string lost_attributes(tree_entry const& entry, attributes const& now, proto::restore_options const& asked);

/// True when the target has a file or link with the same size and time. kopia uses the same test to decide that nothing need be written.
bool is_same(tree_entry const& entry, found_entry const& there);

/// Counts entries whose ownership was not restored, and names a few.
class ownership_count {
 public:
  /// `lost`: from lost_attributes.
  void add(tree_entry const& entry, std::string lost);
  proto::ownership_report const& report() const { return report_; }

 private:
  proto::ownership_report report_;
};

/// `3 of 120 entries: a (..), b (..), c (..)`.
std::string sentence_of(proto::ownership_report const& report);

}  // namespace kopiur::mover
