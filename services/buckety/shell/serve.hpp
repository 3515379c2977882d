#pragma once
#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>

#include "services/buckety/shell/settings.hpp"

namespace kopiur::buckety::program {

/// Health pages, nats-server, the gateway with its webhook, and the provisioner while this process is the leader. Ends by cancellation, or
/// with the first error: also when another process may be the leader by now.
boost::asio::awaitable<void> serve(boost::asio::io_context& loop, settings settings);

}  // namespace kopiur::buckety::program
