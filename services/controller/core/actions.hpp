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

/// What an object needs now, in addition to its existing runs.
struct actions {
  std::vector<new_run> orders;
  std::vector<ask> asks;
  std::vector<object_status> statuses;
  std::optional<instant> wake;
};

/// Appends `more` to `to`.
void add(actions& needs, actions more);

/// The earlier one; an empty value counts as never.
inline std::optional<instant> soonest(std::optional<instant> a, std::optional<instant> b) { return a && b ? std::min(*a, *b) : a ? a : b; }

}  // namespace kopiur::controller
