#include "common/time/backoff.hpp"

#include <gtest/gtest.h>

#include <set>

using namespace kopiur;
using namespace std::chrono_literals;

namespace {

TEST(Backoff, DoublesUpToTheLimit) {
  backoff_policy policy{.first = 1s, .limit = 10s};
  std::vector<duration> pauses;
  for (unsigned attempt : {0u, 1u, 2u, 3u, 4u, 5u, 6u, 4'000'000'000u}) pauses.push_back(backoff(attempt, policy));
  EXPECT_EQ(pauses, (std::vector<duration>{1s, 1s, 2s, 4s, 8s, 10s, 10s, 10s}));
}

TEST(Backoff, NeverStartsAboveTheLimit) { EXPECT_EQ(backoff(1, {.first = 1min, .limit = 10s}), duration(10s)); }

TEST(Backoff, IsSpreadOverItsUpperHalfByTheKey) {
  std::set<duration> pauses;
  for (int i = 0; i < 500; ++i) {
    auto pause = backoff(20, {.first = 1s, .limit = 100s}, "run-" + std::to_string(i));
    EXPECT_GE(pause, 50s);
    EXPECT_LE(pause, 100s);
    pauses.insert(pause);
  }
  EXPECT_GT(pauses.size(), 450u);
  EXPECT_EQ(backoff(3, {}, "a"), backoff(3, {}, "a"));
}

}  // namespace
