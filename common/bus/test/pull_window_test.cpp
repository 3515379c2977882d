#include "common/bus/pull_window.hpp"

#include <gtest/gtest.h>

namespace kopiur::bus {
namespace {

using namespace std::chrono_literals;

struct PullWindow : ::testing::Test {
  std::vector<int> asked;
  pull_window::steady::time_point now{};
  pull_window window{10, [this](int batch) { asked.push_back(batch); }};

  void arrive(int count) {
    for (int i = 0; i < count; ++i) window.arrived(now);
  }
  void take(int count) {
    for (int i = 0; i < count; ++i) window.taken(now);
  }
};

TEST_F(PullWindow, AsksForAllThenForHalvesAsTheyAreSettled) {
  window.start(now);
  EXPECT_EQ(asked, (std::vector{10}));
  arrive(10);
  take(4);
  EXPECT_EQ(asked.size(), 1u) << "less than half is not worth a pull";
  take(1);
  EXPECT_EQ(asked, (std::vector{10, 5}));
}

TEST_F(PullWindow, NeverAsksForMoreThanItsSize) {
  window.start(now);
  arrive(3);
  window.start(now);  // the server forgot the pulls
  EXPECT_EQ(asked, (std::vector{10, 7}));
  EXPECT_EQ(window.asked(), 7);
}

TEST_F(PullWindow, AnExpiredPullGivesItsCreditBack) {
  window.start(now);
  arrive(2);
  take(2);
  window.status({.code = 408, .text = "Request Timeout", .pending = 8}, now);
  EXPECT_EQ(asked, (std::vector{10, 10}));
}

TEST_F(PullWindow, AnOddStatusIsPacedBySilence) {
  window.start(now);
  window.status({.code = 409, .text = "Leadership Change"}, now);
  EXPECT_EQ(asked.size(), 1u);
  EXPECT_FALSE(window.is_silent(now + 10s));
  EXPECT_TRUE(window.is_silent(now + 11s));
}

TEST_F(PullWindow, HeartbeatsAreNoSilence) {
  window.start(now);
  window.status({.code = 100}, now + 5s);
  EXPECT_FALSE(window.is_silent(now + 14s));
  EXPECT_TRUE(window.is_silent(now + 16s));
}

TEST_F(PullWindow, AFullHandIsNoSilence) {
  window.start(now);
  arrive(10);
  EXPECT_FALSE(window.is_silent(now + 60s));
}

TEST_F(PullWindow, APullThatNobodyTookIsAskedAgainInASecond) {
  window.start(now);
  window.nobody_there(now + 1ms);
  EXPECT_FALSE(window.is_silent(now + 500ms));
  EXPECT_TRUE(window.is_silent(now + 1100ms));
  window.start(now + 2s);
  arrive(1);
  window.nobody_there(now + 2s);
  EXPECT_FALSE(window.is_silent(now + 4s)) << "a pull that gave something was taken";
}

TEST_F(PullWindow, StoppedItAsksNothing) {
  window.start(now);
  arrive(10);
  window.stop();
  take(10);
  EXPECT_EQ(asked.size(), 1u);
  EXPECT_FALSE(window.is_silent(now + 60s));
  window.start(now);
  EXPECT_EQ(asked, (std::vector{10, 10}));
}

}  // namespace
}  // namespace kopiur::bus
