#pragma once
#include <expected>
#include <functional>
#include <optional>
#include <string>

#include "proto/core/lease.hpp"

/// Leases: which run may do what to which key, one exclusive holder at a time. Pure: state, request, now -> the next state and what
/// happened. decisions.md section 3 ("Leases", "Keys").
namespace kopiur::maintenance_lease {

/// How long a grant lasts without renewal, and how long a waiter is kept without repeating its request. Both
/// times grow with the number of runs: each renewal or repetition writes the whole state, so a crowd would do nothing else.
struct policy {
  duration ttl = std::chrono::seconds(120);
  duration patience = std::chrono::seconds(60);
  duration longer_for_each{500};  ///< for each existing holder or waiter
};

/// A change of one lease: the event and the state after it.
struct change {
  proto::lease_event event;
  proto::lease_state state;
};

/// Runs whose movers work under the key although its state does not name them, because the bus lost it. A request that conflicts with them
/// waits.
using unrecorded_holders = std::vector<proto::lease_holder>;

/// Returns a proof, as text for the fact, that nothing of a run can act any more. Then its expired place may be reassigned.
using proof_of_end = std::function<std::optional<std::string>(proto::lease_holder const&)>;

/// Decides a request. Empty: no change (a repeated request, a release of a lease that is not held). A renewal by a run that is not a holder
/// is empty too: the run sees in the state that it has lost the lease. `next_fence` must be above every fence granted before on this key.
std::optional<change> decide(proto::lease_state const& state, proto::lease_request const& request, std::uint64_t next_fence, instant now,
                             policy const& rule, unrecorded_holders const& beside = {});

/// One step driven by time alone: removes an expired holder whose end is proven, drops a waiter that no longer repeats its request, or
/// grants the lease to the first waiter if it fits. Call until it returns empty.
std::optional<change> tick(proto::lease_state const& state, std::uint64_t next_fence, instant now, policy const& rule,
                           proof_of_end const& ended, unrecorded_holders const& beside = {});

/// When tick() may have work next; empty when the key has no holder and no waiter.
std::optional<instant> next_tick(proto::lease_state const& state);

/// The run's entry among the holders, or nullptr.
proto::lease_holder const* holder(proto::lease_state const& state, std::string_view cluster, std::string_view run);

}  // namespace kopiur::maintenance_lease
