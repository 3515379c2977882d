#include "services/cli/core/formatting.hpp"

#include <gtest/gtest.h>

namespace kopiur::cli {
namespace {

using namespace std::chrono_literals;

TEST(Words, SaysLengthsInOneUnit) {
  struct {
    duration length;
    char const* text;
  } const cases[] = {{0s, "0 s"}, {900ms, "0 s"}, {119s, "119 s"}, {120s, "2 min"},       {119min, "119 min"},
                     {2h, "2 h"}, {47h, "47 h"},  {48h, "2 d"},    {24h * 15, "2 weeks"}, {24h * 800, "2 years"}};
  for (auto& each : cases) EXPECT_EQ(length_text(each.length), each.text);
}

TEST(Words, SaysWhenOnBothSidesOfNow) {
  auto now = *instant_from("2026-11-21T06:00:00Z");
  EXPECT_EQ(when_text(now - 3min, now), "3 min ago");
  EXPECT_EQ(when_text(now + 3min, now), "in 3 min");
  EXPECT_EQ(when_text(now + 500ms, now), "now");
}

TEST(Words, SaysSizesInBinaryUnits) {
  struct {
    std::int64_t bytes;
    char const* text;
  } const cases[] = {{0, "0 B"},           {1023, "1023 B"},          {1024, "1.0 KiB"},          {1536, "1.5 KiB"},
                     {10 << 10, "10 KiB"}, {1023 * 1024, "1023 KiB"}, {(1 << 20) - 1, "1.0 MiB"}, {INT64_MAX, "8.0 EiB"}};
  for (auto& each : cases) EXPECT_EQ(size_text(each.bytes), each.text);
}

TEST(Words, DrawsBarsThatNeverOverflow) {
  EXPECT_EQ(bar_text(0, 4), "[----]");
  EXPECT_EQ(bar_text(50, 4), "[##--]");
  EXPECT_EQ(bar_text(250, 4), "[####]");
  EXPECT_EQ(bar_text(-1, 4), "[----]");
}

}  // namespace
}  // namespace kopiur::cli
