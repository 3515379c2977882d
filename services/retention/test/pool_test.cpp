#include "services/retention/core/pool.hpp"

#include <gtest/gtest.h>

#include "proto/codec.hpp"

namespace kopiur::retention {
namespace {

using namespace proto;
using namespace std::chrono_literals;

instant const noon = *instant_from("2026-03-01T12:00:00Z");

backup going(std::string name, instant at, bool ours) {
  backup one{.api_version = "", .kind = "Backup"};
  one.metadata.namespace_ = "home", one.metadata.name = name, one.metadata.uid = name;
  one.metadata.deletion_timestamp = at;
  if (ours) one.metadata.annotations[std::string(annotation::pruned_by)] = "retention: no rule keeps it";
  one.spec.config_ref = local_ref{"photos"};
  return one;
}

/// Found by the simulation: each replica told its own last prune, and wrote it over the others' in a quiet system.
TEST(RetentionStatus, TellsTheLastPruneFromTheObjectsAlone) {
  mirror::objects all;
  backup_config config;
  config.metadata.namespace_ = "home", config.metadata.name = "photos";
  auto told = [&](std::string_view what) { return std::string(status_of(all, config, {}).status.text(what)); };
  EXPECT_EQ(told("retention.lastPruneAt"), "");
  for (auto& one : {going("a", noon, true), going("b", noon + 1s, true), going("c", noon + 5s, false)})
    all.backups[{"home", one.metadata.name}] = one;
  EXPECT_EQ(told("retention.lastPruneAt"), "2026-03-01T12:00:01Z") << "a deletion by hand is no prune";
  config.status.retention = retention_status{.active_backup_count = 0, .last_prune_at = noon + 1s, .last_prune_deleted = 2};
  EXPECT_EQ(told("retention.lastPruneAt"), "2026-03-01T12:00:01Z");
  all.backups.clear();
  EXPECT_EQ(told("retention.lastPruneAt"), "2026-03-01T12:00:01Z") << "what was said stays when the Backups are gone";
}

/// A burst of Backups that wait changed it with each of them, and each change was a write.
TEST(RetentionStatus, CountsWhatIsSavedAndKept) {
  mirror::objects all;
  backup_config config;
  config.metadata.namespace_ = "home", config.metadata.name = "photos";
  std::vector<explained> rows;
  auto put = [&](std::string name, backup_phase phase, bool has_snapshot, bool keep) {
    auto& one = all.backups[{"home", name}];
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
