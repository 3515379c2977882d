#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "proto/events/lease.hpp"
#include "proto/events/snapshot_list.hpp"
#include "proto/events/status.hpp"
#include "services/controller/core/asks.hpp"
#include "services/controller/core/objects.hpp"

/// What plans and reconciles read. Everything that reads it is pure.
namespace kopiur::controller {

/// How long a pod may say that it cannot start, where nobody says it.
inline constexpr duration usual_pod_start = std::chrono::minutes(5);

/// What the cluster behind the gateway can do; decides what an absent `copyMethod` and `groupBy` mean (decisions.md section 10).
struct capabilities {
  proto::copy_method copy = proto::copy_method::Direct;
  proto::group_by group = proto::group_by::None;
  duration pod_start = usual_pod_start;  ///< how long a pod may say that it cannot start
  bool pods = false;                     ///< movers are pods, beside those of users: commands run in them, NFS volumes, service accounts
};

/// A snapshot, as a list of the repository has it.
struct listed_snapshot {
  std::string id;
  instant ended{};
  bool partial = false;            ///< files could not be read, and no policy ignores that
  std::optional<std::string> run;  ///< that took it
  std::int64_t files = 0, size_bytes = 0;
  std::optional<proto::baseline> baseline;  ///< what it was compared with
};
/// What the newest list says of one identity.
struct listed_snapshots {
  std::string list;    ///< proto::snapshot_list::list
  bool whole = false;  ///< the list could be read; else nothing is known
  std::vector<listed_snapshot> snapshots;
};

/// What a reconcile reads: all of one moment. Pointers are good until the next suspension.
struct cluster_view {
  controller::objects const& objects;
  std::function<proto::run_state const*(std::string const& run)> run;  ///< nullptr: never ordered
  /// All runs of a plan, ended ones too, that concern the object of this uid, or the kopia repository of this unique id; by run.
  std::function<std::vector<proto::run_state const*>(std::string const& id, std::string_view plan)> runs_of;
  std::function<proto::answer const*(std::string_view verb, std::string_view key)> answer;  ///< of the gateway, nullptr: none yet
  /// The newest complete list of the repository object of this uid; nullptr: none yet.
  std::function<proto::snapshot_list const*(std::string const& uid)> list;
  std::function<listed_snapshots const*(list_query const&)> listed;        ///< nullptr: not read yet, which is to be asked for
  std::function<proto::lease_state const*(std::string const& key)> lease;  ///< as maintenance-lease wrote it last; nullptr: never
  std::string cluster;
  capabilities can;
  instant now{};
};

}  // namespace kopiur::controller
