#include "common/app/system_clock.hpp"
#include "common/blob/gcs/objects.hpp"
#include "common/blob/test/text_content.hpp"
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

constexpr std::size_t mib = 1 << 20;

/// A real fake-gcs-server with an empty store, and the bucket `box`.
class FakeGcs : public ::testing::Test {
 protected:
  /// `options`: with its endpoint, for clients over another transport.
  using user = std::function<awaitable<void>(gcs::objects&, transport, gcs::options)>;
  void with_objects(user use) {
    testing::run([&](asio::io_context& loop) -> awaitable<void> {
      app::system_clock time(loop.get_executor());
      process::child server(loop.get_executor(), {.arguments = command()});
      http::pool connections(time, loop.get_executor());
      gcs::options options{.endpoint = "http://127.0.0.1:" + std::to_string(port_)};
      options.attempts = 12;  // until it listens
      gcs::requests raw(time, over(connections), options);
      gcs::request create{.action = "Creating the bucket", .method = "POST", .target = "/storage/v1/b"};
      create.query = {{"project", "p"}}, create.body = R"({"name":"box"})";
      auto created = co_await raw.read(std::move(create));
      EXPECT_TRUE(created) << created.error().message;
      gcs::objects objects(time, over(connections), options);
      co_await use(objects, over(connections), options);
    });
  }
  std::vector<std::string> command() const {
    auto* program = std::getenv("KOPIUR_FAKE_GCS");
    if (!program) throw std::runtime_error("KOPIUR_FAKE_GCS names no program: run `./dev setup`, which builds it.");
    return {"/bin/sh",
            "-c",
            "exec \"$@\" > " + (folder_ / "log").string() + " 2>&1",
            "sh",
            program,
            "-scheme",
            "http",
            "-host",
            "127.0.0.1",
            "-port",
            std::to_string(port_),
            "-backend",
            "memory"};
  }
  static awaitable<std::string> content_of(gcs::objects& objects, std::string key, std::string generation = "") {
    auto content = co_await objects.get("box", {std::move(key), std::move(generation)});
    EXPECT_TRUE(content) << content.error().message;
    std::string all, piece(256 << 10, 0);
    for (bool more = content.has_value(); more;) {
      auto length = co_await content->read(asio::buffer(piece));
      EXPECT_TRUE(length) << length.error().message;
      more = length && *length > 0;
      if (more) all.append(piece, 0, *length);
    }
    co_return all;
  }

  testing::folder folder_;
  int port_ = testing::free_port();
};

TEST_F(FakeGcs, KeepsObjectsAndOverwritesNone) {
  with_objects([&](gcs::objects& objects, transport, gcs::options) -> awaitable<void> {
    for (std::size_t size : {std::size_t(0), mib, 8 * mib, 8 * mib + 1, 20 * mib}) {
      auto old = sample(size, 1), other = sample(size + 1, 2);
      auto key = "a b/ü+" + std::to_string(size);
      auto first = co_await objects.put_large("box", key, content(old), {.only_new = true, .content_type = "a/b"});
      EXPECT_TRUE(first) << first.error().message;
      auto second = co_await objects.put_large("box", key, content(other), {.only_new = true});
      EXPECT_FALSE(second) << size;
      if (!second) EXPECT_EQ(second.error().kind, failure::conflict) << second.error().message;
      EXPECT_TRUE(co_await content_of(objects, key) == old) << size;
      auto head = co_await objects.head("box", {key});
      EXPECT_EQ(head.value().size, size);
      EXPECT_EQ(head.value().version, first.value().version);
      auto third = co_await objects.put_large("box", key, content(other), {});
      EXPECT_TRUE(third) << third.error().message;
      EXPECT_TRUE(co_await content_of(objects, key, third.value().version) == other) << size;
      EXPECT_EQ((co_await objects.get("box", {key, first.value().version})).error().kind, failure::absent) << "it is pinned";
    }
  });
}

TEST_F(FakeGcs, HasNoBucketAndNoObject) {
  with_objects([&](gcs::objects& objects, transport, gcs::options) -> awaitable<void> {
    for (std::size_t size : {std::size_t(1), 9 * mib}) {
      auto text = sample(size, 1);
      auto absent = co_await objects.put_large("none", "k", content(text), {});
      EXPECT_EQ(absent.error().kind, failure::absent);
      EXPECT_TRUE(absent.error().message.contains("Create the bucket")) << absent.error().message;
    }
    EXPECT_EQ((co_await objects.get("box", {"none"})).error().kind, failure::absent);
    EXPECT_EQ((co_await objects.head("box", {"none"})).error().kind, failure::absent);
  });
}

/// It checks the MD5 that an upload declares, as the store of Google does.
TEST_F(FakeGcs, RefusesContentThatChangesWhileItIsSent) {
  with_objects([&](gcs::objects& objects, transport, gcs::options) -> awaitable<void> {
    auto text = sample(mib, 1), changed = sample(mib, 2);
    bool hashed = false;
    auto read = [&](std::uint64_t offset, asio::mutable_buffer into) {
      return read_text(std::exchange(hashed, true) ? changed : text, offset, into, mib);
    };
    auto refused = co_await objects.put_large("box", "k", {.length = mib, .read = read}, {});
    EXPECT_EQ(refused.error().kind, failure::invalid) << refused.error().message;
    EXPECT_EQ((co_await objects.head("box", {"k"})).error().kind, failure::absent);
  });
}

TEST_F(FakeGcs, RecognisesItsOwnObject) {
  with_objects([&](gcs::objects&, transport through, gcs::options options) -> awaitable<void> {
    app::system_clock time(co_await asio::this_coro::executor);
    for (std::size_t size : {mib, 9 * mib}) {
      auto text = sample(size, 1);
      bool lost = false;  // the answer of the request that creates the object
      auto end = "/" + std::to_string(size);
      auto loses = [&](http::streamed_request what) -> awaitable<std::expected<http_answer, std::string>> {
        bool creates = what.where.target.contains("multipart") || std::ranges::any_of(what.headers, [&](auto const& each) {
                         return each.first == "Content-Range" && each.second.ends_with(std::to_string(size - 1) + end);
                       });
        auto answer = co_await through(std::move(what));
        if (creates && !std::exchange(lost, true)) co_return std::unexpected("the answer is lost.");
        co_return answer;
      };
      gcs::objects objects(time, loses, options);
      auto ended = co_await objects.put_large("box", "k" + std::to_string(size), content(text), {.only_new = true});
      EXPECT_TRUE(ended) << ended.error().message;
      EXPECT_TRUE(lost);
    }
  });
}

}  // namespace
}  // namespace kopiur::blob::test
