#pragma once
#include <string>
#include <variant>

#include "proto/events/run.hpp"

/// What a decision asks others for.
namespace kopiur::controller {

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

}  // namespace kopiur::controller
