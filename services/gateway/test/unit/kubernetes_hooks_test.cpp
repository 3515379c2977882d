#include <gtest/gtest.h>

#include "services/gateway/kubernetes/jobs/user_job.hpp"
#include "services/gateway/kubernetes/objects/pod_exec.hpp"

namespace kopiur::gateway::kubernetes {
namespace {

TEST(PodExec, EndsAsTheServerSays) {
  EXPECT_TRUE(outcome_of({{.succeeded = true}}));
  auto failed = outcome_of({{.message = "command terminated with exit code 3", .printed = "no database\n"}});
  EXPECT_EQ(failed.error().message, "command terminated with exit code 3; it said: no database");
  EXPECT_EQ(outcome_of({{.message = "command terminated with exit code 3"}}).error().message, "command terminated with exit code 3");
  EXPECT_EQ(outcome_of({}).error().code, proto::answer_code::Ambiguous) << "it may still run";
  auto words = outcome_of({{.printed = std::string(500, 'x') + "the end"}}).error().message;
  EXPECT_LT(words.size(), 400u) << "only its last words";
  EXPECT_TRUE(words.ends_with("the end"));
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
