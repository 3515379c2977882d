#pragma once
#include <optional>
#include <string>
#include <vector>

#include "proto/events/command.hpp"
#include "proto/events/status.hpp"
#include "services/controller/core/objects.hpp"

/// The statuses of Bucketys and accesses: conditions, and an Event when the reason of Ready changes.
namespace kopiur::provisioner {

/// Ready, with the reason; and Reconciling, when the object waits for something that passes by itself.
struct ready_state {
  bool ready = false;
  std::string reason, message;
  bool working = false;
  std::string event{};  ///< the reason of its Event; empty: as `reason`
};
/// A condition that is stated only while it holds, and as False from then on.
struct exceptional {
  std::string type, reason, message;
  bool holds = false;
};

/// The fragment. `observed`: the generation that is in effect.
template <class Object>
proto::status_fragment fragment_of(Object const& object, json::value status, ready_state const& state, std::int64_t observed,
                                   std::vector<exceptional> const& more);

/// An Event about that state, unless the object's status has it already: Warning when `warns`.
template <class Object>
std::optional<proto::record_event> event_of(Object const& object, ready_state const& state, bool warns);

}  // namespace kopiur::provisioner
