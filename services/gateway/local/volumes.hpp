#pragma once
#include "services/gateway/core/seals.hpp"
#include "services/gateway/local/object_store.hpp"

namespace kopiur::gateway::local {

/// The real folder of a claim, also while it is being filled; a sentence when there is none.
outcome<fs::path> folder_of(object_map const& objects, std::string const& ns, std::string const& claim);

/// Gives claims their volumes: `hostPath` volumes that the user named, else a folder `volumes/<namespace>/<claim>` of the data folder. It
/// deletes nothing: the folder of a deleted claim is renamed to `<claim>~<uid>`.
class volume_binder {
 public:
  /// `store` and `marks` must outlive it.
  volume_binder(object_store& store, seals const& marks, fs::path data) : store_(store), marks_(marks), data_(std::move(data)) {}

  /// Brings all claims and volumes to their desired state. Writes only changes.
  void settle();
  outcome<fs::path> folder_of(std::string const& ns, std::string const& claim) const { return local::folder_of(store_.all(), ns, claim); }

 private:
  void settle_claim(json::value const& claim);
  void bind(json::value const& claim, std::string const& volume);
  void make(json::value const& claim);
  void release(json::value const& volume);
  fs::path fresh_folder(json::value const& claim) const;

  object_store& store_;
  seals const& marks_;
  fs::path data_;
};

}  // namespace kopiur::gateway::local
