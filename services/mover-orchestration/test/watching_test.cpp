#include "services/mover-orchestration/core/watching.hpp"

#include <gtest/gtest.h>

namespace kopiur::mover_orchestration {
namespace {

using namespace std::chrono_literals;
using proto::outage;
using proto::watch_log;

constexpr instant start{100h};

/// The cluster was seen every half minute during this time.
watch_log seen_from(watch_log log, instant from, duration over) {
  for (auto time = from; time <= from + over; time += 30s) log = seen_at(std::move(log), time);
  return log;
}

TEST(Watched, IsTheTimeInWhichTheClusterAnswered) {
  auto log = seen_from({}, start, 15min);
  EXPECT_EQ(watched(log, start), 15min);
  EXPECT_EQ(watched(log, start + 5min), 10min);
  EXPECT_EQ(watched(log, start + 20min), 0min) << "nobody has looked since";
}

TEST(Watched, LeavesOutWhatNobodySaw) {
  auto log = seen_from(seen_from({}, start, 5min), start + 65min, 5min);
  EXPECT_EQ(watched(log, start), 10min);
  EXPECT_EQ(watched(log, start + 30min), 5min);
  EXPECT_EQ(log.outages.back(), (outage{start + 5min, start + 65min}));
}

TEST(Watched, AGapOfTwoLooksIsNone) {
  auto log = seen_at(seen_at({}, start), start + watch_gap);
  EXPECT_EQ(watched(log, start), watch_gap);
}

TEST(Watched, NothingIsKnownOfWhatWasBeforeTheFirstLook) { EXPECT_EQ(watched(seen_at({}, start), start - 1h), 0min); }

TEST(Watched, AClockThatIsSteppedBackBeginsAgain) {
  auto log = seen_from(seen_from({}, start, 5min), start - 10h, 5min);
  EXPECT_EQ(watched(log, start - 10h), 5min);
  EXPECT_EQ(log.seen_until, start - 10h + 5min);
}

TEST(Watched, WhatIsOldIsForgotten) {
  auto log = seen_from(seen_from({}, start, 1min), start + 10min, 1min);
  EXPECT_EQ(log.outages.size(), 2u);
  log = seen_at(log, start + watch_kept + 1h);
  EXPECT_EQ(log.outages.size(), 1u) << "but for the time since";
}

}  // namespace
}  // namespace kopiur::mover_orchestration
