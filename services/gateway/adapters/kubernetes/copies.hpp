#pragma once
#include "services/gateway/adapters/kubernetes/captures.hpp"
#include "services/gateway/adapters/kubernetes/co_location.hpp"

/// What a mover reads instead of a claim that is in use: a volume made from it, of one moment, by the claim's CSI driver (copyMethod
/// Snapshot or Clone). It belongs to the run, over all its attempts: hooks have brought its source to rest once. All of it is found by name
/// and label, so that whoever takes a run up, or ends it, needs to remember nothing.
namespace kopiur::gateway::kubernetes {

/// `<run>-<volume>`: of the VolumeSnapshot and of the claim made from it.
std::string copy_name(std::string_view run, std::string_view volume);
/// A claim that we made as a copy: nobody's business but the run's.
bool is_copy(json::value const& object);

/// Whose copies they are, and for which objects.
struct copies_owner {
  std::string const &run, &namespace_;
  std::vector<proto::object_ref> const& serves;
};
json::value snapshot_manifest(copies_owner const& of, proto::volume_use const& use);
/// A claim like `source`, from the snapshot, or where that is null from the source itself; never smaller than either says it has to be.
/// It belongs to the Backup that the run serves, and goes with that at the latest.
json::value copy_manifest(copies_owner const& of, proto::volume_use const& use, json::value const& source, json::value const& snapshot);

class copies {
 public:
  copies(client& api, clock& time, captures& together, known_claim known)
      : api_(api), objects_(api), time_(time), captures_(together), known_(std::move(known)) {}

  /// The command with each copy in the place of its claim; what is missing is made. Unavailable, with a sentence, while a snapshot is not
  /// ready; Invalid where the cluster has no snapshots, or a volume has no files.
  awaitable<outcome<proto::create_job>> with_copies(proto::create_job command);
  /// Takes the snapshots that with_copies() makes its volumes from, and returns once they are cut: what is written afterwards is in none of
  /// them, though they may not be ready yet. Unavailable, with a sentence, while one is not.
  awaitable<outcome<void>> capture(proto::capture_volumes command);
  /// Takes away what was copied for the run, storage too: whatever its classes say of keeping, nobody knows of these but us. After its
  /// Jobs.
  awaitable<outcome<void>> remove(proto::delete_job command);

 private:
  awaitable<outcome<void>> make(copies_owner of, proto::volume_use use);
  awaitable<outcome<json::value>> source_of(copies_owner of, proto::volume_use use);
  awaitable<outcome<json::value>> snapshot_for(copies_owner of, proto::volume_use use, snapshot_state until);
  awaitable<outcome<json::value>> job_of(std::string run, int attempt, std::string ns);
  awaitable<outcome<void>> take_away(object_key key, std::string const& run, storage_behind behind);

  client& api_;
  objects objects_;
  clock& time_;
  captures& captures_;
  known_claim known_;
};

}  // namespace kopiur::gateway::kubernetes
