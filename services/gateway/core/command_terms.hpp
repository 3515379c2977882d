#pragma once
#include <optional>
#include <string>

#include "proto/events/command.hpp"

/// What the gateway needs to know of a command to give it a turn. Pure.
namespace kopiur::gateway {

/// The namespace that the command works for, whose share of the workers it uses; empty for objects without a namespace.
std::string namespace_of(proto::gateway_command const& command);
/// Whether the command is a hook: code of a user, which may run for an hour.
bool is_hook(proto::gateway_command const& command);
/// Cuts a hook's timeout to the maximum (proto::longest_hook_timeout). Returns a sentence if it was longer.
std::optional<std::string> cut_timeout(proto::gateway_command& hook);

}  // namespace kopiur::gateway
