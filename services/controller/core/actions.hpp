#pragma once
#include <optional>
#include <vector>

#include "proto/events/status.hpp"
#include "services/controller/core/asks.hpp"

/// What a reconcile decides.
namespace kopiur::controller {

/// A fragment of an object's status.
struct object_status {
  proto::object_ref object;
  proto::status_fragment fragment;
};

/// What an object needs now, besides the runs that it has.
struct actions {
  std::vector<new_run> orders;
  std::vector<ask> asks;
  std::vector<object_status> statuses;
  std::optional<instant> wake;
};

/// Adds what else it needs.
void add(actions& to, actions more);

/// The earlier one; nothing counts as never.
inline std::optional<instant> soonest(std::optional<instant> a, std::optional<instant> b) { return a && b ? std::min(*a, *b) : a ? a : b; }

}  // namespace kopiur::controller
