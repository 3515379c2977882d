#pragma once
#include <algorithm>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "services/controller/core/lease_queue.hpp"
#include "services/controller/core/plan_kind.hpp"
#include "services/controller/core/run_facts.hpp"

/// The plan engine: takes a run from Due to FollowThroughComplete. Pure and level-triggered: from the run's state and the current
/// observation it derives the next fact and the requests to send. It knows no plan by name. architecture.md "The plan engine", decisions.md
/// section 3.
namespace kopiur::mover_orchestration {

// The vocabulary of plans and decisions.
using controller::ask;
using controller::attendant;
using controller::backoff;
using controller::backs_off;
using controller::cancellation;
using controller::follow_through;
using controller::new_run;
using controller::nothing_to_do;
using controller::preparation;
using controller::ready;
using controller::refused;
using controller::secured;
using controller::securing;
using controller::soonest;
using controller::takes_part;
using controller::usual_pod_start;
using controller::wait;

/// The place of a run that waits for no lease.
inline controller::queue_place nowhere(std::string_view) { return {}; }

/// A consistent view of everything the engine may read. Pointers and functions are valid during advance() only.
struct observation {
  instant now{};
  std::uint64_t sequence = 0;                                                               ///< of the run's last fact
  std::function<preparation()> prepare;                                                     ///< called in stage Due
  std::function<proto::answer const*(std::string_view verb, std::string_view key)> answer;  ///< from the gateway; nullptr: none yet
  std::function<proto::lease_state const*(std::string_view key)> lease;                     ///< nullptr: the lease is free
  std::function<controller::queue_place(std::string_view key)> place = nowhere;             ///< of the run, in the queue of a lease
  proto::job_status const* job = nullptr;                       ///< of the current attempt; nullptr: not in the cache
  std::vector<proto::lease_proof> const* job_leases = nullptr;  ///< those of that Job
  std::vector<int> older_jobs;                                  ///< earlier attempts whose Jobs are in the cache
  std::function<duration(instant since)> watched;               ///< how long the cluster was seen to answer since then
  bool object_exists = true;  ///< the object that `order.create` requests is in the cache, created by this run
  int committed_before = 0;   ///< the attempt that the object's own status shows as committed, even if the bus lost that fact; 0: none
  bool receipt_seen = true;   ///< the object's own status shows what it must before the act
  std::optional<cancellation> cancel;
  std::function<proto::run_state const*(std::string const& run)> other;  ///< another run; nullptr: never ordered, or expired
  std::function<std::vector<attendant>()> attendants;                    ///< set for an occasion that gathers
  std::function<std::optional<std::string>()> rests_already;             ///< the run that keeps the application quiesced, else nothing
  std::function<securing()> secure;        ///< what must be held besides the leases before the act. Absent: nothing
  std::function<std::vector<ask>()> keep;  ///< keeps that, from the commit on. Absent: it needs nothing
  std::function<follow_through()> follow;  ///< what must be done between the result and the end. Absent: nothing
};

struct step {
  std::optional<proto::run_fact> fact;  ///< to be written by compare-and-set before any request is sent; then advance again
  std::vector<ask> asks;
  std::optional<instant> wake;  ///< call advance() again at this time at the latest
};

/// The next step of a run. Without fact, asks and wake the run is over.
step advance(proto::run_state const& run, observation const& seen);

/// The stream keeps a fact for 90 d; a run that is still open publishes its fact again before that (decisions.md section 2).
inline constexpr duration republish_after = std::chrono::hours(24 * 60);

/// A lease is renewed when less than this remains of its 120 s.
inline constexpr duration renew_below{80'000};

}  // namespace kopiur::mover_orchestration
