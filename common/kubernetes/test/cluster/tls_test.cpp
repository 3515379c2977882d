#include "common/kubernetes/tls.hpp"

#include <boost/asio/ssl/context.hpp>

#include "common/kubernetes/test/cluster/api.hpp"

namespace kopiur::kubernetes {
namespace {

/// Whether a client that trusts `authority`, and expects `name` (empty: the host of its URL), gets an answer from the API server.
bool is_answered(std::string const& authority, std::string name) {
  int status = 0;
  testing::run([&](asio::io_context& loop) -> awaitable<void> {
    auto where = http::parse_url(as("admin").server).value();
    connection link(loop.get_executor(), tls_of({.server = "x", .authority = authority}), where, name);
    try {
      co_await link.open();
      status = (co_await link.exchange({.target = "/version", .headers = {}, .body = {}})).status;
    } catch (boost::system::system_error const&) {  // it refuses the server
    }
  });
  return status != 0;
}

TEST(Tls, SpeaksOnlyToAServerOfThatNameByThatAuthority) {
  auto authority = as("admin").authority;
  EXPECT_TRUE(is_answered(authority, ""));
  EXPECT_TRUE(is_answered(authority, "kubernetes.default.svc"));
  EXPECT_FALSE(is_answered(authority, "elsewhere")) << "a certificate of another name";
  EXPECT_FALSE(is_answered("", "")) << "signed by somebody else";
}

}  // namespace
}  // namespace kopiur::kubernetes
