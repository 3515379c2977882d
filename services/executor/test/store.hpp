#pragma once
#include "common/blob/test/real_store.hpp"
#include "services/executor/test/program.hpp"

/// The real store of all tests of a program.
namespace kopiur::executor::test {

using blob::test::s3_server;

inline s3_server& server() { return blob::test::server_of(blob::test::kind::versitygw); }

/// Uses the store beside the program, with the bucket `box`.
inline void with_box(std::function<asio::awaitable<void>(blob::store&)> use) {
  blob::test::with_store(blob::test::options_of(server()), [&](blob::test::visit& here) -> asio::awaitable<void> {
    auto made = co_await here.store.create_bucket("box", "");
    EXPECT_TRUE(made || made.error().kind == blob::failure::owned) << made.error().message;
    co_await use(here.store);
  });
}

/// A credentials file, with the line ends of Windows: they do no harm.
inline std::string credentials_text(std::string secret = s3_server::secret_key) {
  return "[default]\r\naws_access_key_id = " + std::string(s3_server::access_key) + "\r\naws_secret_access_key = " + secret + "\r\n";
}

}  // namespace kopiur::executor::test
