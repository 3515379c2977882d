#pragma once
#include <boost/asio/awaitable.hpp>
#include <string>

#include "proto/events/command.hpp"
#include "services/controller/shell/service_context.hpp"

namespace kopiur::controller {

/// Sends a command to the gateway and waits for its own answer: an answer to an earlier command of the same purpose is never taken for it.
/// `purpose`: names the command in subjects. Without an answer in time: Ambiguous, with a sentence. Can be cancelled.
boost::asio::awaitable<proto::answer> call_gateway(service_context context, proto::gateway_command what, std::string purpose,
                                                   duration patience = duration(30'000));

}  // namespace kopiur::controller
