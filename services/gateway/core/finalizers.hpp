#pragma once
#include <optional>

#include "proto/events/command.hpp"
#include "services/gateway/core/names.hpp"
#include "services/gateway/core/refusal.hpp"

namespace kopiur::gateway {

/// Why the patch is refused: the object is being deleted, and a new finalizer would hold it. Nothing when it is not refused for that.
std::optional<refusal> held_anew(json::value const& object, proto::patch_metadata const& patch);

}  // namespace kopiur::gateway
