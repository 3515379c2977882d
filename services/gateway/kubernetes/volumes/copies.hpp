#pragma once
#include "services/gateway/kubernetes/jobs/co_location.hpp"
#include "services/gateway/kubernetes/volumes/captures.hpp"

/// Copies of claims in use, from which movers read: a volume created from the claim at one instant by its CSI driver (copyMethod Snapshot
/// or Clone). A copy belongs to the run, over all its attempts: hooks have quiesced its source once. Copies are found by name and label, so
/// a process that adopts or ends a run needs no memory of them.
namespace kopiur::gateway::kubernetes {

/// `<run>-<volume>`: name of the VolumeSnapshot and of the claim created from it.
std::string copy_name(std::string_view run, std::string_view volume);
/// A claim that kopiur created as a copy: only the run uses it.
bool is_copy(json::value const& object);

/// The run that owns the copies, and the objects that it serves.
struct copies_owner {
  std::string const &run, &namespace_;
  std::vector<proto::object_ref> const& serves;
};
json::value snapshot_manifest(copies_owner const& owner, proto::volume_use const& use);
/// A claim like `source`, created from the snapshot, or from the source if the snapshot is null; never smaller than either requires. The
/// Backup that the run serves owns it, so it is deleted with that Backup at the latest.
json::value copy_manifest(copies_owner const& owner, proto::volume_use const& use, json::value const& source, json::value const& snapshot);

class copies {
 public:
  copies(client& api, clock& time, captures& together, known_claim known)
      : api_(api), objects_(api), time_(time), captures_(together), known_(std::move(known)) {}

  /// The command with each copy in the place of its claim; missing copies are created. Unavailable, with a sentence, while a snapshot is
  /// not ready; Invalid when the cluster has no snapshots, or a volume has no files.
  awaitable<outcome<proto::create_job>> with_copies(proto::create_job command);
  /// Takes the snapshots that with_copies() creates its volumes from, and returns once they are cut: none of them contains later writes,
  /// though they may not be ready yet. Unavailable, with a sentence, while one is not cut.
  awaitable<outcome<void>> capture(proto::capture_volumes command);
  /// Deletes the run's copies with their storage, regardless of the class's policy: only kopiur knows of them. To be called after its Jobs
  /// ended.
  awaitable<outcome<void>> remove(proto::delete_job command);

 private:
  awaitable<outcome<void>> make(copies_owner owner, proto::volume_use use);
  awaitable<outcome<json::value>> source_of(copies_owner owner, proto::volume_use use);
  awaitable<outcome<json::value>> snapshot_for(copies_owner owner, proto::volume_use use, snapshot_state until);
  awaitable<outcome<json::value>> job_of(std::string run, int attempt, std::string ns);
  awaitable<outcome<void>> take_away(object_key key, std::string const& run, storage_behind behind);

  client& api_;
  objects objects_;
  clock& time_;
  captures& captures_;
  known_claim known_;
};

}  // namespace kopiur::gateway::kubernetes
