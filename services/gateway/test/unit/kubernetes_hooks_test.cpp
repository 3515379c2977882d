#include <gtest/gtest.h>

#include "services/gateway/adapters/kubernetes/pod_exec.hpp"
#include "services/gateway/adapters/kubernetes/user_job.hpp"

namespace kopiur::gateway::kubernetes {
namespace {

using namespace std::string_literals;

constexpr auto failure =
    R"({"status":"Failure","message":"command terminated with exit code 3","reason":"NonZeroExitCode","details":{"causes":[{"reason":"ExitCode","message":"3"}]}})";

TEST(PodExec, EndsAsTheLastChannelSays) {
  exec_channels well;
  well.take(
      "\x01"
      "frozen\n"s);
  EXPECT_FALSE(well.ended()) << "it was not said yet";
  well.take("\x03"s + R"({"metadata":{},"status":"Success"})");
  EXPECT_TRUE(well.ended().value());

  exec_channels badly;
  badly.take(
      "\x02"
      "no database\n"s);
  badly.take("\x03"s + failure);
  EXPECT_EQ(badly.ended()->error().message, "command terminated with exit code 3; it said: no database");
}

TEST(PodExec, KeepsTheLastWordsOnly) {
  exec_channels said;
  for (int i = 0; i < 10'000; ++i) said.take("\x01line " + std::to_string(i) + "\n");
  said.take("\x03"s + failure);
  auto message = said.ended()->error().message;
  EXPECT_LT(message.size(), 400u);
  EXPECT_TRUE(message.ends_with("line 9999"));
}

TEST(PodExec, ASuccessThatWasNeverSaidIsNone) {
  exec_channels said;
  for (auto each : {""s, "\x01"s, "\x03"s, "\x03no json"s, "\x07what"s}) said.take(each);
  EXPECT_FALSE(said.ended());
}

json::value made(std::string const& spec) {
  return manifest_of(
      {.run = "run-1", .namespace_ = "home", .name = "run-1-before-0", .job_spec = json::parse(spec).value(), .timeout_seconds = 60});
}

TEST(UserJob, EndsByItselfAndStaysForAWhile) {
  auto job = made(R"({"template":{"spec":{"containers":[]}}})");
  EXPECT_EQ(json::dump(*job.find("spec")),
            R"({"template":{"spec":{"containers":[],"restartPolicy":"Never"}},"activeDeadlineSeconds":60,"ttlSecondsAfterFinished":3600})");
  EXPECT_EQ(job.text("metadata.name"), "run-1-before-0");
  EXPECT_EQ(annotation(job, ours("run")), "run-1") << "made twice, it is one";
}

TEST(UserJob, IsTheUsers) {
  auto job = made(R"({"activeDeadlineSeconds":10,"ttlSecondsAfterFinished":5,"template":{"spec":{"restartPolicy":"OnFailure"}}})");
  EXPECT_EQ(json::dump(*job.find("spec")),
            R"({"activeDeadlineSeconds":10,"ttlSecondsAfterFinished":5,"template":{"spec":{"restartPolicy":"OnFailure"}}})");
  EXPECT_EQ(*made(R"({"activeDeadlineSeconds":1000})").at("spec.activeDeadlineSeconds")->as_int(), 60) << "its time is the hook's";
}

}  // namespace
}  // namespace kopiur::gateway::kubernetes
