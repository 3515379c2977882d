#include "common/http/trust.hpp"

#include <boost/asio/ssl/context.hpp>

#include "common/http/attend.hpp"
#include "common/http/test/scripted_server.hpp"
#include "common/testing/files.hpp"
#include "common/testing/folder.hpp"

namespace kopiur::http::test {
namespace {

using testing::read_all;

/// A certificate of 127.0.0.1 that signs itself, and its key.
class Trust : public ::testing::Test {
 protected:
  Trust() { testing::make_certificate(certificate_, key_); }
  /// The answer of a server with that certificate to a client that trusts `what`, or why there was none.
  std::string visit(trust const& what) {
    std::string text;
    testing::run([&](asio::io_context& loop) -> awaitable<void> {
      app::system_clock time(loop.get_executor());
      tcp::acceptor door(loop, {asio::ip::make_address("127.0.0.1"), 0});
      auto tls = std::make_shared<asio::ssl::context>(asio::ssl::context::tls_server);
      tls->use_certificate_chain_file(certificate_);
      tls->use_private_key_file(key_, asio::ssl::context::pem);
      auto serve = [](tcp::acceptor& from, manners bounds) -> awaitable<void> {
        auto answer = [](asked) -> awaitable<page> { co_return page{.body = "hello"}; };
        for (;;) co_await attend(co_await from.async_accept(use_awaitable), answer, bounds);
      };
      app::nursery server(loop.get_executor());
      server.spawn(serve(door, {.tls = tls}));
      pool connections(time, loop.get_executor());
      streamed_request request{.where = parse_url("https://127.0.0.1:" + std::to_string(door.local_endpoint().port())).value(),
                               .trusted = load(what).value()};
      for (int i = 0; i < 2; ++i) {
        auto answer = co_await connections.ask(request);
        text = answer ? (co_await answer->text(100)).value() : answer.error();
      }
      server.cancel();
      co_await server.join();
    });
    return text;
  }

  testing::folder folder_;
  std::filesystem::path key_ = folder_ / "key", certificate_ = folder_ / "certificate";
};

TEST_F(Trust, ComesFromAFileOrAText) {
  EXPECT_EQ(visit({.ca_file = certificate_}), "hello");
  EXPECT_EQ(visit({.ca_text = read_all(certificate_)}), "hello");
  EXPECT_TRUE(visit({}).contains("certificate verify failed")) << "nobody else vouches for it";
}

TEST_F(Trust, RefusesWhatIsNoCertificate) {
  EXPECT_TRUE(load({.ca_file = folder_ / "none"}).error().starts_with("The certificates in " + folder_.path().string()));
  EXPECT_TRUE(load({.ca_text = "hello"}).error().contains("Give a PEM with certificates."));
}

}  // namespace
}  // namespace kopiur::http::test
