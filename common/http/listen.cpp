#include "common/http/listen.hpp"

#include <boost/asio.hpp>

namespace kopiur::http {

namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

tcp::endpoint endpoint_of(std::string const& address) {
  auto colon = address.rfind(':');
  auto host = colon == address.npos ? "" : address.substr(0, colon);
  auto port = colon == address.npos ? address : address.substr(colon + 1);
  boost::system::error_code wrong;
  auto ip = host.empty() ? asio::ip::address(asio::ip::address_v4::any()) : asio::ip::make_address(host, wrong);
  char* end = nullptr;
  auto number = std::strtol(port.c_str(), &end, 10);
  if (wrong || port.empty() || *end != 0 || number < 0 || number > 65535)
    throw std::runtime_error("\"" + address + "\" is not an address to listen on; write it as 127.0.0.1:8080 or :8080.");
  return {ip, static_cast<unsigned short>(number)};
}

}  // namespace

tcp::acceptor listen(asio::any_io_executor const& loop, std::string const& address) {
  tcp::acceptor door(loop);
  auto where = endpoint_of(address);
  boost::system::error_code failed;
  door.open(where.protocol(), failed);
  if (!failed) door.set_option(tcp::acceptor::reuse_address(true), failed);
  if (!failed) door.bind(where, failed);
  if (!failed) door.listen(asio::socket_base::max_listen_connections, failed);
  if (failed)
    throw std::runtime_error("Cannot listen on " + address + ": " + failed.message() + ". Choose another address, or free this one.");
  return door;
}

}  // namespace kopiur::http
