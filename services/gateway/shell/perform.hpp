#pragma once
#include <expected>
#include <string>

#include "services/gateway/shell/ports.hpp"

namespace kopiur::gateway {

/// Reads a command: the body is tagged with its verb (`{"create-object": {...}}`), or only the subject contains the verb.
std::expected<proto::gateway_command, std::string> read_command(bus::stored const& message);

/// Performs the command. An exception of the cluster is answered as Unavailable; only cancellation is thrown.
awaitable<proto::answer> perform(ports ports, proto::gateway_command command);

}  // namespace kopiur::gateway
