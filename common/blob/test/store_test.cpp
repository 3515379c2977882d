#include "common/blob/core/digest.hpp"
#include "common/blob/test/scripted_transport.hpp"
#include "common/encoding/base64.hpp"
#include "common/encoding/hex.hpp"

namespace kopiur::blob::test {
namespace {

using s3::store;

TEST(Names, ThatWouldMeanSomethingElseAreRefused) {
  with_script({}, [](store& store, still_clock&) -> awaitable<void> {
    for (std::string bucket : {"", "..", "a/b", "a?b", "a\nb"})
      EXPECT_EQ((co_await store.delete_bucket(bucket)).error().kind, failure::invalid) << bucket;
    for (std::string key : {"", "..", "../other/k", "a/./b", "."}) {
      EXPECT_EQ((co_await store.head("box", {key})).error().kind, failure::invalid) << key;
      EXPECT_EQ((co_await store.put("box", key, {}, {})).error().kind, failure::invalid) << key;
    }
    EXPECT_EQ((co_await store.remove("box", {{""}})).value().size(), 1U) << "DELETE of it would delete the bucket";
  });
}

TEST(Put, SignsTheHashOrNothingOverTls) {
  auto hello = sha256("hello");
  auto heard = with_script({{}, {}, {}}, [&](store& store, still_clock&) -> awaitable<void> {
    EXPECT_TRUE(co_await store.put("box", "k", http::text_upload("hello"), {}));
    EXPECT_TRUE(co_await store.put("box", "k", http::text_upload("hello"), {.sha256 = hello}));
    EXPECT_TRUE(co_await store.put("box", "k", http::text_upload("hello"), {.crc32 = 0x3610a686U}));
  });
  EXPECT_EQ(heard[0].header("x-amz-content-sha256"), "UNSIGNED-PAYLOAD");
  EXPECT_EQ(heard[1].header("x-amz-content-sha256"), encoding::hex(hello));
  EXPECT_EQ(heard[1].header("x-amz-checksum-sha256"), encoding::base64(hello));
  EXPECT_EQ(heard[2].header("x-amz-checksum-crc32"), "NhCmhg==");
}

TEST(Put, HashesFirstWithoutTls) {
  auto once = http::text_upload("hello");
  once.rewind = nullptr;
  auto heard = with_script(
      {{}},
      [&](store& store, still_clock&) -> awaitable<void> {
        EXPECT_TRUE(co_await store.put("box", "k", http::text_upload("hello"), {}));
        auto refused = co_await store.put("box", "k", once, {});
        EXPECT_TRUE(refused.error().message.contains("Use https.")) << refused.error().message;
      },
      options_of("http://h"));
  EXPECT_EQ(heard[0].header("x-amz-content-sha256"), encoding::hex(sha256("hello")));
  EXPECT_EQ(heard[0].body, "hello");
}

TEST(Get, RefusesAWholeObjectInsteadOfAPart) {
  scripted whole{.body = "hello", .fields = {{"content-length", "5"}}};
  scripted part{.status = 206, .body = "ell", .fields = {{"content-length", "3"}, {"content-range", "bytes 1-3/5"}}};
  auto heard = with_script({whole, part}, [](store& store, still_clock&) -> awaitable<void> {
    EXPECT_EQ((co_await store.get("box", {"k"}, {1, 3})).error().kind, failure::unsupported);
    auto content = co_await store.get("box", {"k"}, {1, 3});
    EXPECT_EQ(content.value().head.size, 5U);
    EXPECT_EQ(content->length, 3U);
    EXPECT_EQ((co_await store.get("box", {"k"}, {1, 0})).error().kind, failure::invalid);
  });
  EXPECT_EQ(heard[1].header("Range"), "bytes=1-3");
}

TEST(Get, NoticesAnAnswerThatIsTooShort) {
  with_script({{.body = "hel", .fields = {{"content-length", "5"}}}}, [](store& store, still_clock&) -> awaitable<void> {
    auto content = co_await store.get("box", {"k"}, {});
    char piece[16];
    EXPECT_EQ((co_await content.value().read(asio::buffer(piece))).value(), 3U);
    EXPECT_EQ((co_await content->read(asio::buffer(piece))).error().kind, failure::unavailable);
  });
}

TEST(Remove, GoesInBatchesAndReportsEachKey) {
  std::vector<object_name> names;
  for (int i = 0; i < 1001; ++i) names.push_back({"k" + std::to_string(i)});
  names.push_back({"odd\x01", "v1"});
  scripted first{.body =
                     "<DeleteResult><Error><Key>k7</Key><Code>AccessDenied</Code><Message>No.</Message></Error>"
                     "<Error><Key>k8</Key><Code>NoSuchKey</Code></Error></DeleteResult>"};
  auto heard = with_script({first, {.body = "<DeleteResult/>"}, {.status = 404}}, [&](store& store, still_clock&) -> awaitable<void> {
    auto failed = co_await store.remove("box", names);
    EXPECT_EQ(failed.value().size(), 1U);
    EXPECT_EQ(failed->at(0).name.key, "k7");
  });
  EXPECT_TRUE(heard[0].body.contains("<Key>k999</Key>") && !heard[0].body.contains("<Key>k1000</Key>"));
  EXPECT_EQ(heard[0].header("Content-MD5"), encoding::base64(md5(heard[0].body)));
  EXPECT_EQ(heard[0].request.where.target, "/box?delete=");
  EXPECT_TRUE(heard[1].body.contains("<Key>k1000</Key>"));
  EXPECT_EQ(heard[2].request.method + heard[2].request.where.target, "DELETE/box/odd%01?versionId=v1");
}

TEST(Remove, GoesOneByOneWhereThereAreNoBatches) {
  with_script({{.status = 501}, {.status = 204}, {.status = 403}}, [&](store& store, still_clock&) -> awaitable<void> {
    auto failed = co_await store.remove("box", {{"a"}, {"b"}});
    EXPECT_EQ(failed.value().size(), 1U);
    EXPECT_EQ(failed->at(0).name.key, "b");
  });
}

TEST(Lists, RefuseAPageThatComesAgain) {
  std::string page = "<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>t</NextContinuationToken></ListBucketResult>";
  with_script({{.body = page}}, [](store& store, still_clock&) -> awaitable<void> {
    EXPECT_TRUE((co_await store.list("box", {.from = "t"})).error().message.contains("the same again"));
  });
}

TEST(Lists, SayThatAStoreHasNoVersions) {
  with_script({{.status = 501, .body = error_xml("NotImplemented")}}, [](store& store, still_clock&) -> awaitable<void> {
    EXPECT_FALSE((co_await store.list_versions("box", {})).value().supported);
  });
}

TEST(Lists, AnErrorWithStatus200IsOne) {
  with_script(
      {{.body = error_xml("InternalError")}, {.body = error_xml("AccessDenied")}},
      [](store& store, still_clock&) -> awaitable<void> { EXPECT_EQ((co_await store.list("box", {})).error().kind, failure::denied); });
}

TEST(Lifecycle, NoneIsAnEmptyList) {
  with_script({{.status = 404, .body = error_xml("NoSuchLifecycleConfiguration")}, {.status = 404, .body = error_xml("NoSuchBucket")}},
              [](store& store, still_clock&) -> awaitable<void> {
                EXPECT_TRUE((co_await store.get_lifecycle("box")).value().empty());
                EXPECT_EQ((co_await store.get_lifecycle("box")).error().kind, failure::absent);
              });
}

}  // namespace
}  // namespace kopiur::blob::test
