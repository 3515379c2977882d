#pragma once
#include <vector>

#include "services/cli/shell/session.hpp"

namespace kopiur::cli {

/// The dead letters of the bus, oldest first, without the server's advisories, which are in the same stream.
boost::asio::awaitable<std::vector<bus::stored>> dead_letters(session& session);

}  // namespace kopiur::cli
