#include <fstream>

#include "common/app/async.hpp"
#include "common/blob/core/digest.hpp"
#include "common/blob/core/part_size.hpp"
#include "common/blob/file_content.hpp"
#include "common/blob/s3/core/parts.hpp"
#include "common/blob/test/scripted_transport.hpp"
#include "common/blob/test/text_content.hpp"
#include "common/encoding/base64.hpp"
#include "common/encoding/hex.hpp"
#include "common/testing/folder.hpp"

namespace kopiur::blob::test {
namespace {

using s3::store;

std::string const ten = "0123456789", four = "0123", three = "abc";

s3::options small_parts() {
  auto options = options_of();
  options.part_size = 4;
  return options;
}
scripted begun() { return {.body = "<InitiateMultipartUploadResult><UploadId>u&amp;1</UploadId></InitiateMultipartUploadResult>"}; }
scripted part(std::string const& bytes) { return {.fields = {{"etag", "\"" + encoding::hex(md5(bytes)) + "\""}}}; }
scripted completed() {
  return {.body = "<CompleteMultipartUploadResult><ETag>\"all\"</ETag></CompleteMultipartUploadResult>",
          .fields = {{"x-amz-version-id", "v1"}}};
}
std::string checksum_of_ten() { return encoding::base64(sha256(sha256("0123") + sha256("4567") + sha256("89"))) + "-3"; }
scripted head(std::string size, std::string checksum, std::string tag = "") {
  return {.fields = {{"content-length", size}, {"x-amz-checksum-sha256", checksum}, {"etag", tag}}};
}

/// What put_large of ten bytes in three parts ends with, after answers to the beginning and the parts.
result<stored> after_parts(std::deque<scripted> more, std::vector<heard>* told = nullptr) {
  std::deque<scripted> answers{begun(), part("0123"), part("4567"), part("89")};
  answers.insert(answers.end(), more.begin(), more.end());
  result<stored> ended;
  auto heard = with_script(
      answers,
      [&](store& store, still_clock&) -> awaitable<void> {
        ended = co_await store.put_large("box", "k", content(ten, 3), {.only_new = true});
      },
      small_parts());
  if (told) *told = heard;
  return ended;
}

TEST(Parts, AreSoLargeThatTheirNumberSuffices) {
  std::uint64_t const mib = 1 << 20, least = 8 * mib;
  EXPECT_EQ(part_size(20 * mib, least), least);
  EXPECT_EQ(part_size(10'000 * least, least), least);
  EXPECT_EQ(part_size(10'000 * least + 1, least), 9 * mib);
  EXPECT_LE((std::uint64_t{5} << 40) / part_size(std::uint64_t{5} << 40, least), 10'000U);
}

TEST(Large, GoesInPartsThatTheStoreChecks) {
  std::vector<heard> heard;
  auto ended = after_parts({completed()}, &heard);
  EXPECT_EQ(ended.value().tag + ended.value().version, "\"all\"v1");
  EXPECT_EQ(heard[0].request.method + heard[0].request.where.target, "POST/box/k?uploads=");
  EXPECT_EQ(heard[0].header("x-amz-checksum-algorithm"), "SHA256");
  EXPECT_EQ(heard[0].request.repeatable, false);
  EXPECT_EQ(heard[2].request.where.target, "/box/k?partNumber=2&uploadId=u%261");
  EXPECT_EQ(heard[2].body + "|" + heard[3].body, "4567|89");
  EXPECT_EQ(heard[2].header("x-amz-checksum-sha256"), encoding::base64(sha256("4567")));
  EXPECT_EQ(heard[2].header("x-amz-content-sha256"), encoding::hex(sha256("4567")));
  EXPECT_EQ(heard[2].header("If-None-Match"), "") << "S3 refuses it here";
  EXPECT_EQ(heard[4].request.method + heard[4].request.where.target, "POST/box/k?uploadId=u%261");
  EXPECT_EQ(heard[4].header("If-None-Match"), "*");
  EXPECT_EQ(heard[4].request.repeatable, false);
  auto third = "<Part><PartNumber>3</PartNumber><ETag>\"" + encoding::hex(md5("89")) + "\"</ETag><ChecksumSHA256>" +
               encoding::base64(sha256("89")) + "</ChecksumSHA256></Part></CompleteMultipartUpload>";
  EXPECT_TRUE(heard[4].body.ends_with(third)) << heard[4].body;
}

TEST(Large, IsEncryptedWithAKey) {
  std::string arn = "arn:aws:kms:eu-west-1:123456789012:key/k";
  put_options options{.content_type = "a/b", .encryption_key = arn};
  auto heard = with_script(
      {begun(), part("0123"), part("4567"), part("89"), completed(), {}},
      [&](store& store, still_clock&) -> awaitable<void> {
        EXPECT_TRUE(co_await store.put_large("box", "k", content(ten, 3), options));
        EXPECT_TRUE(co_await store.put_large("box", "k", content(three), options));
      },
      small_parts());
  for (std::size_t i : {0U, 5U}) {
    EXPECT_EQ(heard[i].header("x-amz-server-side-encryption"), "aws:kms") << i;
    EXPECT_EQ(heard[i].header("x-amz-server-side-encryption-aws-kms-key-id"), arn) << i;
    EXPECT_EQ(heard[i].header("Content-Type"), "a/b") << i;
  }
  for (std::size_t i : {1U, 4U}) EXPECT_EQ(heard[i].header("x-amz-server-side-encryption"), "") << "S3 refuses it here " << i;
}

TEST(Large, GoesByOneRequestIfItIsSmall) {
  auto heard = with_script(
      {{.status = 412}},
      [](store& store, still_clock&) -> awaitable<void> {
        EXPECT_EQ((co_await store.put_large("box", "k", content(four), {.only_new = true})).error().kind, failure::conflict);
      },
      small_parts());
  EXPECT_EQ(heard[0].request.method + heard[0].request.where.target, "PUT/box/k");
  EXPECT_EQ(heard[0].header("If-None-Match"), "*");
  EXPECT_EQ(heard[0].header("x-amz-checksum-sha256"), encoding::base64(sha256("0123")));
}

TEST(Large, IsAbortedAfterAFailure) {
  auto heard = with_script(
      {begun(), part("0123"), {.status = 403}, {.status = 204}},
      [](store& store, still_clock&) -> awaitable<void> {
        EXPECT_EQ((co_await store.put_large("box", "k", content(ten, 3), {})).error().kind, failure::denied);
      },
      small_parts());
  EXPECT_EQ(heard[3].request.method + heard[3].request.where.target, "DELETE/box/k?uploadId=u%261");
  auto invalid = after_parts({{.status = 400, .body = error_xml("InvalidPart")}, {.status = 204}});
  EXPECT_EQ(invalid.error().kind, failure::invalid);
  EXPECT_TRUE(invalid.error().message.contains("Upload the object again")) << invalid.error().message;
}

TEST(Large, IsAbortedWhenItsContentIsTooShort) {
  auto lies = content(ten, 3);
  lies.length = 20;
  with_script(
      {begun(), part("0123"), part("4567"), {.status = 204}},
      [&](store& store, still_clock&) -> awaitable<void> {
        EXPECT_TRUE((co_await store.put_large("box", "k", lies, {})).error().message.contains("shorter than its length"));
      },
      small_parts());
}

TEST(Large, ConflictsWithAnObjectThatExists) {
  auto ended = after_parts({{.status = 412, .body = error_xml("PreconditionFailed")}, {.status = 204}});
  EXPECT_EQ(ended.error().kind, failure::conflict);
  EXPECT_FALSE(ended.error().repeated);
}

TEST(Large, IsCompletedAgainAfterARace) {
  scripted race{.status = 409, .body = error_xml("ConditionalRequestConflict")};
  EXPECT_TRUE(after_parts({race, race, completed()}));
  auto ended = after_parts({race, race, race, race, race, {.status = 204}});
  EXPECT_EQ(ended.error().kind, failure::conflict);
}

TEST(Large, ComparesTheObjectAfterALostAnswer) {
  scripted lost{.no_answer = "gone."}, conflict{.status = 412}, gone{.status = 404, .body = error_xml("NoSuchUpload")};
  std::vector<heard> heard;
  for (auto& second : {conflict, gone}) {
    auto ours = after_parts({lost, second, gone, head("10", checksum_of_ten(), "\"t\"")}, &heard);
    EXPECT_EQ(ours.value().tag, "\"t\"");
    EXPECT_EQ(heard[7].request.method + heard[7].header("x-amz-checksum-mode"), "HEADENABLED");
    EXPECT_EQ(after_parts({lost, second, gone, head("10", "other-3")}).has_value(), false);
    EXPECT_EQ(after_parts({lost, second, gone, head("11", checksum_of_ten())}).has_value(), false);
    EXPECT_EQ(after_parts({lost, second, gone, {.status = 404}}).has_value(), false);
  }
  EXPECT_EQ(after_parts({lost, conflict, gone, head("10", "other-3")}).error().kind, failure::conflict);
}

TEST(Large, ComparesTagsWhereThereAreNoChecksums) {
  scripted lost{.no_answer = "gone."}, conflict{.status = 412}, done{.status = 204};
  auto tag = encoding::hex(md5(md5("0123") + md5("4567") + md5("89"))) + "-3";
  EXPECT_TRUE(after_parts({lost, conflict, done, head("10", "", "\"" + tag + "\"")}));
  auto unknown = after_parts({lost, conflict, done, head("10", "", "\"kms\"")});
  EXPECT_EQ(unknown.error().kind, failure::conflict);
  EXPECT_TRUE(unknown.error().message.contains("whether it stored the object is unknown, because")) << unknown.error().message;
  auto denied = after_parts({lost, conflict, done, {.status = 403}});
  EXPECT_EQ(denied.error().kind, failure::conflict);
  EXPECT_TRUE(denied.error().message.contains("is unknown: Comparing the object")) << denied.error().message;
}

TEST(Large, ComparesTheObjectAfterAnAnswerThatIsNone) {
  EXPECT_TRUE(after_parts({{.body = "<html/>"}, {.status = 404}, head("10", checksum_of_ten())}));
  scripted hidden{.body = error_xml("InternalError")};
  EXPECT_TRUE(after_parts({hidden, {.status = 412}, {.status = 404}, head("10", checksum_of_ten())}));
}

TEST(Large, ASmallOneIsComparedToo) {
  auto heard = with_script(
      {{.no_answer = "gone."}, {.status = 412}, head("4", encoding::base64(sha256("0123")))},
      [](store& store, still_clock&) -> awaitable<void> {
        EXPECT_TRUE(co_await store.put_large("box", "k", content(four), {.only_new = true}));
      },
      small_parts());
  EXPECT_EQ(heard[2].request.method, "HEAD");
}

TEST(Large, IsAbortedWhenItIsCancelled) {
  std::vector<std::string> methods;
  testing::run([&](asio::io_context& loop) -> awaitable<void> {
    script lines({begun(), part("0123"), {.status = 204}});
    app::event stuck(loop.get_executor());
    auto hangs = [&](http::streamed_request what) -> awaitable<std::expected<http_answer, std::string>> {
      methods.push_back(what.method);
      if (what.where.target.contains("partNumber=2")) stuck.notify(), co_await stuck.wait(stuck.epoch());
      co_return co_await lines.port()(std::move(what));
    };
    still_clock time;
    store store(time, hangs, small_parts());
    std::exception_ptr failed;
    auto upload = [&]() -> awaitable<void> {
      try {
        co_await store.put_large("box", "k", content(ten, 3), {});
      } catch (...) {
        failed = std::current_exception();
      }
    };
    co_await app::first_of(upload(), stuck.wait(0));
    EXPECT_TRUE(app::is_cancelled(failed));
    EXPECT_TRUE(lines.is_over());
  });
  EXPECT_EQ(methods, (std::vector<std::string>{"POST", "PUT", "PUT", "DELETE"}));
}

TEST(FileContent, ReadsAtAnyPosition) {
  testing::folder folder;
  std::ofstream(folder / "f") << ten;
  auto file = file_content(folder / "f");
  EXPECT_EQ(file.length, 10U);
  testing::run([&](asio::io_context&) -> awaitable<void> {
    char piece[16];
    EXPECT_EQ(std::string_view(piece, co_await file.read(7, asio::buffer(piece))), "789");
    EXPECT_EQ(std::string_view(piece, co_await file.read(0, asio::buffer(piece, 2))), "01");
    EXPECT_EQ(co_await file.read(10, asio::buffer(piece)), 0U);
  });
  EXPECT_THROW(file_content(folder / "none"), std::system_error);
}

}  // namespace
}  // namespace kopiur::blob::test
