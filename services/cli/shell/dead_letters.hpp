#pragma once
#include <vector>

#include "services/cli/shell/session.hpp"

namespace kopiur::cli {

/// The dead letters of the bus, oldest first. What the server says of them (its advisories lie in the same stream) is not among them.
boost::asio::awaitable<std::vector<bus::stored>> dead_letters(session& on);

}  // namespace kopiur::cli
