#pragma once
#include <string>
#include <variant>

#include "proto/events/run.hpp"

/// The requests that a decision sends.
namespace kopiur::controller {

/// A run to create once: its id is derived from its purpose.
struct new_run {
  std::string id;
  proto::run_order order;
};
/// A query for the snapshots of an identity, from the newest list of the repository object with this uid.
struct list_query {
  std::string repository;
  proto::identity identity;
  auto operator<=>(list_query const&) const = default;
};

/// A request. It is sent under a deterministic name, repeatedly, until its effect is seen.
struct ask {
  std::variant<proto::gateway_command, proto::lease_request, new_run, list_query> what;
  std::string key;  ///< of the gateway's command
};

}  // namespace kopiur::controller
