#include "common/http/client.hpp"

#include <boost/asio.hpp>

#include "common/app/async.hpp"
#include "common/app/system_clock.hpp"
#include "common/testing/run.hpp"

namespace kopiur::http {
namespace {

using namespace std::chrono_literals;
namespace asio = boost::asio;
using asio::awaitable;
using asio::use_awaitable;

TEST(Url, IsReadInItsParts) {
  auto plain = parse_url("http://example.org");
  ASSERT_TRUE(plain);
  EXPECT_FALSE(plain->tls);
  EXPECT_EQ(plain->host + "|" + plain->port + "|" + plain->target, "example.org|80|/");
  auto full = parse_url("https://[::1]:8443/a/b?c=d#e");
  ASSERT_TRUE(full);
  EXPECT_TRUE(full->tls);
  EXPECT_EQ(full->host + "|" + full->port + "|" + full->target, "::1|8443|/a/b?c=d");
  EXPECT_EQ(parse_url("http://h?x")->target, "/?x");
  EXPECT_EQ(parse_url("http://h%0d%0aA/%0d")->host, "h%0d%0aA") << "or it would end the line of its header";
}

TEST(Url, NamesItsHostAsTheHeaderDoes) {
  EXPECT_EQ(host_header(*parse_url("https://[::1]:8443/a")), "[::1]:8443");
  EXPECT_EQ(host_header(*parse_url("http://[::1]/")), "[::1]");
  EXPECT_EQ(host_header(*parse_url("https://example.org:443/")), "example.org");
  EXPECT_EQ(host_header(*parse_url("https://example.org:80/")), "example.org:80");
}

TEST(Url, OfAnotherKindIsRefusedWithoutItsSecrets) {
  for (auto* bad :
       {"ftp://h/", "h", "http://", "http://h:port/", "http://h/a b", "http://h/\n", "http://user:hunter2@h/", "https://h:/?token=hunter2",
        "http://[::1", "http://[::1]x:80", "http://h]", "http://[]", "http://h:65536", "http://h:94111/", "http://h:00065536/"}) {
    auto read = parse_url(bad);
    ASSERT_FALSE(read) << bad;
    EXPECT_EQ(read.error().find("hunter2"), std::string::npos) << read.error();
  }
}

/// Answers one connection with `text` after it has read the head of a request and what arrived with it.
awaitable<void> answer_once(asio::ip::tcp::acceptor& door, std::string text, std::string& heard) {
  auto socket = co_await door.async_accept(use_awaitable);
  co_await asio::async_read_until(socket, asio::dynamic_buffer(heard), "\r\n\r\n", use_awaitable);
  co_await asio::async_write(socket, asio::buffer(text), use_awaitable);
}

struct exchange_result {
  std::expected<response, std::string> said;
  std::string heard;
};

exchange_result exchange(std::string answer, request what, std::string scheme = "http") {
  exchange_result out{std::unexpected("nothing came back"), ""};
  testing::run([&](asio::io_context& loop) -> awaitable<void> {
    app::system_clock time(loop.get_executor());
    asio::ip::tcp::acceptor door(loop, {asio::ip::make_address("127.0.0.1"), 0});
    what.url = scheme + "://127.0.0.1:" + std::to_string(door.local_endpoint().port()) + "/hook?token=hunter2";
    app::nursery server(loop.get_executor());
    server.spawn(answer_once(door, answer, out.heard));
    out.said = co_await send(time, what);
    server.cancel();
    try {
      co_await server.join();
    } catch (boost::system::system_error const&) {  // the client disconnected, which is not an error of the server
    }
  });
  return out;
}

TEST(Client, SendsAndReads) {
  auto done =
      exchange("HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\nok",
               {.method = "POST", .url = {}, .headers = {{"Authorization", "Bearer x"}}, .body = "{}", .timeout = 5s, .ca_file = {}});
  ASSERT_TRUE(done.said) << done.said.error();
  EXPECT_EQ(done.said->status, 201);
  EXPECT_EQ(done.said->body, "ok");
  EXPECT_NE(done.heard.find("POST /hook?token=hunter2 HTTP/1.1\r\n"), std::string::npos) << done.heard;
  EXPECT_NE(done.heard.find("Authorization: Bearer x\r\n"), std::string::npos) << done.heard;
  EXPECT_NE(done.heard.find("Content-Length: 2\r\n"), std::string::npos) << done.heard;
}

/// The result of a request to `host`, while only 127.0.0.1 listens on a port; `addresses` receives that port.
exchange_result exchange_at(std::string host, std::function<std::vector<endpoint>(std::string port)> addresses) {
  exchange_result out{std::unexpected("nothing came back"), ""};
  testing::run([&](asio::io_context& loop) -> awaitable<void> {
    app::system_clock time(loop.get_executor());
    asio::ip::tcp::acceptor door(loop, {asio::ip::make_address("127.0.0.1"), 0});
    auto port = std::to_string(door.local_endpoint().port());
    app::nursery server(loop.get_executor());
    server.spawn(answer_once(door, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", out.heard));
    out.said = co_await send(time, {.url = "http://" + host + ":" + port + "/x", .timeout = 5s, .connect_to = addresses(port)});
    server.cancel();
    co_await server.join();
  });
  return out;
}

TEST(Client, ConnectsToTheAddressesThatItIsToldAndNamesTheHostOfTheUrl) {
  auto done =
      exchange_at("no-such-host.invalid", [](std::string port) { return std::vector<endpoint>{{"127.0.0.1", "1"}, {"127.0.0.1", port}}; });
  EXPECT_TRUE(done.said) << done.said.error();
  EXPECT_NE(done.heard.find("Host: no-such-host.invalid:"), std::string::npos) << done.heard;
}

TEST(Client, ConnectsNowhereElse) {
  EXPECT_FALSE(exchange_at("127.0.0.1", [](std::string) { return std::vector<endpoint>{}; }).said);
  auto refused = exchange_at("127.0.0.1", [](std::string) { return std::vector<endpoint>{{"127.0.0.1", "1"}}; }).said;
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().ends_with(" failed: Connection refused.")) << refused.error() << " names no place in the source";
}

TEST(Client, ResolvesANameToAddresses) {
  testing::run([&](asio::io_context&) -> awaitable<void> {
    auto found = co_await resolve("localhost");
    EXPECT_TRUE(found && !found->empty()) << found.error();
    auto none = co_await resolve("no-such-host.invalid.");
    EXPECT_FALSE(none);
    EXPECT_NE(none.error().find("no-such-host.invalid."), std::string::npos) << none.error();
  });
}

TEST(Client, DoesNotFollowRedirects) {
  EXPECT_EQ(exchange("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n", {.timeout = 5s}).said->status,
            302);
}

TEST(Client, RefusesAnEndlessAnswer) {
  auto done = exchange("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n" + std::string(1000000, 'x'), {.timeout = 5s});
  ASSERT_FALSE(done.said);
  EXPECT_EQ(done.said.error().find("hunter2"), std::string::npos) << "the query stays out of sentences";
}

TEST(Client, GivesUpInTime) {
  auto done = exchange("", {.timeout = 100ms});
  ASSERT_FALSE(done.said);
}

TEST(Client, SpeaksTlsOnlyToWhomItTrusts) {
  EXPECT_FALSE(exchange("HTTP/1.1 200 OK\r\n\r\n", {.timeout = 5s}, "https").said) << "that is no TLS";
}

TEST(Client, RefusesHeadersThatAreNone) {
  EXPECT_FALSE(exchange("", {.headers = {{"X", "a\r\nEvil: 1"}}, .timeout = 1s}).said);
  EXPECT_FALSE(exchange("", {.headers = {{"X Y", "a"}}, .timeout = 1s}).said);
}

}  // namespace
}  // namespace kopiur::http
