#include "services/gateway/adapters/kubernetes/connection.hpp"

#include <boost/asio.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>
#include <boost/beast/websocket.hpp>
#include <boost/beast/websocket/ssl.hpp>

#include "common/http/read.hpp"

namespace kopiur::gateway::kubernetes {

namespace beast = boost::beast;
using asio::use_awaitable;
using wire_request = beast::http::request<beast::http::string_body>;

namespace {

/// A page of 500 objects of the largest size that an API server stores.
constexpr std::uint64_t body_limit = 768ull << 20;
/// A line of a watch is one object, and a message a piece of what a command prints.
constexpr std::size_t line_limit = 16 << 20;

wire_request to_wire(wire_call const& call, std::string const& host) {
  wire_request out(beast::http::string_to_verb(call.method), call.target, 11);
  out.set(beast::http::field::host, host);
  out.set(beast::http::field::user_agent, "kopiur");
  for (auto& [name, value] : call.headers) out.set(name, value);
  out.body() = call.body;
  out.prepare_payload();
  return out;
}

}  // namespace

std::shared_ptr<asio::ssl::context> tls_of(access const& who) {
  auto tls = std::make_shared<asio::ssl::context>(asio::ssl::context::tls_client);
  auto what = "the authority's certificate";
  try {
    if (who.authority.empty())
      tls->set_default_verify_paths();
    else
      tls->add_certificate_authority(asio::buffer(who.authority));
    what = "the client's certificate";
    if (!who.certificate.empty()) tls->use_certificate_chain(asio::buffer(who.certificate));
    what = "the client's key";
    if (!who.key.empty()) tls->use_private_key(asio::buffer(who.key), asio::ssl::context::pem);
  } catch (boost::system::system_error const& e) {
    throw std::runtime_error("The access to " + who.server + " cannot be used: " + what + " is no PEM that OpenSSL takes (" +
                             e.code().message() + ").");
  }
  tls->set_verify_mode(asio::ssl::verify_peer);
  return tls;
}

struct connection::wires {
  wires(asio::any_io_executor const& loop, std::shared_ptr<asio::ssl::context> with, http::address to, std::string name)
      : tls(std::move(with)), where(std::move(to)), certificate_name(std::move(name)), stream(loop, *tls) {}

  std::shared_ptr<asio::ssl::context> tls;
  http::address where;
  std::string certificate_name;
  asio::ssl::stream<asio::ip::tcp::socket> stream;
  beast::flat_buffer buffer;
  std::optional<beast::http::response_parser<beast::http::buffer_body>> streamed;
  std::string pending;  // of a line, or lines, that arrived
  std::optional<beast::websocket::stream<asio::ssl::stream<asio::ip::tcp::socket>&>> socket;
  bool keeps_alive = true;
};

connection::connection(asio::any_io_executor const& loop, std::shared_ptr<asio::ssl::context> tls, http::address where,
                       std::string certificate_name)
    : on_(std::make_unique<wires>(loop, std::move(tls), std::move(where), std::move(certificate_name))) {}
connection::~connection() = default;

awaitable<void> connection::open() {
  auto& it = *on_;
  asio::ip::tcp::resolver resolver(it.stream.get_executor());
  auto found = co_await resolver.async_resolve(it.where.host, it.where.port, use_awaitable);
  co_await asio::async_connect(it.stream.next_layer(), found, use_awaitable);
  it.stream.next_layer().set_option(asio::ip::tcp::no_delay(true));
  auto& name = it.certificate_name.empty() ? it.where.host : it.certificate_name;
  SSL_set_tlsext_host_name(it.stream.native_handle(), name.c_str());
  it.stream.set_verify_callback(asio::ssl::host_name_verification(name));
  co_await it.stream.async_handshake(asio::ssl::stream_base::client, use_awaitable);
}

awaitable<wire_answer> connection::exchange(wire_call call) {
  auto& it = *on_;
  auto out = to_wire(call, it.where.host + ":" + it.where.port);
  it.keeps_alive = false;  // unless it goes well
  co_await beast::http::async_write(it.stream, out, use_awaitable);
  beast::http::response_parser<beast::http::string_body> parser;
  parser.body_limit(body_limit);
  co_await http::read(it.stream, it.buffer, parser);
  it.keeps_alive = parser.keep_alive();
  auto& in = parser.get();
  wire_answer answer{.status = static_cast<int>(in.result_int()), .body = {}, .retry_after = in[beast::http::field::retry_after]};
  answer.body = std::move(in.body());
  co_return answer;
}

bool connection::is_fresh() {
  auto& socket = on_->stream.next_layer();
  if (!on_->keeps_alive || !socket.is_open() || on_->buffer.size() > 0) return false;
  char one;
  boost::system::error_code failed;
  socket.non_blocking(true);
  socket.receive(asio::buffer(&one, 1), asio::socket_base::message_peek, failed);
  return failed == asio::error::would_block;  // silence: an end, or the TLS alert that announces it, could be read
}

awaitable<wire_answer> connection::begin(wire_call call) {
  auto& it = *on_;
  auto out = to_wire(call, it.where.host + ":" + it.where.port);
  it.keeps_alive = false;
  co_await beast::http::async_write(it.stream, out, use_awaitable);
  it.streamed.emplace();
  it.streamed->body_limit(boost::none);
  co_await http::read_header(it.stream, it.buffer, *it.streamed);
  wire_answer answer{.status = static_cast<int>(it.streamed->get().result_int()),
                     .body = {},
                     .retry_after = it.streamed->get()[beast::http::field::retry_after]};
  if (answer.status != 200)
    while (auto more = co_await line()) answer.body += *more + "\n";
  co_return answer;
}

awaitable<std::optional<std::string>> connection::line() {
  auto& it = *on_;
  for (std::size_t seen = 0;;) {
    if (auto end = it.pending.find('\n', seen); end != it.pending.npos) {
      auto found = it.pending.substr(0, end);
      it.pending.erase(0, end + 1);
      co_return found;
    }
    seen = it.pending.size();
    if (seen > line_limit) throw std::runtime_error("a line of the watch is longer than 16 MiB");
    if (it.streamed->is_done()) co_return seen == 0 ? std::nullopt : std::optional(std::exchange(it.pending, {}));
    char chunk[16 << 10];
    auto& body = it.streamed->get().body();
    body.data = chunk, body.size = sizeof chunk;
    auto failed = co_await http::read_some(it.stream, it.buffer, *it.streamed);
    if (failed && failed != beast::http::error::need_buffer) throw boost::system::system_error(failed);
    it.pending.append(chunk, sizeof chunk - body.size);
  }
}

awaitable<wire_answer> connection::upgrade(wire_call call, std::string protocol) {
  namespace ws = beast::websocket;
  auto& it = *on_;
  it.keeps_alive = false;
  it.socket.emplace(it.stream);
  it.socket->read_message_max(line_limit);
  it.socket->set_option(ws::stream_base::decorator([&](ws::request_type& out) {
    for (auto& [name, value] : call.headers) out.set(name, value);
    out.set(beast::http::field::sec_websocket_protocol, protocol);
  }));
  ws::response_type in;
  boost::system::error_code failed;
  co_await it.socket->async_handshake(in, it.where.host + ":" + it.where.port, call.target, asio::redirect_error(use_awaitable, failed));
  if (failed && failed != ws::error::upgrade_declined) throw boost::system::system_error(failed);
  wire_answer answer{.status = static_cast<int>(in.result_int()), .body = {}, .retry_after = in[beast::http::field::retry_after]};
  answer.body = std::move(in.body());
  co_return answer;
}

awaitable<std::optional<std::string>> connection::message() {
  auto& it = *on_;
  boost::system::error_code failed;
  co_await it.socket->async_read(it.buffer, asio::redirect_error(use_awaitable, failed));
  if (failed == asio::error::operation_aborted) throw boost::system::system_error(failed);
  if (failed) co_return std::nullopt;
  auto text = beast::buffers_to_string(it.buffer.data());
  it.buffer.clear();
  co_return text;
}

}  // namespace kopiur::gateway::kubernetes
