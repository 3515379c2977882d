#include "common/app/system_clock.hpp"
#include "common/blob/azure/block_blobs.hpp"
#include "common/blob/test/text_content.hpp"
#include "common/encoding/base64.hpp"
#include "common/process/child.hpp"
#include "common/testing/folder.hpp"
#include "common/testing/nats_server.hpp"
#include "common/testing/run.hpp"

#include <gtest/gtest.h>

namespace kopiur::blob::test {
namespace {

namespace asio = boost::asio;
template <class T>
using awaitable = asio::awaitable<T>;

/// The account and the key that Azurite always has.
constexpr char const* account = "devstoreaccount1";
constexpr char const* key = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";
constexpr std::size_t mib = 1 << 20;

/// A real Azurite with an empty store, and the container `box`, which everybody may read.
class Azurite : public ::testing::Test {
 protected:
  void with_blobs(std::function<awaitable<void>(azure::block_blobs&, http::pool&)> use) {
    testing::run([&](asio::io_context& loop) -> awaitable<void> {
      app::system_clock time(loop.get_executor());
      std::vector<std::string> arguments{"/bin/sh", "-c", "exec \"$@\" > " + (folder_ / "log").string() + " 2>&1", "sh"};
      for (char const* each : {static_cast<char const*>(std::getenv("KOPIUR_AZURITE")), "--blobHost", "127.0.0.1", "--blobPort"})
        arguments.push_back(each);
      arguments.insert(arguments.end(), {std::to_string(port_), "--location", (folder_ / "store").string(), "--skipApiVersionCheck"});
      process::child server(loop.get_executor(), {.arguments = arguments, .environment = {"PATH=/usr/bin:/bin"}});
      http::pool connections(time, loop.get_executor());
      azure::options options{.endpoint = endpoint(), .account = account};
      options.key = encoding::from_base64(key).value();
      options.attempts = 12;  // until it listens
      azure::requests raw(time, over(connections), options);
      azure::request create{.action = "Creating the container", .container = "box"};
      create.query = {{"restype", "container"}}, create.headers = {{"x-ms-blob-public-access", "container"}};
      auto created = co_await raw.send(std::move(create));
      EXPECT_TRUE(created) << created.error().message;
      azure::block_blobs blobs(time, over(connections), options);
      co_await use(blobs, connections);
    });
  }
  std::string endpoint() const { return "http://127.0.0.1:" + std::to_string(port_) + "/" + account; }
  awaitable<std::string> content_of(http::pool& connections, std::string name) {
    auto answer = co_await connections.ask({.where = http::parse_url(endpoint() + "/box/" + name).value()});
    EXPECT_TRUE(answer && answer->head().status == 200);
    co_return answer ? (co_await answer->text(64 << 20)).value() : "";
  }

  testing::folder folder_;
  int port_ = testing::free_port();
};

TEST_F(Azurite, KeepsObjectsAndOverwritesNone) {
  with_blobs([&](azure::block_blobs& blobs, http::pool& connections) -> awaitable<void> {
    for (std::size_t size : {mib, 4 * mib + 1, 20 * mib}) {
      auto old = sample(size, 1), other = sample(size, 2);
      auto name = "a/" + std::to_string(size);
      auto first = co_await blobs.put_large("box", name, content(old), {.only_new = true});
      EXPECT_TRUE(first) << first.error().message;
      auto second = co_await blobs.put_large("box", name, content(other), {.only_new = true});
      EXPECT_FALSE(second);
      if (!second) EXPECT_EQ(second.error().kind, failure::conflict) << second.error().message;
      EXPECT_TRUE(co_await content_of(connections, name) == old) << size;
      EXPECT_TRUE(co_await blobs.put_large("box", name, content(other), {}));
      EXPECT_TRUE(co_await content_of(connections, name) == other) << size;
    }
    auto absent = co_await blobs.put_large("none", "k", content("x"), {});
    EXPECT_EQ(absent.error().kind, failure::absent);
    EXPECT_TRUE(absent.error().message.contains("Create the container")) << absent.error().message;
  });
}

TEST_F(Azurite, RecognisesItsOwnObject) {
  with_blobs([&](azure::block_blobs&, http::pool& connections) -> awaitable<void> {
    app::system_clock time(co_await asio::this_coro::executor);
    azure::options options{.endpoint = endpoint(), .account = account};
    options.key = encoding::from_base64(key).value();
    for (std::size_t size : {mib, 9 * mib}) {
      auto text = sample(size, 1);
      bool lost = false;  // the answer of the first request that creates the object
      auto loses = [&](http::streamed_request what) -> awaitable<std::expected<http_answer, std::string>> {
        bool creates = std::ranges::any_of(what.headers, [](auto const& each) { return each.first == "If-None-Match"; });
        auto answer = co_await over(connections)(std::move(what));
        if (creates && !std::exchange(lost, true)) co_return std::unexpected("the answer is lost.");
        co_return answer;
      };
      azure::block_blobs blobs(time, loses, options);
      auto ended = co_await blobs.put_large("box", "k" + std::to_string(size), content(text), {.only_new = true});
      EXPECT_TRUE(ended) << ended.error().message;
      EXPECT_TRUE(lost);
    }
  });
}

}  // namespace
}  // namespace kopiur::blob::test
