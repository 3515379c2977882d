#include "common/http/messages.hpp"

#include <boost/asio.hpp>
#include <boost/beast/core/buffers_range.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/serializer.hpp>

namespace kopiur::http {

namespace asio = boost::asio;
namespace beast = boost::beast;
using beast::http::basic_parser;
using beast::http::error;
using boost::system::error_code;
using boost::system::system_error;

namespace {

constexpr std::size_t at_a_time = 16 << 10;  // the maximum of a TLS record

/// Writes the whole message, or its header alone.
template <class Message>
asio::awaitable<void> write_all(byte_stream& stream, Message what, bool header_alone = false) {
  if (!header_alone) what.prepare_payload();
  beast::http::serializer<Message::header_type::is_request::value, beast::http::string_body> from(what);
  from.split(header_alone);
  while (!from.is_done() && !(header_alone && from.is_header_done())) {
    std::vector<asio::const_buffer> parts;
    error_code failed;
    from.next(failed, [&](error_code&, auto const& some) {
      for (asio::const_buffer each : beast::buffers_range_ref(some)) parts.push_back(each);
    });
    if (failed) throw system_error(failed);
    co_await stream.write(parts);
    from.consume(asio::buffer_size(parts));
  }
}

}  // namespace

template <bool is_request>
asio::awaitable<error_code> read_some(byte_stream& from, beast::flat_buffer& buffer, basic_parser<is_request>& parser) {
  error_code failed;
  for (bool arrived = buffer.size() > 0;; arrived = true) {
    if (arrived) {
      buffer.consume(parser.put(buffer.data(), failed));
      if (failed != error::need_more) co_return failed;
      failed = {};
    }
    auto got = co_await from.read_some(buffer.prepare(at_a_time), failed);
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

template <bool is_request>
asio::awaitable<void> read_header(byte_stream& from, beast::flat_buffer& buffer, basic_parser<is_request>& parser) {
  parser.eager(false);
  while (!parser.is_header_done())
    if (auto failed = co_await read_some(from, buffer, parser)) throw system_error(failed);
}

template <bool is_request>
asio::awaitable<void> read(byte_stream& from, beast::flat_buffer& buffer, basic_parser<is_request>& parser) {
  parser.eager(true);
  while (!parser.is_done())
    if (auto failed = co_await read_some(from, buffer, parser)) throw system_error(failed);
}

template asio::awaitable<error_code> read_some(byte_stream&, beast::flat_buffer&, basic_parser<false>&);
template asio::awaitable<void> read_header(byte_stream&, beast::flat_buffer&, basic_parser<false>&);
template asio::awaitable<void> read_header(byte_stream&, beast::flat_buffer&, basic_parser<true>&);
template asio::awaitable<void> read(byte_stream&, beast::flat_buffer&, basic_parser<false>&);
template asio::awaitable<void> read(byte_stream&, beast::flat_buffer&, basic_parser<true>&);

asio::awaitable<void> write(byte_stream& stream, wire_request what) { return write_all(stream, std::move(what)); }
asio::awaitable<void> write(byte_stream& stream, wire_response what) { return write_all(stream, std::move(what)); }
asio::awaitable<void> write_head(byte_stream& stream, wire_request what) { return write_all(stream, std::move(what), true); }

}  // namespace kopiur::http
