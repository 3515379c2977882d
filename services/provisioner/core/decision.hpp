#pragma once
#include <chrono>
#include <variant>

#include "proto/events/command.hpp"
#include "proto/events/status.hpp"
#include "services/provisioner/core/view.hpp"
#include "services/systems/buckety/rules/deletion.hpp"
#include "services/systems/buckety/rules/provenance.hpp"

/// What to do for a Buckety. A pass asks next() again and again: each answer is one call to a backend or to the bus, whose result becomes
/// one of the facts, or the end of the pass.
namespace kopiur::provisioner {

/// The lease of a name on a store. It says whose the name is, and that this replica alone may change the resource now.
enum class claim { Held, Busy };
struct taken {
  std::string by;  ///< `namespace/name` of the object that has it
};
/// A failed call to the backend, as a sentence.
struct call_failed {
  std::string message;
};
/// There is no object of that uid any more.
struct object_gone {};
/// A setting of the resource that cannot be changed to what is wanted, as a sentence with the parameter's name.
struct drifted {
  std::string message;
};
enum class alignment { Same, Different };
enum class removal { Done, Emptying };

/// What one pass has learned.
struct facts {
  std::optional<std::variant<claim, taken>> claimed;
  std::optional<bool> recorded;  ///< whether the claim says that this object has made or adopted the resource; read without taking it
  bool made_by_us = false;       ///< the claim records that this object's own call made the resource
  bool adopted_by_us = false;    ///< it records that this object has adopted the resource
  bool removed_by_us = false;    ///< the claim records that this object's deletion has removed it
  std::optional<std::variant<buckety::inspection, call_failed>> inspected;
  std::optional<std::variant<buckety::create_result, call_failed>> created;
  std::optional<std::variant<alignment, drifted, call_failed>> compared, aligned;
  std::optional<std::variant<proto::buckety, object_gone, call_failed>> live;  ///< the object by a live read
  std::optional<std::variant<removal, call_failed>> removed;
};

/// Which resource, and what it should be.
struct resource_call {
  buckety::backend const* backend = nullptr;
  std::string store;  ///< where the backend is (driver_rules::store)
  std::string name;
  buckety::parameters parameters{};
};
// The calls.
struct read_claim : resource_call {};
struct take_claim : resource_call {};
struct inspect : resource_call {
  bool content = false;  ///< whether to look for content; else it is enough to know whether it exists
};
struct create : resource_call {};
struct compare : resource_call {};  ///< reads only
struct align : resource_call {};
struct record_adoption : resource_call {};
struct read_live {};
struct remove_resource : resource_call {};

/// The end of a pass.
struct finished {
  std::optional<proto::status_fragment> status;
  std::vector<proto::gateway_command> commands;
  std::chrono::milliseconds again{0};         ///< look again after this; zero: at the usual cadence
  std::optional<resource_call> free_claim{};  ///< the object has no more to do with the name
};
using step = std::variant<read_claim, take_claim, inspect, create, compare, align, record_adoption, read_live, remove_resource, finished>;

step next(buckety_view const& view, facts const& known);

/// When a call that failed, or a command that may be lost, is tried again.
inline constexpr std::chrono::milliseconds after_a_failure{15'000};
/// Ends a pass by adding the provisioner's finalizer to the object, or by removing it.
finished finalizer_patch(proto::object_ref object, bool add);

}  // namespace kopiur::provisioner
