#pragma once
#include <optional>

#include "proto/events/command.hpp"
#include "services/gateway/core/names.hpp"
#include "services/gateway/core/refusal.hpp"

namespace kopiur::gateway {

/// Refuses a patch that adds a finalizer to an object that is being deleted: the finalizer would block the deletion. Else nothing.
std::optional<refusal> refused_finalizer(json::value const& object, proto::patch_metadata const& patch);

}  // namespace kopiur::gateway
