#pragma once
#include <set>

#include "services/mover/core/tree.hpp"

/// What of a snapshot comes back, and what does not. Pure: what stands in the target is handed in.
namespace kopiur::mover {

/// What stands at a path.
struct found_entry {
  entry_kind kind = entry_kind::Nothing;
  attributes has;
  std::int64_t size_bytes = 0;
  instant modified{};
};

/// As whom a mover runs: whose files it can make.
struct mover_rights {
  bool may_chown = false;  ///< root, with CAP_CHOWN
  std::int64_t uid = 0, gid = 0;
  std::set<std::int64_t> groups;  ///< that it may give a file to
};
/// The attributes that the entry gets from a mover of these rights.
attributes attainable(attributes const& wanted, mover_rights const& rights);

/// Owner, group and mode that are not the snapshot's, as `1000:1000 0644 -> 65532:65532 0644`; empty: they are kept, or not asked for.
std::string lost_attributes(tree_entry const& entry, attributes const& now, proto::restore_options const& asked);

/// A file or link that is there with the same size and time: kopia's own measure of what need not be written.
bool is_same(tree_entry const& entry, found_entry const& there);

/// Counts what does not come back, and names a few.
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
