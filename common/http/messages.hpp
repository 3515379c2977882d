#pragma once
#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/string_body.hpp>
#include <span>

/// HTTP messages on a stream of bytes. Each read and write is a separate await, so that no cancellation is lost. Beast's async_read and
/// async_read_some (1.81) ignore a cancellation between two pieces of a message: they read on and may wait forever. TLS delivers records
/// that way. Beast is instantiated here once, not for each kind of stream.
namespace kopiur::http {

/// A byte stream in both directions. Can be cancelled.
class byte_stream {
 public:
  virtual ~byte_stream() = default;
  /// Reads at least one byte; else `failed` says why none came, `eof` when the peer has ended.
  virtual boost::asio::awaitable<std::size_t> read_some(boost::asio::mutable_buffer buffer, boost::system::error_code& failed) = 0;
  /// Writes all parts. Throws boost::system::system_error.
  virtual boost::asio::awaitable<void> write(std::span<boost::asio::const_buffer const> parts) = 0;
};

using wire_request = boost::beast::http::request<boost::beast::http::string_body>;
using wire_response = boost::beast::http::response<boost::beast::http::string_body>;

/// Reads until the parser accepted a part of the message. Returns the parser's error, `end_of_stream` when the peer ended between two
/// messages, or the stream's error. `is_request`, here and below, is deduced.
template <bool is_request>
boost::asio::awaitable<boost::system::error_code> read_some(byte_stream& from, boost::beast::flat_buffer& buffer,
                                                            boost::beast::http::basic_parser<is_request>& parser);
/// Reads the rest of the header. Throws boost::system::system_error.
template <bool is_request>
boost::asio::awaitable<void> read_header(byte_stream& from, boost::beast::flat_buffer& buffer,
                                         boost::beast::http::basic_parser<is_request>& parser);
/// Reads the rest of the message. Throws boost::system::system_error.
template <bool is_request>
boost::asio::awaitable<void> read(byte_stream& from, boost::beast::flat_buffer& buffer,
                                  boost::beast::http::basic_parser<is_request>& parser);

/// Writes a whole message, with its length. Throws boost::system::system_error.
boost::asio::awaitable<void> write(byte_stream& stream, wire_request what);
boost::asio::awaitable<void> write(byte_stream& stream, wire_response what);
/// Writes only the header, as it is. Throws boost::system::system_error.
boost::asio::awaitable<void> write_head(byte_stream& stream, wire_request what);

}  // namespace kopiur::http
