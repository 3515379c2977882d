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

bool is_printable(std::string_view text) {
  return std::ranges::all_of(text, [](unsigned char c) { return c > 0x20 && c < 0x7F; });
}
bool is_header_value(std::string_view text) {
  return std::ranges::all_of(text, [](unsigned char c) { return c == '\t' || (c >= 0x20 && c != 0x7F); });
}
bool is_token(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](unsigned char c) {
    return std::isalnum(c) || std::string_view("!#$%&'*+-.^_`|~").contains(static_cast<char>(c));
  });
}

/// What is sent, where it may be.
std::expected<wire_call, std::string> to_wire(request const& what, address const& where) {
  if (beast::http::string_to_verb(what.method) == beast::http::verb::unknown)
    return std::unexpected("\"" + what.method + "\" is no HTTP method.");
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
  connection on(co_await asio::this_coro::executor, where.tls ? trust(what.ca_file) : nullptr, where);
  if (what.connect_to)
    co_await on.open(*what.connect_to);
  else
    co_await on.open();
  auto said = co_await on.exchange(std::move(call));
  answer = {said.status, std::move(said.body)};
}

}  // namespace

std::expected<address, std::string> parse_url(std::string_view url) {
  auto wrong = [&](std::string why) { return std::unexpected("The URL \"" + without_query(url) + "\" " + why); };
  address out;
  if (url.starts_with("https://")) {
    out.tls = true;
  } else if (!url.starts_with("http://")) {
    return wrong("starts with neither http:// nor https://.");
  }
  if (!is_printable(url)) return wrong("holds spaces or control characters: percent-encode them.");
  auto rest = url.substr(url.find("//") + 2);
  auto end = rest.find_first_of("/?#");
  auto authority = rest.substr(0, end);
  if (authority.contains('@')) return std::unexpected("The URL holds a user or password: put them into a header from a Secret.");
  auto target = end == rest.npos ? std::string_view() : rest.substr(end);
  target = target.substr(0, target.find('#'));
  out.target = std::string(target.starts_with('/') ? "" : "/") + std::string(target);
  auto bracket = authority.rfind(']');
  auto colon = authority.find(':', bracket == authority.npos ? 0 : bracket);
  out.host = std::string(authority.substr(0, colon));
  if (out.host.starts_with('[') && out.host.ends_with(']')) out.host = out.host.substr(1, out.host.size() - 2);
  out.port = colon == authority.npos ? (out.tls ? "443" : "80") : std::string(authority.substr(colon + 1));
  bool digits = !out.port.empty() && std::ranges::all_of(out.port, [](char c) { return c >= '0' && c <= '9'; });
  bool is_port = digits && out.port.size() <= 5 && std::stoi(out.port) <= 65535;
  if (out.host.empty() || out.host.find_first_of("[]") != out.host.npos || !is_port) return wrong("names no host, or no port.");
  return out;
}

std::string host_header(address const& where) {
  auto host = where.host.contains(':') ? "[" + where.host + "]" : where.host;
  bool default_port = where.port == (where.tls ? "443" : "80");
  return default_port ? host : host + ":" + where.port;
}

std::string without_query(std::string_view url) { return std::string(url.substr(0, url.find('?'))); }

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
