#include "services/cli/core/ending.hpp"

#include <gtest/gtest.h>

#include "services/cli/test/objects.hpp"

namespace kopiur::cli {
namespace {

using namespace proto;

TEST(Ending, OfABackupIsItsPhase) {
  controller::objects all;
  object_ref ref{"Backup", "default", "b", ""};
  EXPECT_FALSE(ended(all, ref)) << "not there yet";
  auto one = made_backup("b", at("2026-11-21T03:00:00Z"));
  one.status.phase = backup_phase::Running;
  add(all, one);
  EXPECT_FALSE(ended(all, ref));
  EXPECT_EQ(meanwhile(all, ref), "Running");
  one.status.phase = backup_phase::Failed;
  one.status.failure = run_failure{failure_class::DiskFull, "The disk is full.", "", true};
  add(all, one);
  auto end = ended(all, ref);
  ASSERT_TRUE(end);
  EXPECT_FALSE(end->good);
  EXPECT_EQ(end->text, "Backup b failed: The disk is full.");
  one.status.phase = backup_phase::Succeeded;
  add(all, one);
  EXPECT_TRUE(ended(all, ref)->good);
}

TEST(Ending, NamesTheReasonWhyAnObjectWaits) {
  controller::objects all;
  auto one = made_backup("b", at("2026-11-21T03:00:00Z"));
  one.status.phase.reset();
  one.status.conditions.push_back(
      {.type = "Ready", .status = condition_status::False, .reason = "R", .message = "Waiting for the repository."});
  add(all, one);
  EXPECT_EQ(meanwhile(all, {"Backup", "default", "b", ""}), "Pending: Waiting for the repository.");
}

TEST(Words, AProgressBeyondItsEndIsAtItsEnd) {
  EXPECT_TRUE(progress_text({.percent = 1e300, .phase = "hashing"}).starts_with("hashing  100% ["));
  EXPECT_TRUE(progress_text({.percent = -5, .phase = "hashing"}).starts_with("hashing  0% ["));
}

}  // namespace
}  // namespace kopiur::cli
