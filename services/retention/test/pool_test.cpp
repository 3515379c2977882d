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

}  // namespace
}  // namespace kopiur::retention
