#include "common/http/connection.hpp"

#include <boost/asio.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/parser.hpp>

#include "common/http/streamed_call.hpp"
#include "common/http/websocket.hpp"

namespace kopiur::http {

namespace asio = boost::asio;
namespace beast = boost::beast;
using asio::awaitable;
using asio::use_awaitable;
using asio::ip::tcp;
using beast::http::field;

namespace {

/// A line of a watch is one object, and a message is a part of a command's output.
constexpr std::size_t line_limit = 16 << 20;

wire_request to_wire(wire_call const& call, std::string const& host) {
  wire_request out;
  out.method_string(call.method);
  out.target(call.target);
  out.set(field::host, host);
  out.set(field::user_agent, "kopiur");
  for (auto& [name, value] : call.headers) out.set(name, value);
  out.body() = call.body;
  return out;
}

/// An IP address needs no name lookup.
awaitable<std::vector<std::string>> addresses_of(std::string const& host) {
  boost::system::error_code is_name;
  if (asio::ip::make_address(host, is_name); !is_name) co_return std::vector{host};
  auto found = co_await resolve(host);
  if (!found) throw std::runtime_error(found.error());
  co_return std::move(*found);
}

wire_answer head_of(beast::http::response_header<> const& in) {
  return {.status = static_cast<int>(in.result_int()), .body = {}, .retry_after = in[field::retry_after]};
}

}  // namespace

struct connection::inside {
  inside(asio::any_io_executor const& loop, std::shared_ptr<asio::ssl::context> tls, address address, std::string name)
      : where(std::move(address)), certificate_name(name.empty() ? where.host : std::move(name)), wire(tcp::socket(loop), std::move(tls)) {}

  /// The connection cannot be used again unless this call succeeds.
  awaitable<void> send(wire_call const& call) {
    keeps_alive = false;
    co_await write(wire, to_wire(call, host_header(where)));
  }

  address where;
  std::string certificate_name;
  http::wire wire;
  beast::flat_buffer buffer;
  std::optional<streamed_call> streamed;
  std::string pending;  // received, not yet returned as lines
  std::optional<websocket> messages;
  bool keeps_alive = true;
};

connection::connection(asio::any_io_executor const& loop, std::shared_ptr<asio::ssl::context> tls, address where,
                       std::string certificate_name)
    : in_(std::make_unique<inside>(loop, std::move(tls), std::move(where), std::move(certificate_name))) {}
connection::~connection() = default;

awaitable<void> connection::open() {
  std::vector<endpoint> addresses;
  for (auto& ip : co_await addresses_of(in_->where.host)) addresses.push_back({std::move(ip), in_->where.port});
  co_await open(std::move(addresses));
}

awaitable<void> connection::open(std::vector<endpoint> addresses) {
  std::vector<tcp::endpoint> all;
  for (auto const& each : addresses) all.emplace_back(asio::ip::make_address(each.ip), static_cast<std::uint16_t>(std::stoi(each.port)));
  auto& socket = in_->wire.socket();
  co_await asio::async_connect(socket, all, use_awaitable);
  socket.set_option(tcp::no_delay(true));
  co_await in_->wire.shake_hands_as_client(in_->certificate_name);
}

bool is_too_long(std::exception const& failed) {
  auto* of_system = dynamic_cast<boost::system::system_error const*>(&failed);
  return of_system && of_system->code() == beast::http::error::body_limit;
}

std::string words_of(std::exception const& failed) {
  auto* of_system = dynamic_cast<boost::system::system_error const*>(&failed);
  return of_system ? of_system->code().message() : failed.what();
}

awaitable<wire_answer> connection::exchange(wire_call call) {
  co_await in_->send(call);
  beast::http::response_parser<beast::http::string_body> parser;
  parser.body_limit(call.longest);
  if (call.method == "HEAD") parser.skip(true);
  co_await read(in_->wire, in_->buffer, parser);
  in_->keeps_alive = parser.keep_alive();
  auto answer = head_of(parser.get());
  answer.body = std::move(parser.get().body());
  co_return answer;
}

bool connection::is_fresh() {
  auto& socket = in_->wire.socket();
  if (!in_->keeps_alive || !socket.is_open() || in_->buffer.size() > 0) return false;
  char one;
  boost::system::error_code failed;
  socket.non_blocking(true);
  socket.receive(asio::buffer(&one, 1), asio::socket_base::message_peek, failed);
  return failed == asio::error::would_block;  // no data, no end of stream and no TLS close alert is waiting to be read
}

awaitable<answer_head> connection::start(wire_call call, upload& body, bool asks_first, progress& watched) {
  in_->keeps_alive = false;
  call.body.clear();
  auto& streamed = in_->streamed.emplace(in_->wire, in_->buffer);
  co_await streamed.start(to_wire(call, host_header(in_->where)), body, asks_first, watched);
  in_->keeps_alive = streamed.allows_another();
  co_return streamed.head();
}

awaitable<std::size_t> connection::more(asio::mutable_buffer buffer) {
  in_->keeps_alive = false;
  auto length = co_await in_->streamed->more(buffer);
  in_->keeps_alive = in_->streamed->allows_another();
  co_return length;
}

attempt_trace connection::trace() const { return in_->streamed ? in_->streamed->trace() : attempt_trace(); }

awaitable<wire_answer> connection::begin(wire_call call) {
  in_->keeps_alive = false;
  auto& streamed = in_->streamed.emplace(in_->wire, in_->buffer);
  co_await streamed.start(to_wire(call, host_header(in_->where)));
  auto head = streamed.head();
  wire_answer answer{.status = head.status, .body = {}, .retry_after = std::string(head["retry-after"])};
  if (answer.status != 200)
    for (std::optional<std::string> more; answer.body.size() < call.longest && (more = co_await line());) answer.body += *more + "\n";
  co_return answer;
}

awaitable<std::optional<std::string>> connection::line() {
  auto& it = *in_;
  for (std::size_t seen = 0;;) {
    if (auto end = it.pending.find('\n', seen); end != it.pending.npos) {
      auto found = it.pending.substr(0, end);
      it.pending.erase(0, end + 1);
      co_return found;
    }
    seen = it.pending.size();
    if (seen > line_limit) throw std::runtime_error("a line of the watch is longer than 16 MiB");
    char chunk[16 << 10];
    auto length = co_await more(asio::buffer(chunk));
    if (length == 0) co_return seen == 0 ? std::nullopt : std::optional(std::exchange(it.pending, {}));
    it.pending.append(chunk, length);
  }
}

awaitable<wire_answer> connection::upgrade(wire_call call, std::string protocol) {
  in_->keeps_alive = false;
  auto host = host_header(in_->where);
  auto out = to_wire(call, host);
  out.set(field::sec_websocket_protocol, protocol);
  auto in = co_await in_->messages.emplace(in_->wire).ask(std::move(out), std::move(host));
  auto answer = head_of(in);
  answer.body = std::move(in.body());
  co_return answer;
}

awaitable<std::optional<std::string>> connection::message() { return in_->messages->message(line_limit); }

}  // namespace kopiur::http
