#pragma once
#include <map>
#include <memory>
#include <set>
#include <string>

#include "common/testing/bus_net.hpp"
#include "common/testing/shrink.hpp"
#include "e2e/simulation/datacenter.hpp"

namespace kopiur::simulation {

/// A bug that is put in on purpose: the run must find it.
enum class planted {
  none,
  forgets_live_read,     ///< deletes what a message asked for, also when the Backup is pinned again or kept (invariants 1, 2)
  doubles_slots,         ///< a slot's Backup is created a second time under another name (3)
  ignores_leases,        ///< Jobs are started whatever lease they name (4)
  restores_twice,        ///< an existing claim is filled again when the answer is lost (5)
  restores_any,          ///< the newest snapshot, whoever's (6)
  leaks_secrets          ///< a Secret's value in a status (10)
};

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
  int made_ = 0;
  summary summary_;
};

}  // namespace kopiur::simulation
