#include "common/bus/probe.hpp"

#include <boost/asio.hpp>

#include "common/bus/session.hpp"

namespace kopiur::bus {

using namespace std::chrono_literals;

namespace {

/// How long a server may be silent about JetStream after it accepted the connection. Without JetStream no answer ever comes.
constexpr auto starting = 5s;

/// Host and port of `nats://user:password@host:port`.
std::pair<std::string, std::string> address_of(std::string_view url) {
  if (auto scheme = url.find("://"); scheme != std::string_view::npos) url.remove_prefix(scheme + 3);
  if (auto login = url.rfind('@'); login != std::string_view::npos) url.remove_prefix(login + 1);
  auto colon = url.rfind(':');
  if (colon == std::string_view::npos) return {std::string(url), "4222"};
  auto host = url.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  return {std::string(host), std::string(url.substr(colon + 1))};
}

/// The first line that the server sends on connect; nats.c does not expose the version in it.
asio::awaitable<void> read_greeting(asio::io_context& loop, std::string url, std::string& greeting) {
  auto [host, port] = address_of(url);
  asio::ip::tcp::resolver resolver(loop);
  asio::ip::tcp::socket socket(loop);
  co_await asio::async_connect(socket, co_await resolver.async_resolve(host, port, asio::use_awaitable), asio::use_awaitable);
  co_await asio::async_read_until(socket, asio::dynamic_buffer(greeting, 64 * 1024), "\r\n", asio::use_awaitable);
}

asio::awaitable<void> expire(asio::io_context& loop) {
  asio::steady_timer timer(loop, 2s);
  co_await timer.async_wait(asio::use_awaitable);
}

asio::awaitable<std::string> version_of(session& session) {
  std::string greeting;
  try {
    co_await app::first_of(read_greeting(session.link().loop(), session.link().url(), greeting), expire(session.link().loop()));
  } catch (boost::system::system_error const& e) {
    if (e.code() == asio::error::operation_aborted) throw;
    session.notice("the server's version cannot be read: " + std::string(e.what()));
  }
  co_return version_in(greeting);
}

result<void> fits(std::size_t max_payload) {
  if (auto why = too_narrow(max_payload)) return std::unexpected(error{failure::refused, *std::move(why), {}});
  return {};
}

}  // namespace

int level_of(json::value const& info) {
  auto* level = info.at("api.level");
  return level && level->as_int() ? static_cast<int>(*level->as_int()) : 0;
}

std::optional<std::string> refusal_of(int level, std::string const& version) {
  if (level >= floor_level) return std::nullopt;
  return "The bus is nats-server " + (version.empty() ? "of unknown version" : version) + " (JetStream API level " + std::to_string(level) +
         "), which silently ignores what this program relies on; it needs 2.11 or later (level " + std::to_string(floor_level) +
         "): install nats-server 2.12 and start that instead.";
}

std::optional<std::string> too_narrow(std::size_t max_payload) {
  if (max_payload >= floor_payload) return std::nullopt;
  return "The bus takes messages of " + std::to_string(max_payload) +
         " bytes at most, and objects are larger: set `max_payload: 4MB` (at least " + std::to_string(floor_payload) +
         " bytes) in the configuration of nats-server.";
}

std::string version_in(std::string_view greeting) {
  auto brace = greeting.find('{');
  if (!greeting.starts_with("INFO") || brace == std::string_view::npos) return {};
  auto read = json::parse(greeting.substr(brace), {.bytes = 64 << 10, .depth = 8, .members = 1'000});
  return read ? std::string(read->text("version")) : std::string{};
}

asio::awaitable<result<void>> probe(session& client) {
  auto const subject = std::string("$JS.API.INFO");
  auto const started = session::steady::now() + starting, elected = client.deadline();
  for (int attempt = 1;; ++attempt) {
    error why;
    if (auto sent = co_await client.link().request(subject, {})) {
      auto read = wire::read_answer(sent->body());
      if (read && level_of(*read) >= floor_level) co_return fits(client.link().max_payload());
      if (read) co_return std::unexpected(error{failure::refused, *refusal_of(level_of(*read), co_await version_of(client)), {}});
      why = std::move(read).error().what;
      if (why.kind != failure::timed_out)
        co_return std::unexpected(error{failure::refused, "The bus has no JetStream for this login: " + why.text, {}});
    } else {
      why = std::move(sent).error();
    }
    // During a leader election a cluster does not answer, or reports the election.
    if (co_await client.again(why, attempt, why.kind == failure::no_responders ? started : elected)) continue;
    auto text = "The bus does not answer $JS.API.INFO (" + why.text +
                "): start nats-server with JetStream, in a cluster most of its servers, and let this login publish there.";
    co_return std::unexpected(error{failure::refused, std::move(text), {}});
  }
}

}  // namespace kopiur::bus
