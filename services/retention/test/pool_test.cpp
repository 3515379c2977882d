#include "services/retention/core/pool.hpp"

#include <gtest/gtest.h>

#include "proto/codec.hpp"
#include "services/systems/kopiur/rules/run_ids.hpp"
#include "services/systems/kopiur/rules/slot_names.hpp"

namespace kopiur::retention {
namespace {

using namespace proto;
using namespace std::chrono_literals;

instant const noon = *instant_from("2026-03-01T12:00:00Z");

/// A Backup of the config `photos`.
backup of_photos(std::string name) {
  backup one{.api_version = "", .kind = "Backup"};
  one.metadata.namespace_ = "home", one.metadata.name = name, one.metadata.uid = std::move(name);
  one.spec.config_ref = local_ref{"photos"};
  return one;
}
backup going(std::string name, instant time, bool ours) {
  auto one = of_photos(std::move(name));
  one.metadata.deletion_timestamp = time;
  if (ours) one.metadata.annotations[std::string(annotation::pruned_by)] = "retention: no rule keeps it";
  return one;
}

/// A Backup that ended in that hour with that phase, in that repository.
backup ended(std::string name, int hour, backup_phase phase, std::string repository = "nas") {
  auto one = of_photos(name);
  one.status.phase = phase, one.status.origin = backup_origin::scheduled;
  one.status.timing = run_timing{.end_time = noon + hour * 1h};
  if (phase == backup_phase::Succeeded) one.status.snapshot = backup_snapshot{name, {}};
  one.status.resolved = backup_resolved{.repository = resolved_repository{.name = "main", .unique_ID = std::move(repository)},
                                        .identity = identity{"photos", "home", "/pvc/photos"}};
  return one;
}
controller::objects with(std::vector<backup> const& backups) {
  controller::objects all;
  for (auto& one : backups) all.of<backup>()[{one.metadata.namespace_, one.metadata.name}] = one;
  return all;
}
std::vector<std::string> names(std::vector<expired> const& going) {
  std::vector<std::string> found;
  for (auto& one : going) found.push_back(one.object.name);
  return found;
}
using these = std::vector<std::string>;

TEST(IsPaused, WhileTheConfigIsSuspendedOrItsManifestIsGone) {
  backup_config config;
  EXPECT_FALSE(is_paused(config));
  config.spec.suspend = true;
  EXPECT_TRUE(is_paused(config));
  config.spec.suspend = false, config.metadata.annotations[std::string(annotation::suspended)] = "x";
  EXPECT_TRUE(is_paused(config));
  config.metadata.annotations = {{std::string(annotation::manifest_missing), "true"}};
  EXPECT_TRUE(is_paused(config));
}

/// Of two Backups of one set the newer one stays. Another repository is another set; a Backup whose set is unknown is in none.
TEST(JudgeConfig, JudgesEachSetByWhatWasPinnedWhenItRan) {
  backup_config config;
  config.metadata.namespace_ = "home", config.metadata.name = "photos";
  config.spec.retention = retention_policy{.keep_latest = 1};
  auto all = with({ended("old", 1, backup_phase::Succeeded), ended("new", 3, backup_phase::Succeeded),
                   ended("elsewhere", 2, backup_phase::Succeeded, "cloud"), ended("unresolved", 0, backup_phase::Succeeded),
                   ended("unnamed", 0, backup_phase::Succeeded), ended("nowhere", 0, backup_phase::Succeeded)});
  auto& backups = all.of<backup>();
  backups.at({"home", "unresolved"}).status.resolved = {};
  backups.at({"home", "unnamed"}).status.resolved = backup_resolved{.repository = resolved_repository{.name = "main", .unique_ID = "nas"}};
  backups.at({"home", "nowhere"}).status.resolved =
      backup_resolved{.repository = resolved_repository{.name = "main"}, .identity = identity{"photos", "home", "/pvc/photos"}};
  auto sets = judge_config(all, config, noon + 24h);
  ASSERT_TRUE(sets);
  EXPECT_EQ(sets->size(), 2u);
  EXPECT_EQ(names(expired_of(all, config, *sets)), these{"old"});
}

TEST(HeldBackups, DisplaceNoGoodOneAndStayThreeOfASource) {
  backup_config config;
  config.metadata.namespace_ = "home", config.metadata.name = "photos";
  std::vector<backup> all{ended("good", 0, backup_phase::Succeeded)};
  for (int i = 1; i < 6; ++i) all.push_back(ended("empty-" + std::to_string(i), i, backup_phase::Held));
  for (int i = 1; i < 4; ++i) all.push_back(ended("cloud-" + std::to_string(i), i, backup_phase::Held, "cloud"));
  auto objects = with(all);
  EXPECT_EQ(names(held_surplus(objects, config, noon + 24h)), these{}) << "without retention nothing is ever pruned";
  config.spec.retention = retention_policy{.keep_latest = 1};
  EXPECT_EQ(names(held_surplus(objects, config, noon + 24h)), (these{"empty-2", "empty-1"}));
  auto sets = judge_config(objects, config, noon + 24h);
  ASSERT_TRUE(sets);
  EXPECT_EQ(names(expired_of(objects, config, *sets)), these{}) << "held ones are not rows of GFS";
}

TEST(FailedHistory, IsThatOfTheScheduleAlone) {
  backup_schedule schedule;
  schedule.metadata.namespace_ = "home", schedule.metadata.name = "nightly", schedule.metadata.uid = "n";
  schedule.spec.failed_jobs_history_limit = 1;
  auto of_slot = [](int hour, std::string const& uid, backup_phase phase) {
    auto slot = noon + hour * 1h;
    auto one = ended(rules::backup_name("nightly", slot, ""), hour, phase);
    one.metadata.labels = {{std::string(label::backup_schedule), "nightly"},
                           {std::string(label::run), rules::slot_run("home", uid, slot, "")}};
    one.metadata.annotations = {{std::string(annotation::schedule_uid), uid}, {std::string(annotation::slot), to_text(slot)}};
    return one;
  };
  auto first = of_slot(1, "n", backup_phase::Failed), copy = first;
  copy.metadata.name = "a-copy";
  auto all = with({first, of_slot(2, "n", backup_phase::Failed), ended("by-hand", 0, backup_phase::Failed), copy,
                   of_slot(0, "o", backup_phase::Failed), of_slot(3, "n", backup_phase::Succeeded)});
  auto there = first;
  there.metadata.namespace_ = "away";
  all.of<backup>()[{"away", there.metadata.name}] = there;
  auto going = failed_history(all, schedule, noon + 24h);
  ASSERT_EQ(names(going), these{first.metadata.name});
  EXPECT_EQ(going.front().object.namespace_, "home");
}

/// Every replica must derive the same last prune from the objects: otherwise replicas overwrite each other's status in a quiet system.
TEST(RetentionStatus, TellsTheLastPruneFromTheObjectsAlone) {
  controller::objects all;
  backup_config config;
  config.metadata.namespace_ = "home", config.metadata.name = "photos";
  auto told = [&](std::string_view what) { return std::string(status_of(all, config, {}).status.text(what)); };
  EXPECT_EQ(told("retention.lastPruneAt"), "");
  all = with({going("a", noon, true), going("b", noon + 1s, true), going("c", noon + 5s, false)});
  EXPECT_EQ(told("retention.lastPruneAt"), "2026-03-01T12:00:01Z") << "a deletion by hand is no prune";
  EXPECT_EQ(*status_of(all, config, {}).status.at("retention.lastPruneDeleted"), json::value(2));
  config.status.retention = retention_status{.active_backup_count = 0, .last_prune_at = noon + 1s, .last_prune_deleted = 2};
  EXPECT_EQ(told("retention.lastPruneAt"), "2026-03-01T12:00:01Z");
  all.of<backup>().clear();
  EXPECT_EQ(told("retention.lastPruneAt"), "2026-03-01T12:00:01Z") << "what was said stays when the Backups are gone";
}

/// Backups that wait must not change the status: in a burst each change would be a write.
TEST(RetentionStatus, CountsWhatIsSavedAndKept) {
  controller::objects all;
  backup_config config;
  config.metadata.namespace_ = "home", config.metadata.name = "photos";
  std::vector<explained> rows;
  auto put = [&](std::string name, backup_phase phase, bool has_snapshot, bool keep) {
    auto& one = all.of<backup>()[{"home", name}];
    one.status.phase = phase;
    if (has_snapshot) one.status.snapshot = backup_snapshot{name, {}};
    rows.push_back({.id = std::move(name), .keep = keep});
  };
  put("waits", backup_phase::Pending, false, true), put("failed", backup_phase::Failed, true, true);
  put("unchanged", backup_phase::Succeeded, false, true), put("goes", backup_phase::Succeeded, true, false);
  put("saved", backup_phase::Succeeded, true, true);
  rows.push_back({.id = "gone"});
  EXPECT_EQ(*status_of(all, config, {judged_set{{}, rows}}).status.at("retention.activeBackupCount"), json::value(1));
}

}  // namespace
}  // namespace kopiur::retention
