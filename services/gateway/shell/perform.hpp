#pragma once
#include <expected>
#include <string>

#include "services/gateway/shell/ports.hpp"

namespace kopiur::gateway {

/// Reads a command: the body is tagged with its verb (`{"create-object": {...}}`), or the verb stands in the subject alone.
std::expected<proto::gateway_command, std::string> read_command(bus::stored const& message);

/// Does what the command says. A failure of the world is answered as Unavailable; only cancellation is thrown.
awaitable<proto::answer> perform(ports to, proto::gateway_command command);

}  // namespace kopiur::gateway
