#include "common/blob/test/scripted_transport.hpp"

namespace kopiur::blob::test {
namespace {

using namespace std::chrono_literals;
using s3::store;

/// The error of head_bucket after these answers.
error error_of(std::deque<scripted> answers, s3::options options = options_of(), std::vector<duration>* slept = nullptr) {
  error failed;
  with_script(
      std::move(answers),
      [&](store& store, still_clock& time) -> awaitable<void> {
        auto done = co_await store.head_bucket("box");
        if (!done) failed = done.error();
        if (slept) *slept = time.slept;
      },
      std::move(options));
  return failed;
}

TEST(Failure, FollowsFromCodeThenStatus) {
  auto kind = [](int status, std::string code) { return s3::classify({.status = status, .document = {.code = code}}, "X").kind; };
  EXPECT_EQ(kind(404, ""), failure::absent);
  EXPECT_EQ(kind(404, "NoSuchBucket"), failure::absent);
  EXPECT_EQ(kind(403, ""), failure::denied);
  EXPECT_EQ(kind(400, "ExpiredToken"), failure::denied);
  EXPECT_EQ(kind(409, "BucketAlreadyExists"), failure::taken);
  EXPECT_EQ(kind(409, "BucketAlreadyOwnedByYou"), failure::owned);
  EXPECT_EQ(kind(409, "BucketNotEmpty"), failure::conflict);
  EXPECT_EQ(kind(412, ""), failure::conflict);
  EXPECT_EQ(kind(501, ""), failure::unsupported);
  EXPECT_EQ(kind(503, "SlowDown"), failure::unavailable);
  EXPECT_EQ(kind(400, "RequestTimeout"), failure::unavailable);
  EXPECT_EQ(kind(400, "InvalidBucketName"), failure::invalid);
  EXPECT_EQ(kind(416, ""), failure::invalid);
  EXPECT_EQ(kind(599, ""), failure::other);
}

TEST(Failure, SaysWhatTheStoreSaid) {
  auto failed = s3::classify({.status = 403, .document = {.code = "AccessDenied", .message = "No\nway.", .request = "r1"}}, "Listing x");
  EXPECT_EQ(failed.message,
            "Listing x failed: the store answered 403 AccessDenied: No way. Allow it in the policy of these credentials or of the bucket.");
  EXPECT_EQ(failed.request, "r1");
  EXPECT_EQ(failed.code, "AccessDenied");
}

TEST(Failure, SaysThatAClockIsWrong) {
  EXPECT_TRUE(error_of({{.status = 403, .body = error_xml("RequestTimeTooSkewed")}}).message.contains("differ by too much"));
  auto head = error_of({{.status = 403, .fields = {{"date", "Sat, 21 Nov 2026 06:20:00 GMT"}}}});
  EXPECT_TRUE(head.message.contains("that of the store (2026-11-21T06:20:00Z) differ by too much. Set the wrong one")) << head.message;
  EXPECT_FALSE(error_of({{.status = 403, .fields = {{"date", "Sat, 21 Nov 2026 06:01:00 GMT"}}}}).message.contains("clock"));
}

TEST(Failure, NamesNoSecret) {
  auto options = options_of();
  options.identity = [] { return s3::credentials{"AKIDEXAMPLE", "hunter2", "token3"}; };
  for (auto answer : {scripted{.status = 403, .body = "<Error><Code>X</Code><Message>hunter2 AKIDEXAMPLE token3</Message></Error>"},
                      scripted{.no_answer = "sent hunter2 AKIDEXAMPLE token3."}}) {
    options.attempts = 1;
    auto failed = error_of({answer}, options);
    EXPECT_TRUE(failed.message.contains("*** *** ***")) << failed.message;
  }
}

TEST(Retries, AreForWhatMayPass) {
  for (auto answer :
       {scripted{.status = 500}, {.status = 503}, {.status = 400, .body = error_xml("RequestTimeout")}, {.no_answer = "gone."}})
    EXPECT_EQ(error_of({answer, answer, {}}).message, "");
  for (auto answer : {scripted{.status = 403}, {.status = 404}, {.status = 501}, {.status = 400}})
    EXPECT_NE(error_of({answer}).message, "");
}

TEST(Retries, HaveABoundAndGrowingPauses) {
  std::vector<duration> slept;
  auto options = options_of();
  options.attempts = 4;
  auto failed = error_of({{.status = 503}, {.no_answer = "gone."}, {.status = 500}, {.status = 502}}, options, &slept);
  EXPECT_EQ(failed.kind, failure::unavailable);
  EXPECT_EQ(failed.status, 502);
  EXPECT_TRUE(failed.repeated);
  ASSERT_EQ(slept.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_TRUE(slept[i] >= 100ms * (1 << i) && slept[i] <= 200ms * (1 << i)) << i;
}

TEST(Retries, WaitAsLongAsTheStoreAsksButNotForever) {
  std::vector<duration> slept;
  error_of({{.status = 503, .fields = {{"retry-after", "7"}}}, {.status = 503, .fields = {{"retry-after", "3600"}}}, {}}, options_of(),
           &slept);
  EXPECT_EQ(slept, (std::vector<duration>{7s, 20s}));
}

TEST(Retries, SendABodyAgainFromItsBeginning) {
  auto heard = with_script({{.status = 503}, {.fields = {{"etag", "\"x\""}}}}, [](store& store, still_clock&) -> awaitable<void> {
    auto done = co_await store.put("box", "k", http::text_upload("hello"), {});
    EXPECT_EQ(done.value().tag, "\"x\"");
  });
  EXPECT_EQ(heard[1].body, "hello");
}

TEST(Retries, DoNotSendHalfABody) {
  for (bool reads : {true, false}) {
    auto upload = http::text_upload("hello");
    upload.rewind = nullptr;
    std::deque<scripted> answers{{.status = 503, .reads_body = reads}};
    if (!reads) answers.push_back({});
    with_script(answers, [&](store& store, still_clock&) -> awaitable<void> {
      EXPECT_EQ((co_await store.put("box", "k", upload, {})).has_value(), !reads);
    });
  }
}

TEST(Retries, SayThatAConflictMayBeTheirOwn) {
  for (bool lost : {false, true}) {
    std::deque<scripted> answers{{.status = 412, .body = error_xml("PreconditionFailed")}};
    if (lost) answers.push_front({.no_answer = "gone."});
    auto heard = with_script(answers, [&](store& store, still_clock&) -> awaitable<void> {
      auto done = co_await store.put("box", "k", http::text_upload("x"), {.only_new = true});
      EXPECT_EQ(done.error().kind, failure::conflict);
      EXPECT_EQ(done.error().repeated, lost);
    });
    EXPECT_EQ(heard[0].header("If-None-Match"), "*");
    EXPECT_EQ(heard[0].request.repeatable, false) << "the pool must not repeat it unseen";
  }
}

TEST(Region, IsFollowedOnceAndRemembered) {
  auto heard = with_script({{.status = 301, .fields = {{"x-amz-bucket-region", "eu-west-1"}}}, {}, {}, {}},
                           [](store& store, still_clock&) -> awaitable<void> {
                             EXPECT_TRUE(co_await store.head_bucket("box"));
                             EXPECT_TRUE(co_await store.head_bucket("box"));
                             EXPECT_TRUE(co_await store.head_bucket("other"));
                           });
  EXPECT_EQ(heard[0].request.where.host, "s3.us-east-1.amazonaws.com");
  for (int i : {1, 2}) {
    auto& again = heard[static_cast<std::size_t>(i)];
    EXPECT_EQ(again.request.where.host, "s3.eu-west-1.amazonaws.com");
    EXPECT_TRUE(again.header("Authorization").contains("/eu-west-1/s3/")) << again.header("Authorization");
  }
  EXPECT_EQ(heard[3].request.where.host, "s3.us-east-1.amazonaws.com");
}

TEST(Region, ComesFromTheBodyToo) {
  auto wrong = error_xml("AuthorizationHeaderMalformed", "<Region>garage</Region>");
  auto heard = with_script(
      {{.status = 400, .body = wrong}, {.body = "<VersioningConfiguration/>"}},
      [](store& store, still_clock&) -> awaitable<void> { EXPECT_EQ((co_await store.get_versioning("box")).value(), versioning::never); },
      options_of("http://127.0.0.1:9000"));
  EXPECT_EQ(heard[1].request.where.host, "127.0.0.1");
  EXPECT_TRUE(heard[1].header("Authorization").contains("/garage/s3/"));
}

TEST(Region, IsNotFollowedInCircles) {
  auto failed = error_of({{.status = 301, .fields = {{"x-amz-bucket-region", "eu-west-1"}}},
                          {.status = 301, .fields = {{"x-amz-bucket-region", "us-east-1"}}}});
  EXPECT_EQ(failed.kind, failure::invalid);
  EXPECT_EQ(error_of({{.status = 301, .fields = {{"x-amz-bucket-region", "evil.example/"}}}}).status, 301);
}

TEST(Region, HasAHostOfItsOwnOnAws) {
  auto host = [](std::string endpoint) { return s3::in_region(s3::parse_endpoint("https://" + endpoint).value(), "eu-west-1").host; };
  EXPECT_EQ(host("s3.amazonaws.com"), "s3.eu-west-1.amazonaws.com");
  EXPECT_EQ(host("s3-us-west-2.amazonaws.com"), "s3.eu-west-1.amazonaws.com");
  EXPECT_EQ(host("s3-fips.us-east-1.amazonaws.com"), "s3-fips.eu-west-1.amazonaws.com");
  EXPECT_EQ(host("s3.dualstack.us-east-1.amazonaws.com"), "s3.dualstack.eu-west-1.amazonaws.com");
  EXPECT_EQ(host("s3.cn-north-1.amazonaws.com.cn"), "s3.eu-west-1.amazonaws.com.cn");
  for (std::string other : {"bucket.amazonaws.com", "s3.example.org", "s3.amazonaws.com.example.org"}) EXPECT_EQ(host(other), other);
}

TEST(Endpoint, HasNoPath) {
  EXPECT_TRUE(s3::parse_endpoint("https://h/minio").error().contains("has a path or a query"));
  EXPECT_FALSE(s3::parse_endpoint("https://h/?x"));
  EXPECT_FALSE(s3::parse_endpoint("h:9000"));
  EXPECT_TRUE(s3::parse_endpoint("https://h:9000/"));
  EXPECT_THROW(error_of({}, options_of("https://h/minio")), std::runtime_error);
}

TEST(Endpoint, HasTheBucketInItsPathOrItsHost) {
  auto where = [](std::string endpoint, s3::style style, std::string bucket, std::string key) {
    auto found = s3::locate(s3::parse_endpoint(endpoint).value(), style, bucket, key);
    return found.host + " " + found.target;
  };
  using enum s3::style;
  EXPECT_EQ(where("https://h", path, "box", ""), "h /box");
  EXPECT_EQ(where("https://h", path, "box", "/a b//c"), "h /box//a%20b//c");
  EXPECT_EQ(where("https://h", virtual_host, "box", "k"), "box.h /k");
  EXPECT_EQ(where("https://h", virtual_host, "box", ""), "box.h /");
  EXPECT_EQ(where("https://h", virtual_host, "a.b", "k"), "h /a.b/k") << "no certificate has a star for two labels";
  EXPECT_EQ(where("http://127.0.0.1:9000", virtual_host, "box", "k"), "127.0.0.1 /box/k");
}

TEST(Credentials, HaveNoLineBreak) {
  auto options = options_of();
  options.identity = [] { return s3::credentials{"AKIDEXAMPLE", "hunter2\n"}; };
  auto failed = error_of({}, options);
  EXPECT_EQ(failed.kind, failure::invalid);
  EXPECT_TRUE(failed.message.contains("holds a line break")) << failed.message;
}

}  // namespace
}  // namespace kopiur::blob::test
