#include "services/cli/core/formatting.hpp"

#include <gtest/gtest.h>

namespace kopiur::cli {
namespace {

using namespace std::chrono_literals;

TEST(Words, SaysLengthsInOneUnit) {
  struct {
    duration length;
    char const* text;
  } const cases[] = {
      {0s, "0 s"},           {-5s, "0 s"},  {900ms, "0 s"}, {119s, "119 s"},          {120s, "2 min"},       {119min, "119 min"},
      {2h, "2 h"},           {47h, "47 h"}, {48h, "2 d"},   {24h * 13 + 23h, "13 d"}, {24h * 15, "2 weeks"}, {24h * 729, "104 weeks"},
      {24h * 730, "2 years"}};
  for (auto& each : cases) EXPECT_EQ(length_text(each.length), each.text);
}

TEST(Words, SaysWhenOnBothSidesOfNow) {
  auto now = *instant_from("2026-11-21T06:00:00Z");
  struct {
    duration later;
    char const* text;
  } const cases[] = {{-3min, "3 min ago"}, {-1s, "1 s ago"}, {-999ms, "now"},   {0s, "now"},
                     {999ms, "now"},       {1s, "in 1 s"},   {3min, "in 3 min"}};
  for (auto& each : cases) EXPECT_EQ(when_text(now + each.later, now), each.text);
}

TEST(Words, SaysSizesInBinaryUnits) {
  struct {
    std::int64_t bytes;
    char const* text;
  } const cases[] = {{0, "0 B"},          {1023, "1023 B"},           {1024, "1.0 KiB"},      {1536, "1.5 KiB"},
                     {10188, "9.9 KiB"},  {10189, "10 KiB"},          {10 << 10, "10 KiB"},   {1023 * 1024, "1023 KiB"},
                     {-1536, "-1.5 KiB"}, {(1 << 20) - 1, "1.0 MiB"}, {INT64_MAX, "8.0 EiB"}, {std::int64_t{3} << 40, "3.0 TiB"}};
  for (auto& each : cases) EXPECT_EQ(size_text(each.bytes), each.text);
}

TEST(Words, DrawsBarsThatNeverOverflow) {
  EXPECT_EQ(bar_text(0, 4), "[----]");
  EXPECT_EQ(bar_text(37, 4), "[#---]");
  EXPECT_EQ(bar_text(38, 4), "[##--]") << "to the nearest cell";
  EXPECT_EQ(bar_text(250, 4), "[####]");
  EXPECT_EQ(bar_text(-1, 4), "[----]");
}

TEST(Words, KeepAllCharactersButThoseThatControlATerminal) {
  struct {
    char const *text, *harmless;
  } const cases[] = {{"a b~", "a b~"},
                     {"\x1f\x7f\n", "???"},
                     {"\xc2\x80-\xc2\x9f", "?-?"},
                     {"\xc2\xa0\xc3\x9f\xe2\x82\xac", "\xc2\xa0\xc3\x9f\xe2\x82\xac"},
                     {"\xc2", "\xc2"}};
  for (auto& each : cases) EXPECT_EQ(harmless(each.text), each.harmless);
  EXPECT_EQ(harmless("a\tb\nc\r", "\n\t"), "a\tb\nc?");
}

}  // namespace
}  // namespace kopiur::cli
