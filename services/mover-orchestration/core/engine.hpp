#pragma once
#include <algorithm>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "services/controller/core/plan_kind.hpp"
#include "services/controller/core/run_facts.hpp"

/// The plan engine: takes a run from due to done. Pure and level-triggered: it looks at the run's state and at what is to be seen now, and
/// says the next fact and what to ask for. It knows no plan by name. architecture.md "The plan engine", decisions.md section 3.
namespace kopiur::mover_orchestration {

// The words of plans and decisions.
using controller::ask;
using controller::attendant;
using controller::backoff;
using controller::backs_off;
using controller::cancellation;
using controller::new_run;
using controller::nothing_to_do;
using controller::preparation;
using controller::ready;
using controller::refused;
using controller::soonest;
using controller::takes_part;
using controller::usual_pod_start;
using controller::wait;

/// What may be looked at, all of one moment. Pointers and functions are valid during advance() only.
struct observation {
  instant now{};
  std::uint64_t sequence = 0;                                                               ///< of the run's last fact
  std::function<preparation()> prepare;                                                     ///< Due
  std::function<proto::answer const*(std::string_view verb, std::string_view key)> answer;  ///< of the gateway, nullptr: none yet
  std::function<proto::lease_state const*(std::string_view key)> lease;                     ///< nullptr: free
  proto::job_status const* job = nullptr;          ///< of the current attempt; nullptr: not in the mirror
  std::vector<int> older_jobs;                     ///< earlier attempts whose Jobs are still in the mirror
  std::function<duration(instant since)> watched;  ///< for how long the cluster was seen to answer since then
  bool object_exists = true;                       ///< the object that `order.create` asks for is in the mirror, made by this run
  int committed_before = 0;  ///< the attempt that the object's own status shows as committed, be it that the bus forgot it
  bool receipt_seen = true;  ///< the object's own status shows what must stand there before the act
  std::optional<cancellation> cancel;
  std::function<proto::run_state const*(std::string const& run)> other;  ///< another run; nullptr: never ordered, or it aged out
  std::function<std::vector<attendant>()> attendants;                    ///< of one that gathers
  std::function<std::optional<std::string>()> rests_already;             ///< the run that holds the application, else nothing
};

struct step {
  std::optional<proto::run_fact> fact;  ///< to be written by compare-and-set before anything is asked; then advance again
  std::vector<ask> asks;
  std::optional<instant> wake;  ///< look again then, whatever happens or not
};

/// The next step of a run. No fact, no asks and no wake: it is over.
step advance(proto::run_state const& run, observation const& seen);

/// The stream keeps a fact for 90 d; a run that is not over says so again before (decisions.md section 2).
inline constexpr duration republish_after = std::chrono::hours(24 * 60);

/// A lease is renewed when less than this is left of its 120 s.
inline constexpr duration renew_below{80'000};

}  // namespace kopiur::mover_orchestration
