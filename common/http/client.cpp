#include "common/http/client.hpp"

#include <algorithm>
#include <boost/asio.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/beast/http/verb.hpp>

#include "common/app/async.hpp"
#include "common/http/connection.hpp"

namespace kopiur::http {

namespace asio = boost::asio;
namespace beast = boost::beast;
template <class T>
using awaitable = asio::awaitable<T>;

namespace {

bool is_header_value(std::string_view text) {
  return std::ranges::all_of(text, [](unsigned char c) { return c == '\t' || (c >= 0x20 && c != 0x7F); });
}
bool is_token(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) || std::string_view("!#$%&'*+-.^_`|~").contains(static_cast<char>(c));
  });
}

/// The request to send, or why it must not be sent.
std::expected<wire_call, std::string> to_wire(request const& what, address const& where) {
  if (beast::http::string_to_verb(what.method) == beast::http::verb::unknown)
    return std::unexpected("\"" + what.method + "\" is not an HTTP method.");
  for (auto const& [name, value] : what.headers)
    if (!is_token(name) || !is_header_value(value))
      return std::unexpected("The header \"" + name + "\" is none: a name or value holds what no header may hold.");
  return wire_call{.method = what.method, .target = where.target, .headers = what.headers, .body = what.body};
}

std::shared_ptr<asio::ssl::context> trust(std::string const& ca_file) {
  auto tls = std::make_shared<asio::ssl::context>(asio::ssl::context::tls_client);
  tls->set_default_verify_paths();
  if (!ca_file.empty()) tls->load_verify_file(ca_file);
  tls->set_verify_mode(asio::ssl::verify_peer);
  return tls;
}

awaitable<void> converse(request const& what, address const& where, wire_call call, response& answer) {
  connection connection(co_await asio::this_coro::executor, where.tls ? trust(what.ca_file) : nullptr, where);
  if (what.connect_to)
    co_await connection.open(*what.connect_to);
  else
    co_await connection.open();
  auto said = co_await connection.exchange(std::move(call));
  answer = {said.status, std::move(said.body)};
}

}  // namespace

awaitable<std::expected<std::vector<std::string>, std::string>> resolve(std::string name) {
  asio::ip::tcp::resolver resolver(co_await asio::this_coro::executor);
  boost::system::error_code failed;
  auto found = co_await resolver.async_resolve(name, "", asio::redirect_error(asio::use_awaitable, failed));
  if (failed == asio::error::operation_aborted) throw boost::system::system_error(failed);
  if (failed) co_return std::unexpected("The name " + name + " cannot be resolved: " + failed.message());
  std::vector<std::string> out;
  for (auto const& each : found) out.push_back(each.endpoint().address().to_string());
  co_return out;
}

awaitable<std::expected<response, std::string>> send(clock& time, request what) {
  auto where = parse_url(what.url);
  if (!where) co_return std::unexpected(where.error());
  auto out = to_wire(what, *where);
  if (!out) co_return std::unexpected(out.error());
  auto name = what.method + " " + without_query(what.url);
  try {
    response answer;
    co_await app::within(time, what.timeout, converse(what, *where, *std::move(out), answer), "no answer within " + to_text(what.timeout));
    co_return answer;
  } catch (std::exception const& failed) {
    if (app::is_cancelled(std::current_exception())) throw;
    co_return std::unexpected(name + " failed: " + failed.what() + ".");
  }
}

}  // namespace kopiur::http
