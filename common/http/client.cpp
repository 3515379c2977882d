#include "common/http/client.hpp"

#include <boost/asio.hpp>

#include "common/app/async.hpp"
#include "common/http/connection.hpp"
#include "common/http/headers.hpp"
#include "common/http/trust.hpp"

namespace kopiur::http {

namespace asio = boost::asio;
template <class T>
using awaitable = asio::awaitable<T>;

namespace {

/// The request to send, or why it must not be sent.
std::expected<wire_call, std::string> to_wire(request const& what, address const& where) {
  if (auto wrong = header_problem(what.method, what.headers); !wrong.empty()) return std::unexpected(wrong);
  return wire_call{.method = what.method, .target = where.target, .headers = what.headers, .body = what.body};
}

awaitable<void> converse(request const& what, address const& where, wire_call call, response& answer) {
  connection connection(co_await asio::this_coro::executor, where.tls ? loaded({.ca_file = what.ca_file}) : nullptr, where);
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
    co_return std::unexpected(name + " failed: " + words_of(failed) + ".");
  }
}

}  // namespace kopiur::http
