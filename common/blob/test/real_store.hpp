#pragma once
#include <gtest/gtest.h>

#include "common/app/async.hpp"
#include "common/app/system_clock.hpp"
#include "common/blob/s3/store.hpp"
#include "common/blob/test/s3_server.hpp"
#include "common/json/codec.hpp"
#include "common/testing/run.hpp"

/// What the tests with real servers share.
namespace kopiur::blob::test {

namespace asio = boost::asio;
template <class T>
using awaitable = asio::awaitable<T>;

/// The running server of a kind, for all tests of this program.
inline s3_server& server_of(kind which) {
  static std::map<kind, std::unique_ptr<s3_server>> all;
  auto& one = all[which];
  if (!one)
    one = std::make_unique<s3_server>(
        which, server_options{.arguments = {"--virtual-domain", "s3.test"},
                              .environment = {{"MINIO_SITE_REGION", "eu-west-1"},
                                              {"MINIO_DOMAIN", "s3.test"},
                                              {"MINIO_KMS_SECRET_KEY", "kopiur:MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="}}});
  return *one;
}

inline s3::options options_of(s3_server const& server) {
  return {.endpoint = server.url(), .identity = [] { return s3::credentials{s3_server::access_key, s3_server::secret_key}; }};
}

/// What a test uses.
struct visit {
  clock& time;
  http::pool& connections;
  blob::store& store;
};

inline void with_store(s3::options options, std::function<awaitable<void>(visit&)> use, http::pool::limits limits = {}) {
  testing::run([&](asio::io_context& loop) -> awaitable<void> {
    app::system_clock time(loop.get_executor());
    http::pool connections(time, loop.get_executor(), limits);
    s3::store store(time, over(connections), options);
    visit here{time, connections, store};
    co_await use(here);
  });
}

/// Succeeded, or the test fails with the sentence.
template <class T>
::testing::AssertionResult done(result<T> const& what) {
  if (what) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << json::to_text(what.error().kind) << ": " << what.error().message;
}
template <class T>
failure kind_of(result<T> const& what) {
  EXPECT_FALSE(what);
  return what ? failure::other : what.error().kind;
}

inline awaitable<std::vector<object>> all_objects(blob::store& store, std::string bucket, listing what) {
  std::vector<object> all;
  for (bool more = true; more;) {
    auto page = co_await store.list(bucket, what);
    EXPECT_TRUE(done(page));
    if (!page) break;
    EXPECT_LE(page->objects.size(), static_cast<std::size_t>(what.page_size));
    all.insert(all.end(), page->objects.begin(), page->objects.end());
    what.from = page->next;
    more = !what.from.empty();
  }
  co_return all;
}

inline awaitable<std::vector<object_version>> all_versions(blob::store& store, std::string bucket, listing what) {
  std::vector<object_version> all;
  for (bool more = true; more;) {
    auto page = co_await store.list_versions(bucket, what);
    EXPECT_TRUE(done(page));
    if (!page) break;
    all.insert(all.end(), page->versions.begin(), page->versions.end());
    what.from = page->next;
    more = !what.from.empty();
  }
  co_return all;
}

inline awaitable<std::string> content_of(blob::store& store, std::string bucket, std::string key, byte_range range = {}) {
  auto content = co_await store.get(bucket, {key}, range);
  EXPECT_TRUE(done(content));
  std::string all, piece(1 << 20, 0);
  while (content) {
    auto length = co_await content->read(asio::buffer(piece));
    EXPECT_TRUE(done(length));
    if (!length || *length == 0) break;
    all.append(piece, 0, *length);
  }
  co_return all;
}

class Store : public ::testing::TestWithParam<kind> {
 protected:
  /// Runs `use` with a bucket of its own.
  void with_bucket(std::function<awaitable<void>(visit&, std::string)> use) {
    with_store(options_of(server_of(GetParam())), [&](visit& here) -> awaitable<void> {
      auto bucket = "box-" + std::to_string(++boxes_);
      EXPECT_TRUE(done(co_await here.store.create_bucket(bucket, "")));
      co_await use(here, bucket);
    });
  }
  static inline int boxes_ = 0;
};

}  // namespace kopiur::blob::test
