#include "services/cli/core/kinds.hpp"

#include <gtest/gtest.h>

#include <set>

#include "proto/kinds.hpp"

namespace kopiur::cli {
namespace {

std::string kind_named(std::string_view name) {
  auto found = find_kind(name);
  return found ? std::string(found->kind) : "none";
}

TEST(Kinds, EachIsFoundByItsOwnNames) {
  for (auto& one : all_kinds())
    for (auto name : {one.kind, one.plural, one.singular, one.short_name})
      if (!name.empty()) EXPECT_EQ(kind_named(name), one.kind) << name;
}

TEST(Kinds, AreFoundInAnyCaseAndInShorterForms) {
  struct {
    char const *name, *kind;
  } const cases[] = {{"REPOSITORIES", "Repository"},
                     {"clusterRepository", "ClusterRepository"},
                     {"KOPIAREPO", "Repository"},
                     {"kopiacrepos", "ClusterRepository"},
                     {"schedules", "BackupSchedule"},
                     {"Schedule", "BackupSchedule"},
                     {"config", "BackupConfig"},
                     {"configs", "BackupConfig"},
                     {"pvcs", "PersistentVolumeClaim"},
                     {"pvs", "PersistentVolume"},
                     {"cm", "ConfigMap"},
                     {"ns", "Namespace"},
                     {"job", "Job"}};
  for (auto& each : cases) EXPECT_EQ(kind_named(each.name), each.kind) << each.name;
}

TEST(Kinds, ShortNamesAreNotGuessed) {
  for (auto* name : {"", "s", "back", "backupss", "repo", "pod", "sc", " backups"}) EXPECT_EQ(kind_named(name), "none") << name;
}

TEST(Kinds, TheErrorNamesThemAll) {
  auto none = find_kind("pod");
  ASSERT_FALSE(none);
  EXPECT_TRUE(none.error().starts_with("There is no kind \"pod\". Name one of: repositories, clusterrepositories, ")) << none.error();
  for (auto& one : all_kinds()) EXPECT_NE(none.error().find(one.plural), std::string::npos) << one.kind;
}

TEST(Kinds, AreOursFirstAndEachOnce) {
  std::set<std::string_view> names;
  auto ours = proto::infos_of(proto::own_kinds{}).size();
  for (std::size_t i = 0; auto& one : all_kinds()) {
    EXPECT_EQ(one.ownership == proto::kind_ownership::Own, i++ < ours) << one.kind;
    EXPECT_TRUE(names.insert(one.kind).second) << one.kind;
  }
}

}  // namespace
}  // namespace kopiur::cli
