#pragma once
#include <optional>

#include "proto/events/command.hpp"

namespace kopiur::gateway {

/// What a swap of a status field comes to, from the object as it was read.
struct status_swap {
  std::optional<json::value> status;  ///< to be written; nothing: no write is needed, or `found` is not what was expected
  bool expected = true;               ///< the field was what the command expects, or is already what it sets
  json::value found;                  ///< the field as it is; null: absent
};
status_swap swapped(json::value const& object, proto::swap_status const& command);

}  // namespace kopiur::gateway
