#pragma once
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "proto/codec.hpp"
#include "proto/subjects.hpp"
#include "services/mover-orchestration/core/dispatch.hpp"
#include "services/mover-orchestration/core/stages.hpp"
#include "services/systems/kopiur/plans/plans.hpp"
#include "services/systems/kopiur/reconcile.hpp"
#include "services/systems/systems.hpp"

namespace kopiur::plans {

// Plans are tested through the engine that runs them.
using mover_orchestration::last_ended;
using mover_orchestration::observation;
using mover_orchestration::prepare;
using mover_orchestration::removals_of_left_jobs;
using mover_orchestration::remove_job;
using mover_orchestration::rests_already;
using mover_orchestration::wants_cancel;

/// A small cluster for plans: objects from JSON, runs and answers by hand. Namespace `prod`, a Ready repository `nas` with a
/// Secret and a list that has just been made.
class scene {
 public:
  scene();
  /// Puts an object of kopiur, or a claim: `metadata` and the rest as JSON members, such as `"spec":{...}`.
  void put(std::string_view kind, std::string_view name, std::string_view metadata, std::string_view rest);
  void take_away(std::string_view kind, std::string_view name);
  /// What the gateway knows of a foreign kind.
  void know(std::string_view kind, proto::kind_presence presence);
  void put_config(std::string_view name, std::string_view more = "", std::string_view metadata = "");
  void put_claim(std::string_view name, std::string_view metadata = "", std::string_view spec = "", std::string_view phase = "Bound");
  /// A Backup of `path` that succeeded, in repository `in`, by config `photos`; the repository's list contains its snapshot.
  void put_saved(std::string_view name, std::string_view snapshot, std::string_view path, std::string_view in = "nas",
                 std::string_view more = "");

  /// A complete list of the repository, by this run, whose mover was requested after the fact of this sequence.
  void list(std::string_view repository, std::string run, std::uint64_t after);
  /// The part of that list for one identity, as read.
  void put_listed(std::string_view repository, proto::identity who, std::vector<listed_snapshot> snapshots);

  cluster_view look() const;
  actions reconcile_it(std::string_view kind, std::string_view name) const;
  preparation prepare_it(std::string_view plan, std::string_view kind, std::string_view name, json::value parameters = {}) const;

  controller::objects objects;
  capabilities can;
  std::map<std::string, proto::run_state> runs;
  std::map<std::string, proto::answer> answers;               ///< by verb and key
  std::map<std::string, proto::lease_state> leases;           ///< by key
  mutable std::map<std::string, proto::snapshot_list> lists;  ///< by the repository's uid
  mutable std::map<list_query, listed_snapshots> listed;      ///< empty for identities not in a list
  instant now{std::chrono::hours(24 * 365 * 56)};
};

// Parts of a Restore's spec: the source, and the target.
inline constexpr char const* from_photos = R"("source":{"fromConfig":{"name":"photos"}})";
inline constexpr char const* into_existing = R"("target":{"pvcRef":{"name":"data"}})";
inline constexpr char const* into_new = R"("target":{"pvc":{"name":"data"}})";

/// The result of a preparation, for assertions: `ready`, `wait Reason`, `refused Class`, `nothing`.
std::string said(preparation const& what);
/// The verbs of all requested commands, with the finalizers that they change: `patch-metadata +finalizer`.
std::vector<std::string> asked(actions const& needs);
inline std::vector<std::string> const nothing;

}  // namespace kopiur::plans
