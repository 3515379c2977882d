#pragma once
#include <expected>
#include <functional>
#include <optional>
#include <string>

#include "proto/events/lease.hpp"

/// Who may do what to which key, one exclusive holder at a time. Pure: state, request, now -> the next state and what happened.
/// decisions.md section 3 ("Leases", "Keys").
namespace kopiur::maintenance_lease {

/// How long a grant holds without renewal, how long a waiter is remembered without asking again, and how many may share a key. A crowd
/// would be busy with nothing but saying that it is still there, and each word is the whole state: so both grow with it.
struct policy {
  duration ttl = std::chrono::seconds(120);
  duration patience = std::chrono::seconds(60);
  duration longer_for_each{500};  ///< of those who hold, or wait, already
  std::size_t shared_limit = 8;   ///< slots: `repo/` keys; others are not limited
};

/// A change of one aggregate: the event and the state after it.
struct change {
  proto::lease_event event;
  proto::lease_state state;
};

/// Those whose movers work under the key though its state does not name them: the bus has lost that. What does not fit beside them waits.
using unrecorded_holders = std::vector<proto::lease_holder>;

/// Says whether nothing of a run acts any more: then its expired place may be given away. The text is the proof, for the fact.
using proof_of_end = std::function<std::optional<std::string>(proto::lease_holder const&)>;

/// Decides a request. Nothing: the state stands as it is (a repeated request, a release of what is not held). A renewal by a run that is no
/// holder is nothing too: the run sees in the state that it has lost the lease. `next_fence` is above every fence given before on this key.
std::optional<change> decide(proto::lease_state const& state, proto::lease_request const& request, std::uint64_t next_fence, instant now,
                             policy const& rule, unrecorded_holders const& beside = {});

/// One step of what time alone brings: takes the place of an expired holder whose end is proven, forgets a waiter that no longer asks, and
/// grants to the first waiter who fits. Call until it gives nothing.
std::optional<change> tick(proto::lease_state const& state, std::uint64_t next_fence, instant now, policy const& rule,
                           proof_of_end const& ended, unrecorded_holders const& beside = {});

/// When tick() may have something to do next; nothing when the key is free and nobody waits.
std::optional<instant> next_tick(proto::lease_state const& state);

/// The holder's place of a run, or nothing.
proto::lease_holder const* holder(proto::lease_state const& state, std::string_view cluster, std::string_view run);

}  // namespace kopiur::maintenance_lease
