#pragma once
#include <boost/asio.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>

/// Reading HTTP messages so that a cancellation is never lost. Beast's own async_read and async_read_some (1.81) forget one that comes when
/// a piece has arrived, and more of the message is needed: they read on, and wait for what may never come. TLS delivers records that way.
/// Here each read is an await of its own, and each await looks whether its coroutine was cancelled.
namespace kopiur::http {

/// Reads until something of the message could be parsed. The parser's error, `end_of_stream` where the other side ended between two
/// messages, or the stream's error.
template <class Stream, bool is_request>
boost::asio::awaitable<boost::system::error_code> read_some(Stream& stream, boost::beast::flat_buffer& buffer,
                                                            boost::beast::http::basic_parser<is_request>& parser) {
  namespace asio = boost::asio;
  using boost::beast::http::error;
  constexpr std::size_t at_a_time = 16 << 10;  // no TLS record holds more
  boost::system::error_code failed;
  for (bool arrived = buffer.size() > 0;; arrived = true) {
    if (arrived) {
      buffer.consume(parser.put(buffer.data(), failed));
      if (failed != error::need_more) co_return failed;
      failed = {};
    }
    auto got = co_await stream.async_read_some(buffer.prepare(at_a_time), asio::redirect_error(asio::use_awaitable, failed));
    buffer.commit(got);
    if (failed == asio::error::eof) {
      if (!parser.got_some()) co_return error::end_of_stream;
      failed = {};
      parser.put_eof(failed);
      co_return failed;
    }
    if (failed) co_return failed;
  }
}

/// The rest of the header. Throws boost::system::system_error.
template <class Stream, bool is_request>
boost::asio::awaitable<void> read_header(Stream& stream, boost::beast::flat_buffer& buffer,
                                         boost::beast::http::basic_parser<is_request>& parser) {
  parser.eager(false);
  while (!parser.is_header_done())
    if (auto failed = co_await read_some(stream, buffer, parser)) throw boost::system::system_error(failed);
}

/// The rest of the message. Throws boost::system::system_error.
template <class Stream, bool is_request>
boost::asio::awaitable<void> read(Stream& stream, boost::beast::flat_buffer& buffer, boost::beast::http::basic_parser<is_request>& parser) {
  parser.eager(true);
  while (!parser.is_done())
    if (auto failed = co_await read_some(stream, buffer, parser)) throw boost::system::system_error(failed);
}

}  // namespace kopiur::http
