#pragma once
#include <algorithm>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "proto/events/run.hpp"

/// The plan engine: takes a run from due to done. Pure and level-triggered: it looks at the run's state and at what is to be seen now, and
/// says the next fact and what to ask for. It knows no plan by name. architecture.md "The plan engine", decisions.md section 3.
namespace kopiur::mover_orchestration {

/// A run to be made, once: the id is derived from what it is for.
struct new_run {
  std::string id;
  proto::run_order order;
};
/// The snapshots of an identity, out of the newest list of the repository object of this uid.
struct list_query {
  std::string repository;
  proto::identity of;
  auto operator<=>(list_query const&) const = default;
};

/// Something to be asked for: under a deterministic name, again and again until what it is for is seen.
struct ask {
  std::variant<proto::gateway_command, proto::lease_request, new_run, list_query> what;
  std::string key;  ///< of the gateway's command
};

/// What a recipe says of a run that is due.
struct ready {
  proto::run_plan plan;
};
struct wait {
  proto::wait_reason why;
  std::optional<instant> look_again;  ///< besides at every change of what the recipe read
  std::vector<ask> asks;              ///< what may end the wait
  std::optional<duration> at_most;    ///< then the run fails: something is missing that somebody has to bring. Nothing: no such end
};
struct refused {
  proto::run_failure failure;
};
/// There is nothing to do, and that is a success (a Backup to be deleted whose snapshot is kept).
struct nothing_to_do {
  std::string why;  ///< a sentence
};
using preparation = std::variant<ready, wait, refused, nothing_to_do>;
/// A part of a plan; or what is to be said while there is none.
template <class T>
using plan_part = std::expected<T, preparation>;

/// Somebody wants a run to end. `as`: nobody wanted that, but it went wrong so, and `why` is the sentence that says it.
struct cancellation {
  std::string why;
  std::optional<proto::failure_class> as{};
};

/// A run that an occasion is for, as long as it gathers.
struct attendant {
  enum class state {
    missing,   ///< it waits for something that is not there, or is itself not there yet
    prepared,  ///< it waits for a slot or a lock, to read its source as it is
    ready,
    over
  };
  proto::occasion_member who;
  state is = state::missing;
  std::string name;  ///< of its Backup, or of the source that has none
};

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

/// The earlier one; nothing counts as never.
inline std::optional<instant> soonest(std::optional<instant> a, std::optional<instant> b) { return a && b ? std::min(*a, *b) : a ? a : b; }

/// The run is among those that hold the lease; nullptr: nobody holds it.
bool holds(proto::lease_state const* lease, proto::run_state const& run);

/// It takes part once those that an occasion is for are settled.
inline bool takes_part(attendant const& one) { return one.is == attendant::state::ready || one.is == attendant::state::prepared; }

/// How long a pod may say that it cannot start, where nobody says it.
inline constexpr duration usual_pod_start = std::chrono::minutes(5);

/// Back-off between attempts: 10 s, doubled each time, 10 min at most.
duration backoff(int attempt);
/// Whether the back-off after this attempt, which ends at `until`, is to be waited for. One that lies further ahead than it
/// is long was begun before the clock was stepped back: it is over, or a step of an hour would stop the run for an hour.
bool backs_off(instant until, int attempt, instant now);

/// The stream keeps a fact for 90 d; a run that is not over says so again before (decisions.md section 2).
inline constexpr duration republish_after = std::chrono::hours(24 * 60);

/// A lease is renewed when less than this is left of its 120 s.
inline constexpr duration renew_below{80'000};

}  // namespace kopiur::mover_orchestration
