#pragma once
#include <boost/asio/ip/tcp.hpp>
#include <string>

namespace kopiur::http {

/// Listens on `address`: `127.0.0.1:8080`, `:8080` for all addresses; port 0: the kernel chooses one. Throws std::runtime_error with a
/// sentence when the address is invalid or unavailable.
boost::asio::ip::tcp::acceptor listen(boost::asio::any_io_executor const& loop, std::string const& address);

}  // namespace kopiur::http
