#pragma once
#include <boost/asio/awaitable.hpp>
#include <optional>
#include <string>

#include "proto/events/command.hpp"
#include "services/controller/shell/service_context.hpp"

namespace kopiur::controller {

/// Sends a command to the gateway and waits for its own answer: an answer to an earlier command of the same purpose is never taken for it.
/// `purpose`: names the command in subjects. Nothing: there was none in time, and the command may still be carried out. Throws
/// std::runtime_error with a sentence when the command cannot be sent, or the answer cannot be read. Can be cancelled.
boost::asio::awaitable<std::optional<proto::answer>> call_gateway(service_context context, proto::gateway_command what, std::string purpose,
                                                                  duration patience = duration(30'000));

}  // namespace kopiur::controller
