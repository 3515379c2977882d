#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "proto/core/lease.hpp"
#include "proto/events/snapshot_list.hpp"
#include "proto/events/status.hpp"
#include "services/controller/core/asks.hpp"
#include "services/controller/core/objects.hpp"

/// What plans and reconciles read. All code that reads it is pure.
namespace kopiur::controller {

/// How long a pod may report that it cannot start, by default.
inline constexpr duration usual_pod_start = std::chrono::minutes(5);

/// What the cluster behind the gateway supports; decides the meaning of an absent `copyMethod` and `groupBy` (decisions.md section 10).
struct capabilities {
  proto::copy_method copy = proto::copy_method::Direct;
  proto::group_by group = proto::group_by::None;
  duration pod_start = usual_pod_start;                     ///< how long a pod may report that it cannot start
  std::int64_t movers_per_repository = proto::usual_slots;  ///< that may use one at the same time
  std::string operator_namespace{};                         ///< where Jobs run that no user's namespace may have; empty: not in a cluster
  std::string etcd_store_endpoint{};                        ///< of the object store for etcd's snapshots; empty: that of its cloud
  bool restart_voters = false;                              ///< of an OpenBao cluster, after a restore of it
  bool pods = false;  ///< movers are pods next to users' pods: commands run in those, NFS volumes, service accounts
};

/// A snapshot, as a repository's list records it.
struct listed_snapshot {
  std::string id;
  instant ended{};
  bool partial = false;            ///< some files could not be read, and no policy ignores that
  std::optional<std::string> run;  ///< the run that took it
  std::int64_t files = 0, size_bytes = 0;
  std::optional<proto::baseline> baseline;  ///< the baseline that it was compared with
};
/// What the newest list says of one identity.
struct listed_snapshots {
  std::string list;    ///< proto::snapshot_list::list
  bool whole = false;  ///< the list could be read completely; else nothing is known
  std::vector<listed_snapshot> snapshots;
};

/// A reconcile's input, all from one moment. Pointers are valid until the next suspension.
struct cluster_view {
  controller::objects const& objects;
  std::function<proto::run_state const*(std::string const& run)> run;  ///< nullptr: never ordered
  /// All runs of a plan, ended ones too, that concern the object of this uid, or the kopia repository of this unique id; sorted by run.
  std::function<std::vector<proto::run_state const*>(std::string const& id, std::string_view plan)> runs_of;
  std::function<proto::answer const*(std::string_view verb, std::string_view key)> answer;  ///< of the gateway; nullptr: none yet
  /// The newest complete list of the repository object of this uid; nullptr: none yet.
  std::function<proto::snapshot_list const*(std::string const& uid)> list;
  std::function<listed_snapshots const*(list_query const&)> listed;        ///< nullptr: not read yet, so it must be requested
  std::function<proto::lease_state const*(std::string const& key)> lease;  ///< as last written by maintenance-lease; nullptr: never
  std::string cluster;
  capabilities can;
  instant now{};
};

}  // namespace kopiur::controller
