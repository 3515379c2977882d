#pragma once
#include "common/http/attend.hpp"

namespace kopiur::http {

/// Limits of a server, for all of its clients together.
struct server_limits {
  std::size_t clients = 64;                      ///< past it a new one replaces another (client_list.hpp), or is closed at once
  std::function<void(std::string)> report = {};  ///< receives a sentence when connections cannot be accepted
};

/// Accepts clients and attends each; `terms` is called for each of them. An error of accepting (no descriptor is free, the client has left)
/// ends nothing: it is reported at most once a minute, and tried again after a pause. Ends by cancellation, or with what `by` or `terms`
/// throws.
boost::asio::awaitable<void> serve_clients(boost::asio::ip::tcp::acceptor& door, answering by, std::function<manners()> terms,
                                           server_limits limits);

}  // namespace kopiur::http
