#pragma once
#include <boost/asio.hpp>
#include <string>

/// A client's end of a connection, for tests that speak HTTP by hand.
namespace kopiur::http {

inline boost::asio::awaitable<void> say(boost::asio::ip::tcp::socket& socket, std::string text) {
  co_await boost::asio::async_write(socket, boost::asio::buffer(text), boost::asio::use_awaitable);
}
/// Reads until the other side closes.
inline boost::asio::awaitable<std::string> hear(boost::asio::ip::tcp::socket& from) {
  std::string heard;
  boost::system::error_code ended;
  co_await boost::asio::async_read(from, boost::asio::dynamic_buffer(heard),
                                   boost::asio::redirect_error(boost::asio::use_awaitable, ended));
  co_return heard;
}

}  // namespace kopiur::http
