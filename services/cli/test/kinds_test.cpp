#include "services/cli/core/kinds.hpp"

#include <gtest/gtest.h>

namespace kopiur::cli {
namespace {

TEST(Kinds, AreFoundByEveryNameInAnyCase) {
  for (auto* name : {"Repository", "repositories", "KOPIAREPO", "repository"}) {
    auto found = find_kind(name);
    ASSERT_TRUE(found) << name;
    EXPECT_EQ(found->kind, "Repository");
  }
  EXPECT_EQ(find_kind("schedules")->kind, "BackupSchedule");
  EXPECT_EQ(find_kind("backups")->kind, "Backup");
  EXPECT_EQ(find_kind("pvcs")->kind, "PersistentVolumeClaim");
  EXPECT_FALSE(find_kind("s"));
  auto none = find_kind("pod");
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().find("backups"), std::string::npos);
}

}  // namespace
}  // namespace kopiur::cli
