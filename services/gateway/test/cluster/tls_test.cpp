#include "services/gateway/adapters/kubernetes/tls.hpp"

#include <boost/asio/ssl/context.hpp>

#include "common/http/attend.hpp"
#include "services/gateway/adapters/kubernetes/certificates.hpp"
#include "services/gateway/test/cluster/api.hpp"

namespace kopiur::gateway::kubernetes {
namespace {

using namespace std::chrono_literals;
using asio::ip::tcp;

validity today() {
  auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  return {now - 1h, now + 1h};
}

std::shared_ptr<asio::ssl::context> served_by(pem_pair const& pair) {
  auto tls = std::make_shared<asio::ssl::context>(asio::ssl::context::tls_server);
  tls->use_certificate_chain(asio::buffer(pair.certificate));
  tls->use_private_key(asio::buffer(pair.key), asio::ssl::context::pem);
  return tls;
}

/// The answer that a client gets from a server with the certificate `pair`, when it trusts `authority` and expects `name` (empty: the
/// host). Empty when the client refuses the server.
std::string heard(pem_pair const& pair, pem_pair const& authority, std::string name) {
  std::string said;
  testing::run([&](asio::io_context& loop) -> awaitable<void> {
    tcp::acceptor door(loop, {asio::ip::make_address("127.0.0.1"), 0});
    auto serve = [&]() -> awaitable<void> {
      auto hello = [](http::asked) -> awaitable<http::page> { co_return http::page{.body = "hello"}; };
      co_await http::attend(co_await door.async_accept(asio::use_awaitable), hello, {.tls = served_by(pair)});
    };
    auto where = http::parse_url("https://localhost:" + std::to_string(door.local_endpoint().port())).value();
    http::connection client(loop.get_executor(), tls_of({.server = "x", .authority = authority.certificate}), where, name);
    app::nursery server(loop.get_executor());
    server.spawn(serve());
    try {
      co_await client.open();
      said = (co_await client.exchange({.target = "/", .headers = {}, .body = {}})).body;
    } catch (boost::system::system_error const&) {  // no answer
    }
    server.cancel();
    try {
      co_await server.join();
    } catch (boost::system::system_error const&) {  // the connection ended
    }
  });
  return said;
}

TEST(Tls, SpeaksOnlyToAServerOfThatNameByThatAuthority) {
  auto ours = new_authority(today()), other = new_authority(today());
  auto server = new_certificate(ours, {"localhost", "also.here"}, today());
  EXPECT_EQ(heard(server, ours, ""), "hello");
  EXPECT_EQ(heard(server, ours, "also.here"), "hello");
  EXPECT_EQ(heard(server, ours, "elsewhere"), "") << "a certificate of another name";
  EXPECT_EQ(heard(server, other, ""), "") << "signed by somebody else";
}

}  // namespace
}  // namespace kopiur::gateway::kubernetes
