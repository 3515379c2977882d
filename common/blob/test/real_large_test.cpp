#include "common/blob/test/real_store.hpp"
#include "common/blob/test/text_content.hpp"

namespace kopiur::blob::test {
namespace {

class Large : public Store {};

constexpr std::size_t mib = 1 << 20;

/// spec/etcd-backup.md B6.11: parts whose checksums were lost.
TEST_P(Large, GoesInPartsAndComesBackAsItWas) {
  with_bucket([](visit& here, std::string bucket) -> awaitable<void> {
    for (std::size_t size : {7 * mib, 8 * mib, 8 * mib + 1, 20 * mib}) {
      auto text = sample(size, 1);
      auto key = "large/" + std::to_string(size);
      EXPECT_TRUE(done(co_await here.store.put_large(bucket, key, content(text), {.only_new = true})));
      EXPECT_TRUE(co_await content_of(here.store, bucket, key) == text) << size;
    }
    auto tag = (co_await here.store.head(bucket, {"large/" + std::to_string(20 * mib)})).value().tag;
    EXPECT_TRUE(tag.contains("-3")) << "three parts: " << tag;
  });
}

TEST_P(Large, NeverOverwritesWhenItMustBeNew) {
  with_bucket([](visit& here, std::string bucket) -> awaitable<void> {
    for (std::size_t size : {mib, 20 * mib}) {
      auto old = sample(size, 1), other = sample(size, 2);
      auto key = "k" + std::to_string(size);
      EXPECT_TRUE(done(co_await here.store.put_large(bucket, key, content(old), {.only_new = true})));
      auto second = co_await here.store.put_large(bucket, key, content(other), {.only_new = true});
      EXPECT_EQ(kind_of(second), failure::conflict);
      EXPECT_FALSE(second.error().repeated);
      EXPECT_TRUE(co_await content_of(here.store, bucket, key) == old) << size;
      EXPECT_TRUE((co_await here.store.list_uploads(bucket, {.prefix = key})).value().uploads.empty());
      EXPECT_TRUE(done(co_await here.store.put_large(bucket, key, content(other), {})));
      EXPECT_TRUE(co_await content_of(here.store, bucket, key) == other) << size;
    }
  });
}

TEST_P(Large, LeavesNoUnfinishedUploadAfterAFailure) {
  with_bucket([](visit& here, std::string bucket) -> awaitable<void> {
    auto text = sample(20 * mib, 1);
    auto fails = content(text);
    fails.length += mib;
    EXPECT_EQ(kind_of(co_await here.store.put_large(bucket, "k", fails, {})), failure::invalid);
    EXPECT_EQ(kind_of(co_await here.store.head(bucket, {"k"})), failure::absent);
    EXPECT_TRUE((co_await here.store.list_uploads(bucket, {.prefix = "k"})).value().uploads.empty());
  });
}

TEST_P(Large, LeavesNoUnfinishedUploadWhenItIsCancelled) {
  with_bucket([](visit& here, std::string bucket) -> awaitable<void> {
    auto text = sample(20 * mib, 1);
    app::event reading(co_await asio::this_coro::executor);
    auto slow = [&](std::uint64_t offset, asio::mutable_buffer into) -> awaitable<std::size_t> {
      if (offset > 9 * mib) reading.notify(), co_await reading.wait(reading.epoch());
      co_return co_await read_text(text, offset, into, text.size());
    };
    std::exception_ptr failed;
    auto upload = [&]() -> awaitable<void> {
      try {
        co_await here.store.put_large(bucket, "k", {.length = text.size(), .read = slow}, {});
      } catch (...) {
        failed = std::current_exception();
      }
    };
    co_await app::first_of(upload(), reading.wait(0));
    EXPECT_TRUE(app::is_cancelled(failed));
    EXPECT_TRUE((co_await here.store.list_uploads(bucket, {.prefix = "k"})).value().uploads.empty());
  });
}

TEST_P(Large, IsRecognisedInTheStore) {
  auto options = options_of(server_of(GetParam()));
  with_bucket([&](visit& here, std::string bucket) -> awaitable<void> {
    for (std::size_t size : {mib, 20 * mib}) {
      auto old = sample(size, 1), other = sample(size, 2);
      auto key = "k" + std::to_string(size);
      bool lost = false;  // the answer of the first request that creates the object
      auto loses = [&](http::streamed_request what) -> awaitable<std::expected<http_answer, std::string>> {
        bool creates = std::ranges::any_of(what.headers, [](auto const& each) { return each.first == "If-None-Match"; });
        auto answer = co_await over(here.connections)(std::move(what));
        if (creates && !std::exchange(lost, true)) co_return std::unexpected("the answer is lost.");
        co_return answer;
      };
      s3::store store(here.time, loses, options);
      EXPECT_TRUE(done(co_await store.put_large(bucket, key, content(old), {.only_new = true}))) << size;
      EXPECT_TRUE(lost);
      lost = false;
      EXPECT_EQ(kind_of(co_await store.put_large(bucket, key, content(other), {.only_new = true})), failure::conflict);
      EXPECT_TRUE(co_await content_of(here.store, bucket, key) == old) << size;
    }
  });
}

class Encrypted : public Store {};

/// By a KMS: MinIO has one with one key, of the name `kopiur`.
TEST_P(Encrypted, ByTheKeyThatIsNamedAndByNoOther) {
  with_bucket([](visit& here, std::string bucket) -> awaitable<void> {
    for (std::size_t size : {mib, 20 * mib}) {
      auto text = sample(size, 1);
      auto key = "k" + std::to_string(size);
      EXPECT_TRUE(done(co_await here.store.put_large(bucket, key, content(text), {.only_new = true, .encryption_key = "kopiur"})));
      EXPECT_TRUE(co_await content_of(here.store, bucket, key) == text) << size;
      EXPECT_FALSE(co_await here.store.put_large(bucket, key + "-other", content(text), {.encryption_key = "absent"})) << size;
      EXPECT_EQ(kind_of(co_await here.store.head(bucket, {key + "-other"})), failure::absent);
      EXPECT_TRUE((co_await here.store.list_uploads(bucket, {.prefix = key})).value().uploads.empty());
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Minio, Encrypted, ::testing::Values(kind::minio));
INSTANTIATE_TEST_SUITE_P(Versitygw, Large, ::testing::Values(kind::versitygw));
INSTANTIATE_TEST_SUITE_P(Minio, Large, ::testing::Values(kind::minio));

}  // namespace
}  // namespace kopiur::blob::test
