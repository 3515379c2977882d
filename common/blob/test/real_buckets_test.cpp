#include "common/blob/test/real_store.hpp"

namespace kopiur::blob::test {
namespace {

using namespace std::chrono_literals;

class Buckets : public Store {};

TEST_P(Buckets, MakesAndDeletesBuckets) {
  with_store(options_of(server_of(GetParam())), [](visit& here) -> awaitable<void> {
    EXPECT_EQ(kind_of(co_await here.store.head_bucket("life")), failure::absent);
    EXPECT_EQ(kind_of(co_await here.store.list("life", {})), failure::absent);
    EXPECT_TRUE(done(co_await here.store.create_bucket("life", "")));
    EXPECT_EQ(kind_of(co_await here.store.create_bucket("life", "")), failure::owned);
    EXPECT_TRUE(done(co_await here.store.head_bucket("life")));
    EXPECT_TRUE(done(co_await here.store.put("life", "k", http::text_upload("x"), {})));
    EXPECT_EQ(kind_of(co_await here.store.delete_bucket("life")), failure::conflict);
    EXPECT_TRUE(done(co_await here.store.remove("life", {{"k"}})));
    EXPECT_TRUE(done(co_await here.store.delete_bucket("life")));
    EXPECT_EQ(kind_of(co_await here.store.delete_bucket("life")), failure::absent);
    EXPECT_EQ(kind_of(co_await here.store.create_bucket("x", "")), failure::invalid);
  });
}

TEST_P(Buckets, RefusesWrongCredentialsWithoutNamingThem) {
  auto options = options_of(server_of(GetParam()));
  options.identity = [] { return s3::credentials{s3_server::access_key, "hunter2-wrong"}; };
  with_store(options, [](visit& here) -> awaitable<void> {
    for (auto failed : {co_await here.store.head_bucket("any-box"), co_await here.store.create_bucket("any-box", "")}) {
      EXPECT_EQ(kind_of(failed), failure::denied);
      EXPECT_FALSE(failed.error().message.contains("hunter2")) << failed.error().message;
    }
  });
  options.identity = [] { return s3::credentials{"nobody-known", "hunter2-wrong"}; };
  with_store(options, [](visit& here) -> awaitable<void> {
    auto failed = co_await here.store.list("any-box", {});
    EXPECT_EQ(kind_of(failed), failure::denied) << failed.error().message;
    EXPECT_FALSE(failed.error().message.contains("nobody-known")) << failed.error().message;
  });
}

TEST_P(Buckets, AbortsUnfinishedUploads) {
  auto options = options_of(server_of(GetParam()));
  with_bucket([&](visit& here, std::string bucket) -> awaitable<void> {
    s3::requests raw(here.time, over(here.connections), options);
    for (std::string key : {"up/a b", "up/c"})
      EXPECT_TRUE(done(co_await raw.text(
          s3::with_xml({.action = "Beginning", .method = "POST", .bucket = bucket, .key = key, .query = {{"uploads", ""}}}, ""))));
    // MinIO lists uploads only by the whole key.
    auto page = co_await here.store.list_uploads(bucket, {.prefix = "up/a b"});
    EXPECT_TRUE(done(page));
    EXPECT_EQ(page->uploads.size(), 1U);
    for (auto& each : page->uploads) {
      EXPECT_EQ(each.key, "up/a b");
      EXPECT_TRUE(done(co_await here.store.abort_upload(bucket, each)));
      EXPECT_TRUE(done(co_await here.store.abort_upload(bucket, each))) << "once more";
    }
    EXPECT_TRUE((co_await here.store.list_uploads(bucket, {.prefix = "up/a b"})).value().uploads.empty());
  });
}

TEST_P(Buckets, FindsABucketInTheHostName) {
  auto options = options_of(server_of(GetParam()));
  options.endpoint = "http://s3.test:" + std::to_string(server_of(GetParam()).port());
  options.addressing = s3::style::virtual_host;
  with_store(options, [&](visit& here) -> awaitable<void> {
    auto to_server = [&](http::streamed_request what) {
      EXPECT_EQ(what.where.host, "in-host.s3.test");
      what.connect_to = std::vector<http::endpoint>{{"127.0.0.1", what.where.port}};
      return over(here.connections)(std::move(what));
    };
    s3::store store(here.time, to_server, options);
    EXPECT_TRUE(done(co_await store.create_bucket("in-host", "")));
    EXPECT_TRUE(done(co_await store.put("in-host", "a b", http::text_upload("x"), {})));
    EXPECT_EQ(co_await content_of(store, "in-host", "a b"), "x");
    EXPECT_EQ((co_await all_objects(store, "in-host", {})).size(), 1U);
  });
}

TEST_P(Buckets, HasVersionsOrSaysThatItHasNone) {
  with_bucket([](visit& here, std::string bucket) -> awaitable<void> {
    auto before = co_await here.store.get_versioning(bucket);
    if (!before) {
      EXPECT_EQ(kind_of(before), failure::unsupported) << before.error().message;
      co_return;
    }
    EXPECT_EQ(*before, versioning::never);
    EXPECT_TRUE(done(co_await here.store.set_versioning(bucket, true)));
    EXPECT_EQ((co_await here.store.get_versioning(bucket)).value(), versioning::enabled);
    for (std::string key : {"a b", "c\x07"}) {
      for (int i = 0; i < 3; ++i) EXPECT_FALSE((co_await here.store.put(bucket, key, http::text_upload("x"), {})).value().version.empty());
      EXPECT_TRUE(done(co_await here.store.remove(bucket, {{key}})));
      EXPECT_EQ(kind_of(co_await here.store.head(bucket, {key})), failure::absent);
    }
    EXPECT_TRUE((co_await all_objects(here.store, bucket, {})).empty());
    auto versions = co_await all_versions(here.store, bucket, {.page_size = 3});
    EXPECT_EQ(versions.size(), 8U);
    EXPECT_EQ(std::ranges::count_if(versions, [](auto const& each) { return each.delete_marker; }), 2);
    std::vector<object_name> names;
    for (auto& each : versions) names.push_back({each.content.key, each.version});
    auto failed = co_await here.store.remove(bucket, names);
    EXPECT_TRUE(done(failed));
    EXPECT_TRUE(failed->empty());
    EXPECT_TRUE((co_await all_versions(here.store, bucket, {})).empty());
    EXPECT_TRUE(done(co_await here.store.set_versioning(bucket, false)));
    EXPECT_EQ((co_await here.store.get_versioning(bucket)).value(), versioning::suspended);
    EXPECT_TRUE(done(co_await here.store.delete_bucket(bucket)));
  });
}

TEST_P(Buckets, KeepsLifecycleRulesOrSaysThatItHasNone) {
  with_bucket([](visit& here, std::string bucket) -> awaitable<void> {
    auto before = co_await here.store.get_lifecycle(bucket);
    if (!before) {
      EXPECT_EQ(kind_of(before), failure::unsupported) << before.error().message;
      co_return;
    }
    EXPECT_TRUE(before->empty());
    std::vector<lifecycle_rule> rules{{.id = "one", .prefix = "a/", .expiration_days = 7},
                                      {.id = "two", .expiration_days = 30, .enabled = false}};
    EXPECT_TRUE(done(co_await here.store.set_lifecycle(bucket, rules)));
    auto read = co_await here.store.get_lifecycle(bucket);
    EXPECT_TRUE(done(read));
    EXPECT_TRUE(*read == rules) << read->size();
    rules[1].abort_uploads_days = 2;
    EXPECT_TRUE(done(co_await here.store.set_lifecycle(bucket, rules)));
    read = co_await here.store.get_lifecycle(bucket);
    rules[1].abort_uploads_days.reset();
    EXPECT_TRUE(*read == rules) << "MinIO takes it and forgets it: callers read again";
    EXPECT_TRUE(done(co_await here.store.set_lifecycle(bucket, {})));
    EXPECT_TRUE((co_await here.store.get_lifecycle(bucket)).value().empty());
  });
}

INSTANTIATE_TEST_SUITE_P(Versitygw, Buckets, ::testing::Values(kind::versitygw));
INSTANTIATE_TEST_SUITE_P(Minio, Buckets, ::testing::Values(kind::minio));

}  // namespace
}  // namespace kopiur::blob::test
