#include <signal.h>

#include <fstream>
#include <sstream>

#include "common/blob/test/real_store.hpp"
#include "common/testing/files.hpp"

namespace kopiur::blob::test {
namespace {

using namespace std::chrono_literals;

TEST(Trouble, ARestartedServerIsFoundAgain) {
  s3_server server(kind::versitygw);
  with_store(options_of(server), [&](visit& here) -> awaitable<void> {
    EXPECT_TRUE(done(co_await here.store.create_bucket("life", "")));
    EXPECT_EQ(here.connections.idle(), 1U);
    server.restart();  // the kept connection is closed
    EXPECT_TRUE(done(co_await here.store.put("life", "k", http::text_upload("x"), {.only_new = true})));
  });
}

TEST(Trouble, AServerThatAcceptsAndNeverAnswersMeetsTheDeadline) {
  s3_server server(kind::versitygw);
  ::kill(server.id(), SIGSTOP);  // the kernel accepts for it
  auto options = options_of(server);
  options.limits.idle = 50ms;
  options.attempts = 2;
  options.pauses = {.first = 1ms, .limit = 1ms};
  with_store(options, [](visit& here) -> awaitable<void> {
    auto failed = co_await here.store.list("life", {});
    EXPECT_EQ(kind_of(failed), failure::unavailable);
    EXPECT_EQ(failed.error().status, 0);
    EXPECT_TRUE(failed.error().message.contains("neither took nor sent anything for 50ms")) << failed.error().message;
  });
  ::kill(server.id(), SIGCONT);
}

TEST(Trouble, AnAbsentServerIsUnavailable) {
  auto options = test::options_of(s3_server(kind::versitygw));  // it has ended
  options.attempts = 2;
  options.pauses = {.first = 1ms, .limit = 1ms};
  with_store(options, [](visit& here) -> awaitable<void> {
    auto failed = co_await here.store.head_bucket("life");
    EXPECT_EQ(kind_of(failed), failure::unavailable);
    EXPECT_TRUE(failed.error().message.contains("Connection refused")) << failed.error().message;
  });
}

TEST(Trouble, VersionsOfVersitygwAreRemovedToo) {
  testing::folder versions("/dev/shm");
  s3_server server(kind::versitygw, {.posix = {"--versioning-dir", versions.path()}});
  with_store(options_of(server), [](visit& here) -> awaitable<void> {
    EXPECT_TRUE(done(co_await here.store.create_bucket("life", "")));
    EXPECT_TRUE(done(co_await here.store.set_versioning("life", true)));
    EXPECT_EQ((co_await here.store.get_versioning("life")).value(), versioning::enabled);
    for (int i = 0; i < 3; ++i) EXPECT_FALSE((co_await here.store.put("life", "a b", http::text_upload("x"), {})).value().version.empty());
    EXPECT_TRUE(done(co_await here.store.remove("life", {{"a b"}})));
    std::vector<object_name> names;
    for (auto& each : co_await all_versions(here.store, "life", {.page_size = 2})) names.push_back({each.content.key, each.version});
    EXPECT_EQ(names.size(), 4U);
    auto failed = co_await here.store.remove("life", names);
    EXPECT_TRUE(done(failed));
    EXPECT_TRUE(failed->empty());
    EXPECT_TRUE(done(co_await here.store.delete_bucket("life")));
  });
}

/// A body that can be sent once and counts its reads.
struct one_way {
  std::string text;
  std::size_t sent = 0;
  int reads = 0;
  static awaitable<std::size_t> next(one_way& from, asio::mutable_buffer buffer) {
    ++from.reads;
    auto length = asio::buffer_copy(buffer, asio::buffer(from.text) + from.sent);
    from.sent += length;
    co_return length;
  }
  http::upload upload() {
    return {.length = text.size(), .read = [this](asio::mutable_buffer buffer) { return next(*this, buffer); }};
  }
};

class Tls : public ::testing::Test {
 protected:
  Tls() { testing::make_certificate(certificate(), key()); }
  std::string key() const { return folder_ / "key"; }
  std::string certificate() const { return folder_ / "certificate"; }
  testing::folder folder_;
};

TEST_F(Tls, StreamsABodyThatCanBeSentOnlyOnce) {
  s3_server server(kind::versitygw, {.arguments = {"--cert", certificate(), "--key", key()}, .scheme = "https"});
  auto options = options_of(server);
  options.trusted = http::load({.ca_file = certificate()}).value();
  with_store(options, [](visit& here) -> awaitable<void> {
    EXPECT_TRUE(done(co_await here.store.create_bucket("life", "")));
    one_way body{.text = std::string(3'000'000, 'x')};
    EXPECT_TRUE(done(co_await here.store.put("life", "k", body.upload(), {})));
    EXPECT_TRUE(co_await content_of(here.store, "life", "k") == body.text);
    EXPECT_EQ(here.connections.idle(), 1U);
    one_way refused{.text = std::string(3'000'000, 'x')};
    EXPECT_EQ(kind_of(co_await here.store.put("none", "k", refused.upload(), {})), failure::absent);
    one_way small{.text = "hello"};
    EXPECT_EQ(kind_of(co_await here.store.put("life", "k", small.upload(), {.crc32 = 1})), failure::invalid) << "a wrong checksum";
  });
}

TEST_F(Tls, TrustsNoStranger) {
  s3_server server(kind::versitygw, {.arguments = {"--cert", certificate(), "--key", key()}, .scheme = "https"});
  auto options = options_of(server);
  options.attempts = 1;
  with_store(options, [](visit& here) -> awaitable<void> {
    auto failed = co_await here.store.head_bucket("life");
    EXPECT_EQ(kind_of(failed), failure::unavailable);
    EXPECT_TRUE(failed.error().message.contains("certificate verify failed")) << failed.error().message;
  });
}

}  // namespace
}  // namespace kopiur::blob::test
