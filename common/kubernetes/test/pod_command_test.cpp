#include "common/kubernetes/pod_command.hpp"

#include <gtest/gtest.h>

namespace kopiur::kubernetes {
namespace {

using namespace std::string_literals;

constexpr auto failed =
    R"({"status":"Failure","message":"command terminated with exit code 3","reason":"NonZeroExitCode","details":{"causes":[{"reason":"ExitCode","message":"3"}]}})";

TEST(PodCommand, EndsAsTheLastChannelSays) {
  exec_channels well(300);
  well.take(
      "\x01"
      "frozen\n"s);
  EXPECT_FALSE(well.ended()) << "it was not said yet";
  well.take("\x03"s + R"({"metadata":{},"status":"Success"})");
  ASSERT_TRUE(well.ended());
  EXPECT_TRUE(well.ended()->succeeded);

  exec_channels badly(300);
  badly.take(
      "\x02"
      "no database\n"s);
  badly.take("\x03"s + failed);
  EXPECT_FALSE(badly.ended()->succeeded);
  EXPECT_EQ(badly.ended()->message, "command terminated with exit code 3");
  EXPECT_EQ(badly.ended()->printed, "no database\n");
}

TEST(PodCommand, KeepsTheEndOfItsOutputOnly) {
  exec_channels said(300);
  for (int i = 0; i < 10'000; ++i) said.take("\x01line " + std::to_string(i) + "\n");
  said.take("\x03"s + failed);
  auto printed = said.ended()->printed;
  EXPECT_GE(printed.size(), 300u);
  EXPECT_LE(printed.size(), 600u);
  EXPECT_TRUE(printed.ends_with("line 9999\n"));
}

TEST(PodCommand, ASuccessThatWasNeverSaidIsNone) {
  exec_channels said(300);
  for (auto each : {""s, "\x01"s, "\x03"s, "\x03no json"s, "\x07what"s}) said.take(each);
  EXPECT_FALSE(said.ended());
}

}  // namespace
}  // namespace kopiur::kubernetes
