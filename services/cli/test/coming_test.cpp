#include "services/cli/core/coming.hpp"

#include <gtest/gtest.h>

#include "services/cli/test/objects.hpp"

namespace kopiur::cli {
namespace {

using namespace proto;

TEST(Coming, ListsTheNextSlotsOfAllByTime) {
  controller::objects all;
  add(all, schedule("0 3 * * *", at("2026-11-01T00:00:00Z")));
  maintenance keeper;
  keeper.metadata.name = "keep", keeper.metadata.namespace_ = "default", keeper.metadata.uid = "u-keep";
  add(all, keeper);
  auto slots = coming(all, "default", false, at("2026-11-21T00:00:00Z"), 3);
  ASSERT_EQ(slots.size(), 3u);
  EXPECT_EQ(slots[0].time, at("2026-11-21T03:00:00Z"));
  EXPECT_EQ(slots[0].what, "backup");
  EXPECT_NE(slots[0].problem.find("BackupConfig default/photos does not exist"), std::string::npos);
  EXPECT_EQ(slots[1].time, at("2026-11-21T06:00:00Z"));
  EXPECT_EQ(slots[1].what, "quick maintenance");
  all.of<backup_schedule>().begin()->second.spec.schedule.suspend = true;
  EXPECT_EQ(coming(all, "default", false, at("2026-11-21T00:00:00Z"), 1).front().what, "quick maintenance");
}

TEST(Fates, FollowTheRulesOfTheConfigOrThoseGivenInstead) {
  controller::objects all;
  for (auto* day : {"2026-11-19", "2026-11-20", "2026-11-21"})
    add(all, made_backup(std::string("b-") + day, at((std::string(day) + "T03:00:00Z").c_str())));
  auto now = at("2026-11-21T04:00:00Z");
  auto none = fates(all, config(), {}, now);
  ASSERT_TRUE(none);
  EXPECT_EQ(none->size(), 3u);
  for (auto& each : *none) EXPECT_TRUE(each.stays) << "without retention nothing goes";
  retention_policy two;
  two.keep_daily = 2;
  auto judged = fates(all, config(), two, now);
  ASSERT_TRUE(judged);
  EXPECT_EQ(judged->back().backup, "b-2026-11-19");
  EXPECT_FALSE(judged->back().stays);
  EXPECT_EQ(judged->front().reasons.front(), "daily-1");
  two.timezone = "Nowhere/Town";
  EXPECT_FALSE(fates(all, config(), two, now));
}

}  // namespace
}  // namespace kopiur::cli
