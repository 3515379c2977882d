#pragma once
#include "services/gateway/adapters/kubernetes/objects.hpp"

namespace kopiur::gateway::kubernetes {

/// What stands behind a claim or a snapshot: its kind, by which fields the two name each other, and which says whether it stays.
struct storage_behind {
  std::string_view kind, named_by, owned_by, policy;
};
inline constexpr storage_behind of_claim{"PersistentVolume", "spec.volumeName", "spec.claimRef.uid", "persistentVolumeReclaimPolicy"};
inline constexpr storage_behind of_snapshot{"VolumeSnapshotContent", "status.boundVolumeSnapshotContentName", "spec.volumeSnapshotRef.uid",
                                            "deletionPolicy"};
inline constexpr storage_behind of_group{"VolumeGroupSnapshotContent", "status.boundVolumeGroupSnapshotContentName",
                                         "spec.volumeGroupSnapshotRef.uid", "deletionPolicy"};

/// What is behind it goes with it, though its class says Retain; never what is another's.
awaitable<outcome<void>> let_go_of(objects& all, storage_behind behind, json::value owner);
/// Deletes this very object, and what is behind it.
awaitable<outcome<void>> remove_with(objects& all, storage_behind behind, json::value object);
/// Null: it is not there, or is none of the run's.
awaitable<outcome<json::value>> ours_at(objects& all, object_key key, std::string run);

/// How far a snapshot, of one claim or of several, is to be.
enum class snapshot_state {
  cut,   ///< what is written from now on is not in it
  ready  ///< a volume can be made from it
};
/// Nothing: it is so far; else why not yet, as its driver tells it.
std::optional<std::string> not_yet(snapshot_state until, json::value const& snapshot);
/// The snapshot, once it is so far. Unavailable, with a sentence, where that takes longer than most do: the command comes again.
awaitable<outcome<json::value>> until_it_is(snapshot_state until, objects& all, clock& time, json::value snapshot);
/// Why no other one is taken in its place.
std::string taken_and_gone(std::string_view kind, std::string const& name);

}  // namespace kopiur::gateway::kubernetes
