#include "common/bus/pending.hpp"

#include <gtest/gtest.h>

namespace kopiur::bus {
namespace {

using namespace std::chrono_literals;

struct Pending : ::testing::Test {
  pending_requests all;
  pending_requests::steady::time_point now{};
  std::string const subject = "a.x", other = "a.y";
  std::vector<std::string> ended;

  pending_requests::ticket add(std::string name, std::string const& target) {
    auto done = [this, name](pending_requests::reply outcome) {
      ended.push_back(name + (outcome ? " ok" : " " + std::to_string(static_cast<int>(outcome.error().kind))));
    };
    return all.add(std::move(done), target, 10, now + 5s);
  }
  static std::string failed(std::string name, failure kind) { return name + " " + std::to_string(static_cast<int>(kind)); }
};

TEST_F(Pending, AnswersComeInAnyOrderAndOnce) {
  auto first = add("1", subject), second = add("2", subject);
  EXPECT_EQ(all.bytes(), 20u);
  all.answer(second.token, message());
  all.answer(second.token, message());
  all.answer(first.token, message());
  all.answer(99, message());
  all.answer(0, message());
  EXPECT_EQ(ended, (std::vector<std::string>{"2 ok", "1 ok"}));
  EXPECT_EQ(all.bytes(), 0u);
}

TEST_F(Pending, ATokenThatWasAnsweredIsUsedAgain) {
  auto first = add("1", subject);
  add("2", subject);
  all.answer(first.token, message());
  EXPECT_EQ(all.next().token, first.token);
  auto third = add("3", subject);
  EXPECT_EQ(third.token, first.token);
  EXPECT_NE(third.turn, first.turn);
  all.fail(first, {failure::closed, "cancelled too late", {}});
  EXPECT_EQ(ended, (std::vector<std::string>{"1 ok"}));
}

TEST_F(Pending, TheAnswerToOneThatFailedIsNobodys) {
  auto first = add("1", subject);
  all.fail(first, {failure::timed_out, "late", {}});
  auto second = add("2", subject);
  EXPECT_NE(second.token, first.token);
  all.answer(first.token, message());
  EXPECT_EQ(ended, (std::vector{failed("1", failure::timed_out)}));
  all.answer(second.token, message());
  EXPECT_EQ(ended.back(), "2 ok");
}

TEST_F(Pending, TimeIsUpInTheOrderOfAsking) {
  add("1", subject);
  now += 1s;
  add("2", subject);
  all.sweep(now + 4s, 5s);
  EXPECT_EQ(ended, (std::vector{failed("1", failure::timed_out)}));
  all.sweep(now + 5s, 5s);
  EXPECT_EQ(ended.size(), 2u);
}

TEST_F(Pending, WithoutResponderWhoeverWaitsWaitsALittleLonger) {
  auto answered = add("1", subject);
  add("2", subject);
  all.nobody_there(now);
  add("3", subject);
  all.answer(answered.token, message());
  all.sweep(now + 300ms, 5s);
  EXPECT_EQ(ended, (std::vector<std::string>{"1 ok", failed("2", failure::no_responders)}));
}

TEST_F(Pending, FailingAllSparesThoseWhoComeMeanwhile) {
  add("1", subject);
  all.add(
      [this](pending_requests::reply) {
        ended.push_back("2 asks again");
        add("3", subject);
      },
      subject, 10, now + 5s);
  all.fail_all({failure::disconnected, "gone", {}});
  EXPECT_EQ(ended, (std::vector<std::string>{failed("1", failure::disconnected), "2 asks again"}));
  all.fail_all({failure::closed, "closed", {}});
  EXPECT_EQ(ended.back(), failed("3", failure::closed));
}

TEST_F(Pending, KnowsWhoWaitsForASubject) {
  add("1", subject);
  auto second = add("2", other);
  EXPECT_EQ(all.of("a.y"), (std::vector{second}));
  all.answer(second.token, message());
  EXPECT_TRUE(all.of("a.y").empty());
}

}  // namespace
}  // namespace kopiur::bus
