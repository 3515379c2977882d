#include <gtest/gtest.h>

#include "common/bus/dead_letters.hpp"
#include "common/bus/probe.hpp"
#include "common/bus/subject.hpp"
#include "common/bus/wire_config.hpp"

namespace kopiur::bus {
namespace {

using namespace std::chrono_literals;

TEST(Config, AStreamInTheServersWords) {
  auto body = wire::stream_body({.name = "s",
                                 .subjects = {"s.>"},
                                 .retention = stream_config::retention_policy::workqueue,
                                 .discard = stream_config::discard_policy::fresh,
                                 .max_per_subject = 1,
                                 .discard_new_per_subject = true,
                                 .max_age = 1min,
                                 .allow_ttl = true,
                                 .replicas = 3});
  EXPECT_EQ(dump(body),
            R"({"name":"s","subjects":["s.>"],"retention":"workqueue","discard":"new","max_msgs_per_subject":1,)"
            R"("discard_new_per_subject":true,"max_age":60000000000,"max_bytes":-1,"max_msg_size":-1,"duplicate_window":60000000000,)"
            R"("allow_msg_ttl":true,"allow_rollup_hdrs":false,"storage":"file","num_replicas":3})");
}

TEST(Config, ADurableSendsItsAckWaitAsTheServerEchoesIt) {
  auto body = wire::consumer_body({.stream = "s", .name = "d", .filters = {"s.a", "s.b"}, .backoff = {5s, 10s}});
  EXPECT_EQ(body.find("ack_wait")->as_int()[0], 5'000'000'000);
  EXPECT_EQ(dump(*body.find("filter_subjects")), R"(["s.a","s.b"])");
  EXPECT_FALSE(body.find("filter_subject"));
  auto one = wire::consumer_body({.stream = "s", .name = "d", .filters = {"s.a"}});
  EXPECT_EQ(one.text("filter_subject"), "s.a");
  EXPECT_FALSE(one.find("ack_wait"));
}

TEST(Config, TheEchoCheckNamesWhatAnOldServerDropped) {
  auto asked = *json::parse(R"({"name":"s","allow_msg_ttl":true,"max_age":5,"allow_rollup_hdrs":false,"filter_subjects":["a","b"]})");
  auto same = *json::parse(R"({"name":"s","allow_msg_ttl":true,"max_age":5,"filter_subjects":["a","b"],"metadata":{"_nats.level":"1"}})");
  EXPECT_TRUE(wire::differences(asked, same).empty()) << "what the server adds or leaves out as false is no difference";
  auto old = *json::parse(R"({"name":"s","max_age":6,"filter_subjects":["a","b"]})");
  EXPECT_EQ(wire::differences(asked, old), (std::vector<std::string>{"allow_msg_ttl: asked true, got nothing", "max_age: asked 5, got 6"}));
}

TEST(Probe, TheLevelDecidesNotTheVersion) {
  EXPECT_EQ(level_of(*json::parse(R"({"limits":{},"api":{"total":1,"errors":0}})")), 0);
  EXPECT_EQ(level_of(*json::parse(R"({"api":{"level":3}})")), 3);
  EXPECT_FALSE(refusal_of(1, "2.11.0"));
  EXPECT_FALSE(refusal_of(3, ""));
  auto refused = refusal_of(0, "2.10.27");
  ASSERT_TRUE(refused);
  for (auto part : {"2.10.27", "2.11", "install"}) EXPECT_NE(refused->find(part), std::string::npos) << *refused;
  EXPECT_NE(refusal_of(0, "")->find("unknown version"), std::string::npos);
}

TEST(Probe, AServerThatTakesLittleIsRefusedWithWhatToDo) {
  EXPECT_FALSE(too_narrow(1 << 20));
  auto refused = too_narrow((1 << 20) - 1);
  ASSERT_TRUE(refused);
  EXPECT_NE(refused->find("max_payload: 4MB"), std::string::npos) << *refused;
}

TEST(Probe, TheGreetingHasTheVersion) {
  EXPECT_EQ(version_in("INFO {\"server_id\":\"N\",\"version\":\"2.9.10\",\"proto\":1} \r\n"), "2.9.10");
  EXPECT_EQ(version_in("HTTP/1.1 400\r\n"), "");
  EXPECT_EQ(version_in("INFO {"), "");
  EXPECT_EQ(version_in(""), "");
}

TEST(Subject, Matches) {
  struct row {
    char const *filter, *subject;
    bool holds;
  };
  for (auto [filter, subject, holds] : {row{"a.b", "a.b", true},
                                        {"a.b", "a.bc", false},
                                        {"a.*", "a.b", true},
                                        {"a.*", "a.b.c", false},
                                        {"a.*", "a", false},
                                        {"a.>", "a.b.c", true},
                                        {"a.>", "a", false},
                                        {">", "a", true},
                                        {"*.b", "a.b", true},
                                        {"*", "a.b", false},
                                        {"a.*.c", "a.b.c", true},
                                        {"a", "a.b", false}})
    EXPECT_EQ(matches(filter, subject), holds) << filter << " " << subject;
}

TEST(Headers, AreFoundWithoutCase) {
  headers head{{"Nats-Msg-Id", "1"}, {"nats-msg-id", "2"}};
  EXPECT_EQ(header(head, "NATS-MSG-ID"), "1");
  EXPECT_EQ(header(head, "Nats-Msg"), "");
}

TEST(DeadLetter, KeepsTheMessageAndSaysWhy) {
  stored message{"cmd.x", "body", {{"ce-id", "7"}, {"Nats-Msg-Id", "i"}, {"Nats-TTL", "5s"}}, 12, instant(5s)};
  auto letter = dead_letter("dead", message, {"s", "c", 3, "no\nJSON"});
  EXPECT_EQ(letter.subject, "dead.s.c");
  EXPECT_EQ(letter.body, "body");
  EXPECT_EQ(
      letter.head,
      (headers{{"ce-id", "7"}, {"Dead-Subject", "cmd.x"}, {"Dead-Sequence", "12"}, {"Dead-Attempts", "3"}, {"Dead-Reason", "no JSON"}}));
  EXPECT_EQ(letter.id, dead_letter("dead", message, {"s", "c", 9, "another word"}).id) << "one handling_failure, one letter";
}

TEST(DeadLetter, ReadsWhatServersAndPortsSay) {
  auto said = read_advisory(R"({"stream":"s","consumer":"c","stream_seq":12,"deliveries":8})");
  ASSERT_TRUE(said);
  EXPECT_EQ(said->first.stream, "s");
  EXPECT_EQ(said->first.consumer, "c");
  EXPECT_EQ(said->first.attempts, 8u);
  EXPECT_EQ(said->second, 12u);
  EXPECT_NE(said->first.reason.find("8 deliveries"), std::string::npos);
  auto terminated = read_advisory(R"({"stream":"s","consumer":"c","consumer_seq":1,"stream_seq":5,"deliveries":1,"reason":"poison"})");
  EXPECT_TRUE(terminated && terminated->first.reason == "poison");
  for (auto text : {"", "{}", R"({"stream":"s"})", "[1]"}) EXPECT_FALSE(read_advisory(text)) << text;
}

}  // namespace
}  // namespace kopiur::bus
