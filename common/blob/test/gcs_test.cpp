#include "common/blob/test/gcs_stand_in.hpp"

namespace kopiur::blob::test {
namespace {

using fault = gcs_stand_in::fault;
std::string const ten = "0123456789", four = "0123";

scripted refused(int status, std::string reason) {
  return {.status = status, .body = R"({"error":{"code":1,"message":"They say so.","errors":[{"reason":")" + reason + R"("}]}})"};
}

result<stored> put(std::deque<scripted> answers) {
  script lines(std::move(answers));
  auto ended = put_object(lines.port(), four);
  EXPECT_TRUE(lines.is_over());
  return ended;
}

TEST(Gcs, WritesASmallObjectByOneRequest) {
  gcs_stand_in store;
  EXPECT_EQ(put_object(store.port(), four).value().version, "1");
  EXPECT_EQ(store.object, four);
  EXPECT_EQ(store.requests.size(), 1U);
  auto& sent = store.requests[0];
  EXPECT_EQ(sent.request.method + sent.request.where.target,
            "POST/upload/storage/v1/b/box/o?ifGenerationMatch=0&name=a%2Fk%201&uploadType=multipart");
  EXPECT_TRUE(sent.body.contains(R"({"md5Hash":")" + encoding::base64(md5(four)))) << "the store refuses another content";
  EXPECT_TRUE(put_object(store.port(), "", gcs_options(), {}));
  EXPECT_EQ(store.object, "");
}

TEST(Gcs, RecognisesItsOwnObjectAfterALostAnswer) {
  for (auto kind : {fault::lost_answer, fault::lost_request, fault::busy}) {
    gcs_stand_in store;
    store.trouble = [=](int number) { return number == 1 ? kind : fault::none; };
    EXPECT_TRUE(put_object(store.port(), four));
    EXPECT_EQ(store.generation, 1);
  }
  gcs_stand_in other;
  other.object = ten;
  other.trouble = [](int number) { return number == 1 ? fault::lost_request : fault::none; };
  EXPECT_EQ(put_object(other.port(), four).error().kind, failure::conflict);
}

TEST(Gcs, SaysWhyItIsRefused) {
  auto exists = put({refused(412, "conditionNotMet")});
  EXPECT_EQ(exists.error().kind, failure::conflict);
  EXPECT_EQ(exists.error().message, "Writing the object box/a/k 1 failed: the store answered 412 conditionNotMet: They say so.");
  auto expired = put({refused(401, "authError")});
  EXPECT_EQ(expired.error().kind, failure::denied);
  EXPECT_TRUE(expired.error().message.ends_with("Check that the service account and its key still exist."));
  auto role = put({refused(403, "forbidden")});
  EXPECT_EQ(role.error().kind, failure::denied);
  EXPECT_TRUE(role.error().message.contains("the roles Storage Object Creator")) << role.error().message;
  auto bucket = put({refused(404, "notFound")});
  EXPECT_EQ(bucket.error().kind, failure::absent);
  EXPECT_TRUE(bucket.error().message.ends_with("Create the bucket, or check its name."));
  EXPECT_EQ(put({refused(400, "invalid")}).error().kind, failure::invalid);
}

TEST(Gcs, RetriesWhatMayPass) {
  scripted written{.body = R"({"size":"4","generation":"3"})"};
  EXPECT_EQ(put({{.status = 503}, refused(429, "rateLimitExceeded"), {.status = 408}, refused(403, "userRateLimitExceeded"), written})
                .value()
                .version,
            "3");
  scripted none{.status = 404};  // the object is not there either
  std::deque<scripted> busy(5, {.status = 503});
  busy.push_back(none);
  EXPECT_EQ(put(busy).error().kind, failure::unavailable);
}

TEST(Gcs, MasksTheTokenInWhatTheStoreSays) {
  auto options = gcs_options();
  std::string token = "hunter2-" + std::string(400, 'x');
  options.tokens = [token]() -> awaitable_result<std::string> { return known(token); };
  script lines({{.status = 400, .body = R"({"error":{"message":"no )" + token + R"(, please"}})"}});
  EXPECT_TRUE(put_object(lines.port(), four, options).error().message.contains("no ***, please"));
}

struct read_object {
  result<object_head> head{};
  result<std::string> content{};
};

read_object get(std::deque<scripted> answers, object_name name = {"a/k 1"}, std::vector<heard>* told = nullptr) {
  script lines(std::move(answers));
  still_clock time;
  read_object got;
  testing::run([&](asio::io_context&) -> awaitable<void> {
    gcs::objects objects(time, lines.port(), gcs_options());
    auto content = co_await objects.get("box", name);
    got.head = content ? result<object_head>(content->head) : std::unexpected(content.error());
    got.content = content ? result<std::string>("") : std::unexpected(content.error());
    std::string piece(3, 0);
    for (bool more = got.content.has_value(); more;) {
      auto length = co_await content->read(asio::buffer(piece));
      more = length && *length > 0;
      got.content = length ? result<std::string>(*got.content + piece.substr(0, *length)) : std::unexpected(length.error());
    }
  });
  EXPECT_TRUE(lines.is_over());
  if (told) *told = std::move(lines.requests);
  if (!got.content) expect_sentence(got.content.error());
  return got;
}

scripted holding(std::string body, std::string size, std::string digest) {
  return {.body = std::move(body),
          .fields = {{"content-length", std::move(size)},
                     {"x-goog-generation", "7"},
                     {"x-goog-hash", "crc32c=AAAAAA=="},
                     {"x-goog-hash", "md5=" + std::move(digest)}}};
}

TEST(Gcs, ReadsAnObjectAndChecksIt) {
  std::vector<heard> heard;
  auto digest = encoding::base64(md5(ten));
  auto got = get({{.status = 503}, holding(ten, "10", digest)}, {"a/k 1", "7"}, &heard);
  EXPECT_EQ(got.content.value(), ten);
  EXPECT_EQ(got.head.value().version, "7");
  EXPECT_EQ(got.head.value().size, 10U);
  EXPECT_EQ(heard[1].request.method + heard[1].request.where.target, "GET/storage/v1/b/box/o/a%2Fk%201?alt=media&generation=7");
  EXPECT_EQ(heard[1].header("Authorization"), "Bearer hunter2-token");
  EXPECT_EQ(heard[1].header("Accept-Encoding"), "gzip") << "the store unpacks nothing";
  EXPECT_FALSE(heard[1].request.body.read) << "a GET has no body";
  EXPECT_TRUE(get({holding("0123456780", "10", digest)}).content.error().message.contains("differs from its checksum"));
  EXPECT_EQ(get({holding(four, "10", digest)}).content.error().message, "Reading the object box/a/k 1 failed: The answer ended too early.");
  EXPECT_EQ(get({{.body = four, .fields = {{"content-length", "4"}}}}).content.value(), four) << "a store without checksums";
  auto absent = get({{.status = 404, .body = "No such object: box/a/k 1"}});
  EXPECT_EQ(absent.content.error().kind, failure::absent);
}

TEST(Gcs, LooksForAnObject) {
  script lines({{.body = R"({"size":"10","generation":"7","etag":"t","contentType":"a/b","updated":"2026-11-21T06:00:00.000Z"})"},
                {.status = 404},
                {.body = "<html/>"}});
  still_clock time;
  testing::run([&](asio::io_context&) -> awaitable<void> {
    gcs::objects objects(time, lines.port(), gcs_options());
    auto head = co_await objects.head("box", {"k"});
    EXPECT_EQ(head.value().size, 10U);
    EXPECT_EQ(head.value().version + head.value().tag + head.value().content_type, "7ta/b");
    EXPECT_EQ(head.value().modified, time.now());
    EXPECT_EQ((co_await objects.head("box", {"k"})).error().kind, failure::absent);
    EXPECT_TRUE((co_await objects.head("box", {"k"})).error().message.contains("because it is not JSON."));
    for (std::string name : {"", ".", ".."}) EXPECT_EQ((co_await objects.head("box", {name})).error().kind, failure::invalid);
  });
  EXPECT_EQ(lines.requests[0].request.where.target, "/storage/v1/b/box/o/k");
}

TEST(Gcs, SendsATokenOnlyToGoogle) {
  for (std::string endpoint : {"http://storage.googleapis.com", "https://storage.example.org", "https://googleapis.com.example.org"}) {
    script lines({});
    auto refusal = put_object(lines.port(), four, gcs_options(endpoint));
    EXPECT_EQ(refusal.error().kind, failure::invalid);
    EXPECT_TRUE(refusal.error().message.contains("a token is sent only by https and to googleapis.com.")) << endpoint;
  }
}

TEST(Gcs, NeedsNoCredentialsForAnEmulatorOnly) {
  auto options = gcs_options("http://emulator.test:4443");
  options.tokens = {};
  gcs_stand_in store;
  EXPECT_TRUE(put_object(store.port(), four, options));
  EXPECT_EQ(store.requests[0].header("Authorization"), "");
  options.endpoint = "https://storage.googleapis.com";
  script lines({});
  EXPECT_TRUE(put_object(lines.port(), four, options).error().message.contains("there are no credentials."));
}

}  // namespace
}  // namespace kopiur::blob::test
