#include "services/mover-orchestration/core/trace.hpp"

#include <gtest/gtest.h>

namespace kopiur::mover_orchestration {
namespace {

using namespace proto;
using namespace std::chrono_literals;

run_state ended() {
  run_state run{.run = "backup-1",
                .cluster = "c",
                .order = {.plan = "backup", .object = {"Backup", "ns", "b", "u"}},
                .stage = run_stage::FollowThroughComplete};
  run.ordered_at = instant{1s}, run.prepared_at = instant{2s}, run.started_at = instant{3s}, run.finished_at = instant{9s};
  run.outcome = run_outcome::Succeeded;
  return run;
}

TEST(Trace, OfARunIsOneSpanAndOneForEachPart) {
  auto trace = trace_of(ended(), "t", "r");
  ASSERT_TRUE(trace);
  auto* spans = trace->at("resourceSpans")->as_array()->at(0).find("scopeSpans")->as_array()->at(0).find("spans")->as_array();
  ASSERT_EQ(spans->size(), 4U);
  EXPECT_EQ(spans->at(0).text("name"), "backup");
  EXPECT_EQ(spans->at(0).text("startTimeUnixNano"), "1000000000");
  EXPECT_EQ(spans->at(0).text("endTimeUnixNano"), "9000000000");
  EXPECT_EQ(spans->at(0).find("parentSpanId"), nullptr);
  EXPECT_EQ(json::dump(*spans->at(0).at("status.code")), "1");
  EXPECT_EQ(spans->at(3).text("name"), "execute");
  EXPECT_EQ(spans->at(3).text("parentSpanId"), "r");
  for (auto& each : *spans) EXPECT_EQ(each.text("traceId"), "t");
}

TEST(Trace, OfAFailureSaysSo) {
  auto run = ended();
  run.outcome = run_outcome::Failed;
  run.failure = run_failure{.class_ = kopia_failure::DiskFull, .message = "full"};
  auto text = json::dump(*trace_of(run, "t", "r"));
  EXPECT_NE(text.find("DiskFull"), std::string::npos);
  EXPECT_NE(text.find("\"code\":2"), std::string::npos);
}

TEST(Trace, IsThereOnlyOnceTheRunIsOver) {
  auto run = ended();
  run.stage = run_stage::Created;
  EXPECT_FALSE(trace_of(run, "t", "r"));
}

}  // namespace
}  // namespace kopiur::mover_orchestration
