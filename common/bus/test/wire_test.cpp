#include "common/bus/wire.hpp"

#include <gtest/gtest.h>

namespace kopiur::bus::wire {
namespace {

using namespace std::chrono_literals;

TEST(Wire, ErrorCodesBecomeFailures) {
  struct row {
    int code;
    failure kind;
    bool passing;
  };
  for (auto [code, kind, passing] : {row{10071, failure::wrong_sequence, false},
                                     {10164, failure::wrong_sequence, false},
                                     {10077, failure::limit, false},
                                     {10059, failure::not_found, false},
                                     {10014, failure::not_found, false},
                                     {10037, failure::not_found, false},
                                     {10054, failure::too_large, false},
                                     {10166, failure::refused, false},
                                     {10058, failure::refused, false},
                                     {10008, failure::timed_out, true},
                                     {10158, failure::timed_out, true},
                                     {10167, failure::timed_out, true},
                                     {0, failure::other, false},
                                     {19999, failure::other, false}}) {
    EXPECT_EQ(kind_of(code), kind) << code;
    EXPECT_EQ(is_passing(code), passing) << code;
  }
}

TEST(Wire, AnAnswerIsItsDocumentOrItsError) {
  EXPECT_TRUE(read_answer(R"({"success":true})"));
  auto failed = read_answer(R"({"type":"x","error":{"code":404,"err_code":10059,"description":"stream not found"}})");
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().err_code, 10059);
  EXPECT_EQ(failed.error().what.kind, failure::not_found);
  EXPECT_NE(failed.error().what.text.find("stream not found"), std::string::npos);
  EXPECT_FALSE(read_answer("nonsense"));
  EXPECT_FALSE(read_answer(""));
}

TEST(Wire, ReceiptsInEveryForm) {
  struct row {
    char const* text;
    char const* stream;
    std::uint64_t sequence;
    bool duplicate;
  };
  for (auto [text, stream, sequence, duplicate] : {row{R"({"stream":"S","seq":7})", "S", 7, false},
                                                   {R"({"stream":"S", "seq":7})", "S", 7, false},
                                                   {R"({"stream":"S", "seq":7,"duplicate": true})", "S", 7, true},
                                                   {R"({"stream":"S","seq":7,"duplicate":true})", "S", 7, true},
                                                   {R"({"stream":"S","domain":"hub","seq":7})", "S", 7, false},
                                                   {R"({"seq":18446744073,"stream":"a\u003eb"})", "a>b", 18446744073, false},
                                                   {R"({ "stream" : "S" , "seq" : 7 , "val" : "1" })", "S", 7, false}}) {
    auto read = read_receipt(text);
    ASSERT_TRUE(read) << text;
    EXPECT_EQ(read->stream, stream) << text;
    EXPECT_EQ(read->sequence, sequence) << text;
    EXPECT_EQ(read->duplicate, duplicate) << text;
  }
}

TEST(Wire, ARefusedPublishSaysWhoRefusedAndWhy) {
  auto lost = read_receipt(R"({"error":{"code":400,"err_code":10071,"description":"wrong last sequence: 12"},"stream":"S","seq":0})");
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().what.kind, failure::wrong_sequence);
  EXPECT_EQ(lost.error().what.actual, 12u);
  EXPECT_EQ(lost.error().stream, "S");
  auto in_flight = read_receipt(R"({"error":{"code":400,"err_code":10164,"description":"wrong last sequence"},"stream":"S","seq":0})");
  ASSERT_FALSE(in_flight);
  EXPECT_EQ(in_flight.error().what.kind, failure::wrong_sequence);
  EXPECT_FALSE(in_flight.error().what.actual);
  EXPECT_FALSE(read_receipt(R"({"stream":"S","seq":)"));
}

TEST(Wire, PublishHeadersSayWhatIsWanted) {
  auto head = publish_headers({.subject = "a", .head = {{"x", "one\r\ntwo"}}, .id = "i", .expected = 0, .ttl = 90s, .rollup = true});
  EXPECT_EQ(head, (headers{{"x", "one  two"},
                           {"Nats-Msg-Id", "i"},
                           {"Nats-Expected-Last-Subject-Sequence", "0"},
                           {"Nats-TTL", "90s"},
                           {"Nats-Rollup", "sub"}}));
  EXPECT_TRUE(publish_headers({.subject = "a"}).empty());
}

TEST(Wire, AckSubjectsInBothForms) {
  for (auto reply : {"$JS.ACK.S.C.3.100.7.1700000000123456789.5", "$JS.ACK.hub.ACCOUNT.S.C.3.100.7.1700000000123456789.5",
                     "$JS.ACK._.ACCOUNT.S.C.3.100.7.1700000000123456789.5.x9k"}) {
    auto read = read_ack_subject(reply);
    ASSERT_TRUE(read) << reply;
    EXPECT_EQ(read->key, "S.C") << reply;
    EXPECT_EQ(read->delivered, 3u);
    EXPECT_EQ(read->stream_sequence, 100u);
    EXPECT_EQ(read->consumer_sequence, 7u);
    EXPECT_EQ(read->pending, 5u);
    EXPECT_EQ(to_text(read->time), "2023-11-14T22:13:20.123Z");
  }
  for (auto reply : {"", "_INBOX.1", "$JS.ACK.S.C.3.100.7.17", "$JS.ACK.S.C.x.100.7.17.5", "$JS.ACK.S.C.3.100.7.17.5.6"})
    EXPECT_FALSE(read_ack_subject(reply)) << reply;
}

TEST(Wire, BodiesAreWhatTheServerReads) {
  EXPECT_EQ(pull_body(12), R"({"batch":12,"expires":30000000000,"idle_heartbeat":5000000000})");
  EXPECT_EQ(ack_text(), "+ACK");
  EXPECT_EQ(retry_text(0ms), "-NAK");
  EXPECT_EQ(retry_text(1500ms), R"(-NAK {"delay":1500000000})");
  EXPECT_EQ(reject_text("no\nJSON"), "+TERM no JSON");
  EXPECT_EQ(progress_text(), "+WPI");
  EXPECT_EQ(last_body("a.\"b"), R"({"last_by_subj":"a.\"b"})");
  EXPECT_EQ(at_body(7), R"({"seq":7})");
  EXPECT_EQ(erase_body(7), R"({"seq":7,"no_erase":true})");
}

TEST(Wire, AStoredMessageIsReadFromItsAnswer) {
  auto answer = json::parse(
      R"({"message":{"subject":"a.x","seq":9,"hdrs":"TkFUUy8xLjANCkE6IGINCkM6DQoNCg==","data":"AP97DQp9","time":"2026-11-21T06:00:00.123456789Z"}})");
  ASSERT_TRUE(answer);
  auto read = read_stored(*answer);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->subject, "a.x");
  EXPECT_EQ(read->sequence, 9u);
  EXPECT_EQ(read->body, std::string("\0\xff{\r\n}", 6));
  EXPECT_EQ(read->head, (headers{{"A", "b"}, {"C", ""}}));
  EXPECT_EQ(to_text(read->time), "2026-11-21T06:00:00.123Z");
  EXPECT_FALSE(read_stored(*json::parse("{}")));
  EXPECT_FALSE(read_stored(*json::parse(R"({"message":{"subject":"a.x","seq":9,"data":"AP97DQp"}})")))
      << "an empty body would say that it is gone";
}

}  // namespace
}  // namespace kopiur::bus::wire
