#pragma once
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <variant>

#include "proto/core/lease.hpp"
#include "services/controller/core/lease_queue.hpp"

/// Leases: which run may do what to which key, one exclusive holder at a time. Pure: holders, queue, request, now -> what is to be written.
/// decisions.md section 3 ("Leases", "Keys").
namespace kopiur::maintenance_lease {

/// How long a grant lasts without renewal, and how long a waiter is kept without repeating its request. Both times grow with the number of
/// runs, or a crowd would do nothing but renew and repeat.
struct policy {
  duration ttl = std::chrono::seconds(120);
  duration patience = std::chrono::seconds(60);
  duration longer_for_each{500};  ///< for each existing holder or waiter
};

/// So many runs hold one lease at most, whatever the requests say: the holders are one message, which each of them renews.
inline constexpr std::size_t most_holders = 500;

/// The holders change: the event, and the state after it.
struct change {
  proto::lease_event event;
  proto::lease_state state;
};
/// The run waits, or keeps its place: its entry is to be written.
struct queued {
  proto::lease_waiter waiter;
};
/// The run waits no longer: its entry is to be removed.
struct dropped {
  proto::lease_waiter waiter;
};
/// What is to be written; nothing: all stays as it is.
using outcome = std::variant<std::monostate, change, queued, dropped>;

/// Runs whose movers work under the key although its state does not name them, because the bus lost it. A request that conflicts with them
/// waits.
using unrecorded_holders = std::vector<proto::lease_holder>;

/// Returns a proof, as text for the fact, that nothing of a run can act any more. Then its expired place may be reassigned.
using proof_of_end = std::function<std::optional<std::string>(proto::lease_holder const&)>;

/// One lease, as it is known now.
struct sight {
  proto::lease_state const& state;
  controller::lease_queue const& queue;
  std::uint64_t next_fence = 0;  ///< above every fence granted before on this key
  instant now{};
  unrecorded_holders const& beside;
};

/// Decides a request. `mine`: the run's entry in the queue. Nothing: no change (a repeated request, a release of a lease that is not held).
/// A renewal by a run that is not a holder changes nothing either: the run sees in the state that it has lost the lease. A run that gets or
/// releases the lease leaves the queue: the caller removes its entry.
outcome decide(sight const& seen, proto::lease_request const& request, std::optional<proto::lease_waiter> mine, policy const& rule);

/// One step driven by time alone: removes an expired holder whose end is proven, drops a waiter that no longer repeats its request or has
/// got the lease, or grants the lease to the first waiter if it fits. Call until it returns nothing.
outcome tick(sight const& seen, policy const& rule, proof_of_end const& ended);

/// When tick() may have work next; empty when the key has no holder and no waiter.
std::optional<instant> next_tick(proto::lease_state const& state, controller::lease_queue const& queue);

/// The state without the run; empty: the run is not a holder.
std::optional<proto::lease_state> without(proto::lease_state state, std::string_view cluster, std::string_view run);

/// The run's entry among the holders, or nullptr.
proto::lease_holder const* holder(proto::lease_state const& state, std::string_view cluster, std::string_view run);

}  // namespace kopiur::maintenance_lease
