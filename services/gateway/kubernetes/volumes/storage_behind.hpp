#pragma once
#include "proto/core/kubernetes.hpp"
#include "services/gateway/kubernetes/objects/objects.hpp"

namespace kopiur::gateway::kubernetes {

/// The storage object behind a claim or a snapshot: its kind, the fields by which the two name each other, and the field of its deletion
/// policy.
struct storage_behind {
  std::string_view kind, named_by, owned_by, policy;
};
inline constexpr storage_behind of_claim{proto::persistent_volume::info.kind, "spec.volumeName", "spec.claimRef.uid",
                                         "persistentVolumeReclaimPolicy"};
inline constexpr storage_behind of_snapshot{"VolumeSnapshotContent", "status.boundVolumeSnapshotContentName", "spec.volumeSnapshotRef.uid",
                                            "deletionPolicy"};
inline constexpr storage_behind of_group{"VolumeGroupSnapshotContent", "status.boundVolumeGroupSnapshotContentName",
                                         "spec.volumeGroupSnapshotRef.uid", "deletionPolicy"};

/// Sets the policy of the owner's storage object to Delete, so that it is deleted with its owner; never that of another owner.
awaitable<outcome<void>> release_from(objects& all, storage_behind behind, json::value owner);
/// Deletes this object (by uid) and its storage.
awaitable<outcome<void>> remove_with(objects& all, storage_behind behind, json::value object);
/// Null: it does not exist, or belongs to another run.
awaitable<outcome<json::value>> ours_at(objects& all, object_key key, std::string run);

/// The state that a snapshot, of one claim or of several, has to reach.
enum class snapshot_state {
  cut,   ///< later writes are not in it
  ready  ///< a volume can be made from it
};
/// Nothing: the state is reached; else why not yet, from the driver.
std::optional<std::string> not_yet(snapshot_state until, json::value const& snapshot);
/// The snapshot, once the state is reached. Unavailable, with a sentence, when that takes longer than usual: the command is redelivered.
awaitable<outcome<json::value>> until_it_is(snapshot_state until, objects& all, clock& time, json::value snapshot);
/// Why no other snapshot replaces it.
std::string taken_and_gone(std::string_view kind, std::string const& name);

}  // namespace kopiur::gateway::kubernetes
