#include "services/scheduler/core/orders.hpp"

#include <gtest/gtest.h>

#include "services/scheduler/core/names.hpp"

namespace kopiur::scheduler {
namespace {

using namespace proto;
using namespace std::chrono_literals;

constexpr instant slot{100h};

/// BackupSchedule ns/often with one source, whose run of `slot` is asked about an hour later.
struct stage {
  mirror::objects all;
  line of{.key = "uid-new", .object = {"BackupSchedule", "ns", "often", "uid-new"}, .rules = {}, .created = {}, .full = {}};
  slot_run run{.source = "/pvc/data", .run = run_id("uid-new", slot, "/pvc/data")};

  void backup_of(std::string made_by, backup_phase phase) {
    auto& one = all.backups[{"ns", backup_name("often", slot, run.source)}];
    one.metadata.labels[std::string(label::run)] = std::move(made_by);
    one.status.phase = phase;
  }
  bool over(run_state const* fact = nullptr, duration later = 1h) { return is_over(all, of, slot, run, fact, slot + later); }
};

TEST(IsOver, IsSaidByTheFactBeforeTheBackup) {
  stage s;
  run_state fact{.stage = run_stage::Committed};
  s.backup_of(s.run.run, backup_phase::Succeeded);
  EXPECT_FALSE(s.over(&fact));
  fact.stage = run_stage::FollowThroughComplete;
  EXPECT_TRUE(s.over(&fact));
}

TEST(IsOver, IsSaidByTheBackupWhereTheBusWasLost) {
  stage s;
  EXPECT_FALSE(s.over());
  s.backup_of(s.run.run, backup_phase::Running);
  EXPECT_FALSE(s.over());
  s.backup_of(s.run.run, backup_phase::Failed);
  EXPECT_TRUE(s.over());
}

TEST(IsOver, ADeletedBackupIsNotMadeAgainADayLater) {
  stage s;
  EXPECT_TRUE(s.over(nullptr, 25h));
}

/// Seed 10071: the clock went back, and a schedule made anew came to a slot of its predecessor; the run was never ordered, and nobody told.
TEST(IsOver, ABackupOfAFormerScheduleOfThatNameSaysNothing) {
  stage s;
  s.backup_of(run_id("uid-old", slot, s.run.source), backup_phase::Succeeded);
  EXPECT_FALSE(s.over());
}

/// Seed 78: a failed Backup was deleted, and its schedule counted it until somebody looked, up to five minutes later.
TEST(SchedulesWith, AreToldOfABackupThatIsGone) {
  stage s;
  auto put = [&](std::string name, std::string uid) { s.all.schedules[{"ns", name}].metadata.uid = std::move(uid); };
  put("often", "uid-new"), put("oft", "uid-oft"), put("rarely", "uid-rarely");
  object_ref backup{"Backup", "ns", backup_name("often", slot, s.run.source), ""};
  using uids = std::vector<std::string>;
  EXPECT_EQ(schedules_with(s.all, backup), uids{"uid-new"});
  s.backup_of(s.run.run, backup_phase::Failed);
  EXPECT_EQ(schedules_with(s.all, backup), uids{}) << "made by nobody's schedule";
  s.all.backups.begin()->second.metadata.annotations[std::string(annotation::schedule_uid)] = "uid-old";
  EXPECT_EQ(schedules_with(s.all, backup), uids{"uid-old"}) << "it says whose it is";
  backup.namespace_ = "elsewhere";
  EXPECT_EQ(schedules_with(s.all, backup), uids{});
}

/// A slot that makes several Backups orders one after the other; a user deleted its schedule between them, and the scheduler crashed (a run
/// of the simulation's hours).
TEST(OrderOf, AScheduleThatIsGoneOrIsAnotherOneOrdersNothing) {
  stage s;
  EXPECT_FALSE(order_of(s.all, s.of, slot, s.run, true));
  EXPECT_TRUE(unresolved(s.all, s.of));
  auto& schedule = s.all.schedules[{"ns", "often"}];
  schedule.metadata.uid = "uid-newest";
  EXPECT_FALSE(order_of(s.all, s.of, slot, s.run, true));
  EXPECT_TRUE(sources_for(s.all, s.of).empty());
  schedule.metadata.uid = "uid-new";
  auto order = order_of(s.all, s.of, slot, s.run, true);
  ASSERT_TRUE(order);
  EXPECT_EQ(order->object.name, backup_name("often", slot, "/pvc/data"));
}

}  // namespace
}  // namespace kopiur::scheduler
