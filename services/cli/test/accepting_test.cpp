#include "services/cli/core/accepting.hpp"

#include <gtest/gtest.h>

#include "services/cli/test/objects.hpp"

namespace kopiur::cli {
namespace {

using namespace proto;

TEST(Accepting, TakesTheShrinkageOfAHeldBackup) {
  controller::objects all;
  auto held = made_backup("b", at("2026-11-21T03:00:00Z"));
  held.status.phase = backup_phase::Held, held.status.shrunk = shrinkage{.snapshot = "s1", .files = 3, .files_before = 100};
  add(all, held);
  auto what = acceptable(all, "default", "b");
  ASSERT_TRUE(what) << what.error();
  EXPECT_EQ(what->snapshot, "s1");
  EXPECT_EQ(accepted_text("b", *what), "Backup b is accepted with 3 files, where there were 100; the next ones are compared with it.");
}

TEST(Accepting, RefusesWhatIsNotHeld) {
  controller::objects all;
  auto one = made_backup("b", at("2026-11-21T03:00:00Z"));
  one.status.shrunk = shrinkage{.snapshot = "s1"};  // it stays after it was accepted
  add(all, one);
  EXPECT_EQ(acceptable(all, "default", "b").error(), "There is nothing to accept: Backup b is not held.");
  EXPECT_FALSE(acceptable(all, "default", "none"));
  add(all, one).status.phase = backup_phase::Held;
  EXPECT_FALSE(acceptable(all, "other", "b"));
}

/// A manual Backup of several sources is held because a Backup of one of them is.
TEST(Accepting, PointsToTheBackupsOfTheSourcesWhereThereAreSeveral) {
  controller::objects all;
  add(all, made_backup("b", at("2026-11-21T03:00:00Z"))).status.phase = backup_phase::Held;
  EXPECT_EQ(acceptable(all, "default", "b").error(), "Backup b stands for several sources: accept those that its status names.");
}

}  // namespace
}  // namespace kopiur::cli
