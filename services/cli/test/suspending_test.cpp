#include "services/cli/core/suspending.hpp"

#include <gtest/gtest.h>

#include "services/cli/core/coming.hpp"
#include "services/cli/core/health.hpp"
#include "services/cli/core/rows.hpp"

namespace kopiur::cli {
namespace {

using namespace proto;
using rules::suspension_of;

instant at(char const* text) { return *instant_from(text); }
instant const begun = at("2026-11-21T06:00:00Z"), now = at("2026-11-21T09:00:00Z");

void suspend_by_hand(object_meta& meta) {
  meta.annotations[std::string(annotation::suspended)] = rules::suspension_note(begun, "new disk");
}

template <class T>
T named(std::string name) {
  T one;
  one.metadata.namespace_ = "home", one.metadata.name = std::move(name);
  return one;
}

std::string text_of(controller::objects const& all) {
  auto found = health(all, "home", false, now);
  return found.empty() ? "" : std::string(found.front().mood == mood::attention ? "note: " : "other: ") + found.front().text;
}

TEST(SuspendableKind, IsFoundByAnyNameAndOthersAreRefusedWithTheList) {
  for (auto* name : {"repository", "ClusterRepository", "configs", "schedules", "maintenance"})
    EXPECT_TRUE(find_suspendable_kind(name)) << name;
  ASSERT_FALSE(find_suspendable_kind("backups"));
  EXPECT_EQ(find_suspendable_kind("backups").error(),
            "A Backup cannot be suspended. Name one of: Repository, ClusterRepository, BackupConfig, BackupSchedule, Maintenance.");
  EXPECT_NE(find_suspendable_kind("pod").error().find("There is no kind"), std::string::npos);
}

TEST(Suspending, WhatIsSuspendedIsSaidAndNotWrittenAgain) {
  auto photos = named<backup_config>("photos");
  EXPECT_FALSE(already_suspended(suspension_of(photos)));
  auto by_manifest = photos;
  by_manifest.spec.suspend = true;
  EXPECT_EQ(already_suspended(suspension_of(by_manifest)), "BackupConfig photos is suspended already (by its manifest, spec.suspend).");
  suspend_by_hand(photos.metadata);
  EXPECT_EQ(already_suspended(suspension_of(photos)),
            "BackupConfig photos is suspended already (by kopiur suspend at 2026-11-21T06:00:00Z: new disk).");
}

TEST(Resuming, IsRefusedWhereTheManifestSuspends) {
  controller::objects all;
  auto nightly = named<backup_schedule>("nightly");
  EXPECT_FALSE(cannot_resume(all, suspension_of(nightly)));
  suspend_by_hand(nightly.metadata);
  EXPECT_FALSE(cannot_resume(all, suspension_of(nightly)));
  nightly.spec.schedule.suspend = true;
  auto why = cannot_resume(all, suspension_of(nightly)).value();
  EXPECT_NE(why.find("set spec.schedule.suspend to false"), std::string::npos) << why;
  EXPECT_NE(why.find("suspended by hand too (by kopiur suspend"), std::string::npos) << why;
  nightly.metadata.annotations.clear();
  EXPECT_EQ(cannot_resume(all, suspension_of(nightly)).value().find("by hand"), std::string::npos);
}

TEST(Resuming, IsRefusedWhereTheManifestHasVanished) {
  controller::objects all;
  auto& nightly = all.of<backup_schedule>()[{"home", "nightly"}] = named<backup_schedule>("nightly");
  EXPECT_FALSE(cannot_resume(all, suspension_of(nightly)));
  nightly.metadata.annotations[std::string(annotation::manifest_missing)] = "true";
  EXPECT_NE(cannot_resume(all, suspension_of(nightly)).value().find("put the file back"), std::string::npos);
}

TEST(Health, SaysSinceWhenEachKindIsSuspendedByHand) {
  auto expect = [](std::string const& said, std::string const& consequence, std::string const& object) {
    EXPECT_EQ(said, "note: Suspended 3 h ago (by kopiur suspend at 2026-11-21T06:00:00Z: new disk): " + consequence +
                        ". To resume, run: kopiur resume " + object);
  };
  controller::objects repositories, shared, configs, schedules, maintenances;
  auto put = [](auto& table, auto one) {
    if (one.info.scope == kind_scope::Cluster) one.metadata.namespace_.clear();
    suspend_by_hand(one.metadata);
    table[{one.metadata.namespace_, one.metadata.name}] = one;
  };
  put(repositories.of<repository>(), named<repository>("nas")), put(shared.of<cluster_repository>(), named<cluster_repository>("s3"));
  put(configs.of<backup_config>(), named<backup_config>("photos")), put(schedules.of<backup_schedule>(), named<backup_schedule>("nightly"));
  put(maintenances.of<maintenance>(), named<maintenance>("keep"));
  expect(text_of(repositories), "nothing runs on it", "Repository nas -n home");
  expect(text_of(shared), "nothing runs on it", "ClusterRepository s3");
  expect(text_of(configs), "no backup of it is taken, and none is pruned", "BackupConfig photos -n home");
  expect(text_of(schedules), "nothing fires", "BackupSchedule nightly -n home");
  expect(text_of(maintenances), "space is not freed", "Maintenance keep -n home");
}

TEST(Health, TakesTheTimeOfASuspensionByTheManifestFromItsCondition) {
  controller::objects all;
  auto& photos = all.of<backup_config>()[{"home", "photos"}] = named<backup_config>("photos");
  photos.spec.suspend = true;
  EXPECT_EQ(text_of(all),
            "note: Suspended (by its manifest, spec.suspend): no backup of it is taken, and none is pruned. To resume, set spec.suspend to "
            "false");
  photos.status.conditions = {
      {.type = "Ready", .status = condition_status::False, .last_transition_time = begun, .reason = "Suspended", .message = {}}};
  EXPECT_NE(text_of(all).find("Suspended 3 h ago (by its manifest"), std::string::npos) << text_of(all);
}

/// Any text in the annotation suspends: a user may write it without a time.
TEST(Health, SaysNoTimeThatANoteDoesNotHave) {
  controller::objects all;
  auto& keeper = all.of<maintenance>()[{"home", "keep"}] = named<maintenance>("keep");
  keeper.metadata.annotations[std::string(annotation::suspended)] = "the disk is at the repair shop";
  keeper.status.conditions = {{.type = "Ready", .last_transition_time = begun, .reason = "Suspended", .message = {}}};
  EXPECT_EQ(text_of(all),
            "note: Suspended (the disk is at the repair shop): space is not freed. To resume, run: kopiur resume Maintenance keep -n home");
  keeper.spec.suspend = true;
  EXPECT_TRUE(text_of(all).ends_with("To resume, set spec.suspend to false and run: kopiur resume Maintenance keep -n home"))
      << text_of(all);
}

TEST(Views, LeaveOutTheSlotsOfWhatIsSuspendedByHand) {
  controller::objects all;
  auto nightly = named<backup_schedule>("nightly");
  nightly.spec.schedule.cron = "0 3 * * *", nightly.metadata.creation_timestamp = at("2026-11-01T00:00:00Z");
  auto keeper = named<maintenance>("keep");
  auto slots = [&] {
    all.of<backup_schedule>()[{"home", "nightly"}] = nightly, all.of<maintenance>()[{"home", "keep"}] = keeper;
    return coming(all, "home", false, now, 3).size();
  };
  EXPECT_EQ(slots(), 3u);
  EXPECT_TRUE(is_overdue(nightly, {}, now));
  suspend_by_hand(nightly.metadata), suspend_by_hand(keeper.metadata);
  EXPECT_EQ(slots(), 0u);
  EXPECT_FALSE(is_overdue(nightly, {}, now));
}

}  // namespace
}  // namespace kopiur::cli
