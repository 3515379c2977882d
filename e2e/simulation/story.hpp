#pragma once
#include <map>
#include <memory>
#include <set>
#include <string>

#include "common/testing/bus_net.hpp"
#include "common/testing/shrink.hpp"
#include "e2e/simulation/datacenter.hpp"
#include "proto/kinds/backup.hpp"

namespace kopiur::simulation {

/// A bug that is put in on purpose, one for each invariant: by a port that breaks the rule, or by a process beside the services.
enum class planted {
  none,
  trusts_stale_reads,   ///< 1, 2: a live read says "deleted, not pinned" of everything, and a rogue order names a Backup that lives
  doubles_slots,        ///< 3: a slot's Backup is created a second time under another name
  grants_everything,    ///< 4: leases are granted whoever holds them
  submits_twice,        ///< 5: a Job into an existing claim is started again under another name
  restores_any,         ///< 6: the mover takes the newest snapshot, whoever's
  acts_without_bus,     ///< 7: a destructive Job is started while the bus is down
  says_nothing,         ///< 8: shares of status are lost, all of them
  chatters,             ///< 9: a status changes every ten seconds
  leaks_secrets,        ///< 10: a Secret's value in a log tail
  cascades              ///< 11: Backups go with their schedule
};
inline constexpr planted all_planted[] = {planted::trusts_stale_reads, planted::doubles_slots, planted::grants_everything, planted::submits_twice,
                                          planted::restores_any, planted::acts_without_bus, planted::says_nothing, planted::chatters,
                                          planted::leaks_secrets, planted::cascades};

struct story_options {
  duration length = std::chrono::hours(24);
  int replicas = 3;
  bool with_faults = true;
  planted bug = planted::none;
};

/// What a run was made of: each count must be above zero in a run with faults of some length.
struct summary {
  std::map<std::string, std::uint64_t> counts;
  std::uint64_t steps = 0, hash = 0;
};

/// One run of the whole product: services in replicas, a simulated cluster and kopia, users, troubles, invariants. Deterministic.
class story {
 public:
  story(testing::world_options world, story_options how);
  ~story();
  /// Runs to the end, or to the first violation.
  std::optional<testing::violation> run();
  summary const& told() const { return summary_; }

 private:
  void launch(std::string const& name);
  void make_bus();
  void make_objects();
  void plan_users();
  void plan_troubles();
  void user_acts();
  void check_deletion(sim_job const& job, repository const& where, std::string const& id);
  void check_restore(sim_job const& job, snapshot const& from, std::string const& target);
  void check_leases(sim_job const& job);
  void check_creation(json::value const& object);
  void check_removal(proto::delete_object const& command);
  void check_burst(proto::backup const& doomed);
  void plant();
  void calm_down();
  void check_message(bus::stored const& message);
  void check_end();
  void violate(std::string rule, std::string text) { home_.violate(std::move(rule), std::move(text)); }
  json::value const* pick(std::string_view kind, std::function<bool(json::value const&)> fits);

  story_options how_;
  testing::world home_;
  testing::bus_net net_;
  datacenter data_;
  testing::call_faults cluster_faults_;
  testing::dice users_;
  std::map<std::string, std::shared_ptr<testing::process>> alive_;
  std::map<std::string, int> backups_per_slot_;   // "<schedule uid> <slot> <source>"
  std::map<std::string, int> restores_per_object_;
  std::map<std::string, instant> executed_;        // uid -> when its deletion was asked for; not our own pruning
  instant bus_down_until_{};
  int made_ = 0;
  summary summary_;
};

}  // namespace kopiur::simulation
