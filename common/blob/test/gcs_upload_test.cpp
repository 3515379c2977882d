#include "common/app/async.hpp"
#include "common/blob/test/gcs_stand_in.hpp"

namespace kopiur::blob::test {
namespace {

using fault = gcs_stand_in::fault;
std::string const ten = "0123456789", other = "9876543210";

TEST(GcsUpload, SendsChunksToASession) {
  gcs_stand_in store;
  auto ended = put_object(store.port(), ten, gcs_options(), {.only_new = true, .content_type = "a/b", .encryption_key = "p/k"});
  EXPECT_EQ(ended.value().tag + ended.value().version, "t1");
  EXPECT_EQ(store.object, ten);
  auto& begun = store.requests[0];
  EXPECT_EQ(begun.request.method + begun.request.where.target,
            "POST/upload/storage/v1/b/box/o?ifGenerationMatch=0&kmsKeyName=p%2Fk&name=a%2Fk%201&uploadType=resumable");
  EXPECT_EQ(begun.body, R"({"md5Hash":")" + encoding::base64(md5(ten)) + R"(","contentType":"a/b"})");
  EXPECT_EQ(begun.header("Authorization"), "Bearer hunter2-token");
  std::string ranges;
  for (auto& each : store.requests) {
    EXPECT_EQ(each.request.where.host, "storage.googleapis.com") << "not where the answer says";
    ranges += each.header("Content-Range") + ";";
  }
  EXPECT_EQ(ranges, ";bytes 0-3/10;bytes 4-7/10;bytes 8-9/10;");
  EXPECT_EQ(store.requests[2].header("Authorization"), "") << "the session authorises it";
  EXPECT_EQ(store.requests[2].body, "4567") << "no more than a chunk is in memory";
}

/// The object is whole and stored once, whichever request is lost, and whether before or after the store performed it.
TEST(GcsUpload, SurvivesAnyOneFault) {
  for (auto kind : {fault::lost_request, fault::lost_answer, fault::busy, fault::half})
    for (int number = 1; number <= 4; ++number) {
      if (kind == fault::half && number == 1) continue;
      gcs_stand_in store;
      store.trouble = [=](int each) { return each == number ? kind : fault::none; };
      auto ended = put_object(store.port(), ten);
      EXPECT_TRUE(ended) << number << ": " << ended.error().message;
      EXPECT_EQ(store.object, ten) << number;
      EXPECT_EQ(store.generation, 1) << number;
      EXPECT_EQ(store.cancelled, 0) << number;
    }
}

TEST(GcsUpload, SendsOnlyWhatTheStoreLacks) {
  gcs_stand_in store;
  store.trouble = [](int number) { return number == 3 ? fault::lost_answer : fault::none; };
  EXPECT_TRUE(put_object(store.port(), ten));
  EXPECT_EQ(store.requests[3].header("Content-Range") + store.requests[3].body, "bytes */10");
  EXPECT_EQ(store.requests[4].header("Content-Range"), "bytes 8-9/10") << "the second chunk had come";
  gcs_stand_in slow;
  slow.trouble = [](int number) { return number == 2 ? fault::half : fault::none; };
  EXPECT_TRUE(put_object(slow.port(), ten));
  EXPECT_EQ(slow.requests[2].header("Content-Range"), "bytes 2-5/10");
}

TEST(GcsUpload, EndsAfterItsAttemptsAndCancelsTheSession) {
  gcs_stand_in store;
  store.trouble = [](int number) { return number >= 3 && number < 8 ? fault::busy : fault::none; };
  auto ended = put_object(store.port(), ten);
  EXPECT_EQ(ended.error().kind, failure::unavailable);
  EXPECT_EQ(store.requests.size(), 8U) << "the first chunk, five attempts, and the cancellation";
  EXPECT_EQ(store.requests.back().request.method, "DELETE");
  EXPECT_TRUE(store.requests.back().request.where.target.ends_with("upload_id=s1"));
  EXPECT_EQ(store.cancelled, 1);
  EXPECT_FALSE(store.object);
}

TEST(GcsUpload, CountsOnlyAttemptsWithoutProgress) {
  gcs_stand_in store;
  store.trouble = [](int number) { return number % 3 == 0 ? fault::lost_request : fault::none; };
  auto text = ten + other + ten + other;
  auto ended = put_object(store.port(), text);
  EXPECT_TRUE(ended) << ended.error().message;
  EXPECT_EQ(store.object, text);
  EXPECT_GT(store.requests.size(), 3U * 5) << "more faults than attempts";
}

TEST(GcsUpload, EndsWhenTheStoreTakesNothing) {
  script lines({{.fields = {{"location", "https://h/o?upload_id=s1"}}},
                {.status = 308},
                {.status = 308},
                {.status = 308},
                {.status = 308},
                {.status = 308},
                {.status = 499}});
  EXPECT_EQ(put_object(lines.port(), ten).error().message, "The store takes no more of box/a/k 1.");
  EXPECT_TRUE(lines.is_over());
}

TEST(GcsUpload, OverwritesNothing) {
  gcs_stand_in store;
  store.object = other;
  EXPECT_EQ(put_object(store.port(), ten).error().kind, failure::conflict);
  EXPECT_EQ(store.requests.size(), 1U) << "no session, no content";
  gcs_stand_in raced;  // the other object comes while this one is sent
  raced.trouble = [&](int number) { return number == 3 ? raced.object = other, fault::none : fault::none; };
  EXPECT_EQ(put_object(raced.port(), ten).error().kind, failure::conflict);
  EXPECT_EQ(raced.object, other);
  EXPECT_TRUE(put_object(store.port(), ten, gcs_options(), {}));
  EXPECT_EQ(store.object, ten);
}

TEST(GcsUpload, ComparesTheObjectWhenTheSessionIsForgotten) {
  scripted begun{.fields = {{"location", "https://h/o?upload_id=s1"}}}, more{.status = 308, .fields = {{"range", "bytes=0-3"}}};
  scripted most{.status = 308, .fields = {{"range", "bytes=0-7"}}}, lost{.no_answer = "gone."}, gone{.status = 404},
      cancelled{.status = 499};
  auto holding = [&](std::string text) {
    return scripted{.body = R"({"size":"10","generation":"7","md5Hash":")" + encoding::base64(md5(text)) + "\"}"};
  };
  script same({begun, more, most, lost, gone, cancelled, holding(ten)});
  EXPECT_EQ(put_object(same.port(), ten).value().version, "7");
  script foreign({begun, more, most, lost, gone, cancelled, holding(other)});
  EXPECT_TRUE(put_object(foreign.port(), ten).error().message.contains("Upload the object again."));
  script early({begun, more, gone, cancelled});
  EXPECT_EQ(put_object(early.port(), ten).error().kind, failure::other) << "nothing to compare: the end was not sent";
  script unknown({begun, more, most, lost, gone, cancelled, {.status = 403}});
  EXPECT_TRUE(put_object(unknown.port(), ten).error().message.contains("is unknown: Comparing the object"));
  for (auto* each : {&same, &foreign, &early, &unknown}) EXPECT_TRUE(each->is_over());
}

TEST(GcsUpload, RefusesAnswersThatDoNotFit) {
  scripted begun{.fields = {{"location", "https://h/o?upload_id=s1"}}}, cancelled{.status = 499};
  for (std::string range : {"bytes=0-99", "bytes=1-3", "bytes=0-18446744073709551615", "x"}) {
    script lines({begun, {.status = 308, .fields = {{"range", range}}}, cancelled});
    EXPECT_TRUE(put_object(lines.port(), ten).error().message.contains("its Range does not fit")) << range;
  }
  for (std::string location : {"", "https://h/o", "https://h?upload_id=s1", "https://h/o x?upload_id=s1"}) {
    script nowhere({{.fields = {{"location", location}}}});
    EXPECT_TRUE(put_object(nowhere.port(), ten).error().message.contains("its Location names no upload")) << location;
  }
  scripted wrong{.body = R"({"size":"10","generation":"7","md5Hash":"AAAA"})"};
  script changed({begun, wrong, cancelled});
  EXPECT_TRUE(put_object(changed.port(), ten).error().message.contains("another content than was sent. Delete the object"));
}

TEST(GcsUpload, IsCancelledWithItsCaller) {
  std::vector<std::string> methods;
  testing::run([&](asio::io_context& loop) -> awaitable<void> {
    gcs_stand_in store;
    app::event stuck(loop.get_executor());
    auto hangs = [&](http::streamed_request what) -> awaitable<std::expected<http_answer, std::string>> {
      methods.push_back(what.method);
      if (methods.size() == 3) stuck.notify(), co_await stuck.wait(stuck.epoch());
      co_return co_await store.port()(std::move(what));
    };
    still_clock time;
    gcs::objects objects(time, hangs, gcs_options());
    std::exception_ptr failed;
    auto upload = [&]() -> awaitable<void> {
      try {
        co_await objects.put_large("box", "k", content(ten, 3), {});
      } catch (...) {
        failed = std::current_exception();
      }
    };
    co_await app::first_of(upload(), stuck.wait(0));
    EXPECT_TRUE(app::is_cancelled(failed));
    EXPECT_EQ(store.cancelled, 1);
  });
  EXPECT_EQ(methods, (std::vector<std::string>{"POST", "PUT", "PUT", "DELETE"}));
}

}  // namespace
}  // namespace kopiur::blob::test
