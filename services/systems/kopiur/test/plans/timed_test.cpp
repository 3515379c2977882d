#include "services/systems/kopiur/timed.hpp"

#include <gtest/gtest.h>

#include "proto/codec.hpp"
#include "services/scheduler/core/plan.hpp"
#include "services/systems/kopiur/rules/run_ids.hpp"
#include "services/systems/kopiur/rules/slot_names.hpp"

namespace kopiur::plans {

using controller::held_back;
using controller::last_fire;
using controller::outcome;
using controller::schedule_state;
using controller::slot_run;
using controller::timed_object;
using rules::backup_name;
namespace {

using namespace proto;
using namespace std::chrono_literals;

constexpr instant slot{100h};

/// BackupSchedule ns/often with one source; the run of `slot` is checked about an hour later.
struct stage {
  controller::objects all;
  timed_object timed{.key = "uid-new",
                     .object = {"BackupSchedule", "ns", "often", "uid-new"},
                     .rules = {},
                     .does = {},
                     .part = {},
                     .kind = &backup_schedule_slots};
  slot_run run{.source = "/pvc/data", .run = rules::slot_run("ns", "uid-new", slot, "/pvc/data")};

  void backup_of(std::string made_by, backup_phase phase) {
    auto& one = all.of<backup>()[{"ns", backup_name("often", slot, run.source)}];
    one.metadata.labels[std::string(label::run)] = std::move(made_by);
    one.spec.source_path = run.source;
    one.status.phase = phase;
  }
  void schedule_that_fired(instant last) {
    auto& one = all.of<backup_schedule>()[{"ns", "often"}];
    one.metadata = {.name = "often", .namespace_ = "ns", .uid = "uid-new"};
    one.status.last_schedule = last_schedule{.scheduled_at = last, .backup_ref = "often-first"};
  }
  bool over(run_state const* fact = nullptr, duration later = 1h) {
    return timed.kind->is_over(all, timed, {.slot = slot}, run, fact, slot + later);
  }
};

TEST(IsOver, IsSaidByTheFactBeforeTheBackup) {
  stage s;
  run_state fact{.stage = run_stage::Committed};
  s.backup_of(s.run.run, backup_phase::Succeeded);
  EXPECT_FALSE(s.over(&fact));
  fact.stage = run_stage::TerminalObserved;
  EXPECT_FALSE(s.over(&fact)) << "hooks may still let its application go: the next slot would freeze it before";
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

/// After a lost bus a replica that still remembers the schedule's fact must not recreate what the user deleted.
TEST(IsOver, ADeletedBackupOfASlotThatWasOrderedIsNotMadeAgain) {
  stage s;
  s.schedule_that_fired(slot - 1h);
  EXPECT_FALSE(s.over());
  s.schedule_that_fired(slot);
  EXPECT_TRUE(s.over());
}

/// If the clock goes back, a recreated schedule may reach a slot of its predecessor; its run must still be ordered (seed 10071).
TEST(IsOver, ABackupOfAFormerScheduleOfThatNameSaysNothing) {
  stage s;
  s.backup_of(rules::slot_run("ns", "uid-old", slot, s.run.source), backup_phase::Succeeded);
  EXPECT_FALSE(s.over());
}

/// The schedule names `slot`, and three Backups exist: one of the slot that runs, one of it that has ended, and one of the slot before.
struct lost_bus : stage {
  lost_bus() {
    schedule_that_fired(slot);
    add(slot, "/pvc/data", backup_phase::Running);
    add(slot, "/pvc/more", backup_phase::Succeeded);
    add(slot - 1h, "/pvc/data", backup_phase::Running);
  }
  void add(instant when, std::string const& source, backup_phase phase) {
    auto& one = all.of<backup>()[{"ns", backup_name("often", when, source)}];
    one.metadata.name = backup_name("often", when, source);
    one.metadata.annotations[std::string(annotation::schedule_uid)] = "uid-new";
    one.metadata.annotations[std::string(annotation::slot)] = to_text(when);
    one.metadata.namespace_ = "ns", one.metadata.labels[std::string(label::backup_schedule)] = "often";
    one.metadata.labels[std::string(label::run)] = rules::slot_run("ns", "uid-new", when, source);
    one.spec.source_path = source;
    one.status.phase = phase;
  }
};

TEST(LastFireOf, IsMadeAnewFromWhatOutlivesTheBus) {
  lost_bus s;
  auto last = s.timed.kind->last_fire_of(s.all, s.timed);
  ASSERT_TRUE(last);
  EXPECT_EQ(*last, (last_fire{.slot = slot, .scheduled_at = slot, .runs = {s.run}}));
  auto& said = s.all.of<backup_schedule>()[{"ns", "often"}].status.last_schedule;
  said->scheduled_at = slot + 1h;
  EXPECT_EQ(*s.timed.kind->last_fire_of(s.all, s.timed), (last_fire{.slot = slot + 1h, .scheduled_at = slot + 1h, .runs = {}}));
  said.reset();
  EXPECT_EQ(s.timed.kind->last_fire_of(s.all, s.timed)->slot, slot) << "the API was away, and the status had not been written";
  s.all.of<backup>().clear();
  EXPECT_FALSE(s.timed.kind->last_fire_of(s.all, s.timed));
}

/// A run that was ordered before ids contained the namespace keeps its id and is not ordered again.
TEST(LastFireOf, KeepsTheIdThatARunHadBefore) {
  lost_bus s;
  auto former = rules::former_slot_run("uid-new", slot, "/pvc/data");
  s.all.of<backup>()[{"ns", backup_name("often", slot, "/pvc/data")}].metadata.labels[std::string(label::run)] = former;
  EXPECT_EQ(s.timed.kind->last_fire_of(s.all, s.timed)->runs.at(0).run, former);
}

/// Security review, H1: otherwise the schedule reports Ready and not skipped, though no Backup was created.
TEST(Taken, IsARunOfAnotherObjectAndTold) {
  stage s;
  s.schedule_that_fired(slot);
  run_state fact{.run = s.run.run, .order = {.plan = "backup", .object = {"Backup", "ns", backup_name("often", slot, s.run.source), ""}}};
  EXPECT_FALSE(s.timed.kind->taken(s.timed, slot, s.run, fact));
  fact.order.object.namespace_ = "evil";
  auto theirs = s.timed.kind->taken(s.timed, slot, s.run, fact);
  ASSERT_TRUE(theirs);
  EXPECT_NE(theirs->find("Backup evil/often-"), theirs->npos) << *theirs;
  auto told = s.timed.kind->status(s.all, s.timed, {schedule_state{}, outcome{}, {}, {}, theirs});
  auto skipped = std::ranges::find(told.conditions, condition_type::backup_skipped, &condition_fragment::type);
  ASSERT_NE(skipped, told.conditions.end());
  EXPECT_EQ(skipped->reason, "RunTaken");
  s.timed.key = "m-full", s.timed.object = {"Maintenance", "ns", "main", "m"}, s.timed.part = "full", s.timed.kind = &maintenance_slots;
  fact.order.object = s.timed.object;
  EXPECT_FALSE(s.timed.kind->taken(s.timed, slot, s.run, fact));
}

/// Otherwise its run would be ordered again and recreate what is being deleted.
TEST(LastFireOf, LeavesOutABackupThatIsBeingDeleted) {
  lost_bus s;
  s.all.of<backup>()[{"ns", backup_name("often", slot, "/pvc/data")}].metadata.deletion_timestamp = slot;
  EXPECT_TRUE(s.timed.kind->last_fire_of(s.all, s.timed)->runs.empty());
}

/// After a lost bus all replicas must report the same last slot (seed 20574).
TEST(StatusOf, NamesTheSameBackupOfItsLastSlotAfterALostBus) {
  lost_bus s;
  auto state = scheduler::begin("uid-new", instant{}, s.timed.kind->last_fire_of(s.all, s.timed));
  auto said = [&] {
    return json::write(*s.timed.kind->status(s.all, s.timed, {state, outcome{}, {}, {}, {}}).status.find("lastSchedule"));
  };
  EXPECT_EQ(said(), json::write(json::encode(last_schedule{.scheduled_at = slot, .backup_ref = "often-first"})));
  state.last->slot = state.last->scheduled_at = slot + 1h;
  EXPECT_EQ(
      said(),
      json::write(json::encode(last_schedule{.scheduled_at = slot + 1h, .backup_ref = backup_name("often", slot + 1h, "/pvc/data")})));
}

/// A schedule must not count a deleted failed Backup until the next resync, up to five minutes later (seed 78).
TEST(SchedulesWith, AreToldOfABackupThatIsGone) {
  stage s;
  auto put = [&](std::string name, std::string uid) { s.all.of<backup_schedule>()[{"ns", name}].metadata.uid = std::move(uid); };
  put("often", "uid-new"), put("oft", "uid-oft"), put("rarely", "uid-rarely");
  object_ref backup{"Backup", "ns", backup_name("often", slot, s.run.source), ""};
  using uids = std::vector<std::string>;
  EXPECT_EQ(schedules_with(s.all, backup), uids{"uid-new"});
  s.backup_of(s.run.run, backup_phase::Failed);
  EXPECT_EQ(schedules_with(s.all, backup), uids{}) << "made by nobody's schedule";
  auto& meta = s.all.of<proto::backup>().begin()->second.metadata;
  meta.namespace_ = "ns", meta.name = backup.name, meta.labels[std::string(label::backup_schedule)] = "often";
  meta.annotations[std::string(annotation::schedule_uid)] = "uid-old";
  meta.annotations[std::string(annotation::slot)] = to_text(slot);
  EXPECT_EQ(schedules_with(s.all, backup), uids{}) << "its run is not that of the slot";
  meta.labels[std::string(label::run)] = rules::slot_run("ns", "uid-old", slot, s.run.source);
  EXPECT_EQ(schedules_with(s.all, backup), uids{"uid-old"}) << "it says whose it is";
  backup.namespace_ = "elsewhere";
  EXPECT_EQ(schedules_with(s.all, backup), uids{});
}

/// A slot with several Backups orders one after the other; a user may delete the schedule between them (simulation).
TEST(OrderOf, AScheduleThatIsGoneOrIsAnotherOneOrdersNothing) {
  stage s;
  EXPECT_FALSE(s.timed.kind->order(s.all, s.timed, slot, s.run, true));
  EXPECT_TRUE(s.timed.kind->unresolved(s.all, s.timed));
  auto& schedule = s.all.of<backup_schedule>()[{"ns", "often"}];
  schedule.metadata.uid = "uid-newest";
  EXPECT_FALSE(s.timed.kind->order(s.all, s.timed, slot, s.run, true));
  EXPECT_TRUE(s.timed.kind->runs(s.all, s.timed, slot).empty());
  schedule.metadata.uid = "uid-new";
  auto order = s.timed.kind->order(s.all, s.timed, slot, s.run, true);
  ASSERT_TRUE(order);
  EXPECT_EQ(order->object.name, backup_name("often", slot, "/pvc/data"));
}

/// A repository is listed once it is connected, and at each later tick of its interval.
TEST(ListsOf, AreOrderedOfWhatWasConnectedAndCanBeUsed) {
  controller::objects all;
  auto& nas = all.of<repository>()[{"ns", "nas"}];
  nas.metadata = {.name = "nas", .namespace_ = "ns", .uid = "uid-nas"};
  nas.status.unique_ID = "unique", nas.spec.catalog.refresh_interval = 1h;
  run_state first{.run = "first", .ordered_at = slot}, second{.run = "second", .ordered_at = slot + 1min};
  first.outcome = run_outcome::Succeeded, second.outcome = run_outcome::Failed;
  first.changed_at = slot;
  auto due = [&](duration later) {
    return lists_of(*rules::find_repository(all, {.name = "nas"}, "ns"), {&second, &first}, slot + later).due;
  };
  ASSERT_EQ(due(0h).size(), 1u);
  auto by_first = due(0h)[0].id;
  ASSERT_EQ(due(1h).size(), 2u);
  EXPECT_EQ(due(1h)[0].id, by_first) << "a connection that failed orders nothing";
  EXPECT_NE(due(1h)[1].id, due(2h)[1].id);
  second.outcome = run_outcome::Succeeded;
  EXPECT_NE(due(1h)[0].id, by_first);
  nas.spec.suspend = true;
  EXPECT_TRUE(due(1h).empty());
  nas.spec.suspend = false, nas.metadata.annotations[std::string(annotation::suspended)] = "x";
  EXPECT_TRUE(due(1h).empty());
  nas.metadata.annotations.clear(), nas.metadata.deletion_timestamp = slot;
  EXPECT_TRUE(due(1h).empty());
  nas.metadata.deletion_timestamp = {}, nas.status.unique_ID = {};
  EXPECT_TRUE(due(1h).empty()) << "nobody has opened it yet";
}

/// A schedule whose config has two claims.
struct history : lost_bus {
  history() { all.of<backup>().clear(); }
  void put(int hours, std::string const& source, backup_phase phase, duration takes = 5min) {
    auto when = slot + hours * 1h;
    add(when, source, phase);
    all.of<backup>().at({"ns", backup_name("often", when, source)}).status.timing = run_timing{.end_time = when + takes};
  }
  backup_schedule_status said() {
    return json::decode<backup_schedule_status>(timed.kind->status(all, timed, {schedule_state{}, outcome{}, {}, {}, {}}).status).value();
  }
};

/// conformance.md S3 and S4.
TEST(History, CountsSlotsAndSaysWhenTheLastSuccessEnded) {
  history s;
  s.put(0, "/pvc/data", backup_phase::Succeeded), s.put(0, "/pvc/more", backup_phase::Succeeded, 20min);
  s.put(1, "/pvc/data", backup_phase::Failed), s.put(1, "/pvc/more", backup_phase::Failed);
  s.put(2, "/pvc/data", backup_phase::Succeeded), s.put(2, "/pvc/more", backup_phase::Failed);
  s.put(3, "/pvc/data", backup_phase::Succeeded), s.put(3, "/pvc/more", backup_phase::Running);
  auto said = s.said();
  EXPECT_EQ(said.consecutive_failures, 2);
  ASSERT_TRUE(said.last_successful_schedule);
  EXPECT_EQ(said.last_successful_schedule->at, slot + 20min);
  EXPECT_EQ(said.last_successful_schedule->backup_ref, backup_name("often", slot, "/pvc/more"));
}

TEST(History, ASlotOfWhichABackupIsHeldIsNeither) {
  history s;
  s.put(0, "/pvc/data", backup_phase::Succeeded);
  s.put(1, "/pvc/data", backup_phase::Succeeded), s.put(1, "/pvc/more", backup_phase::Held);
  EXPECT_EQ(s.said().consecutive_failures, 0);
  EXPECT_EQ(s.said().last_successful_schedule->at, slot + 5min);
}

condition_fragment ready_of(stage const& s, std::optional<std::string> const& problem = {}) {
  auto told = s.timed.kind->status(s.all, s.timed, {schedule_state{}, outcome{}, {}, problem, {}});
  return *std::ranges::find(told.conditions, condition_type::ready, &condition_fragment::type);
}

/// conformance.md S5: GitOps waits for Ready.
TEST(StatusOf, ASuspendedScheduleIsReadyAndOneWithoutItsManifestIsNot) {
  stage s;
  s.schedule_that_fired(slot);
  EXPECT_EQ(ready_of(s).status + ready_of(s).reason, "TrueScheduled");
  s.timed.rules.suspend = true;
  EXPECT_EQ(ready_of(s).status + ready_of(s).reason, "TrueSuspended");
  EXPECT_EQ(ready_of(s, "No claim matches.").reason, "Suspended");
  s.all.of<backup_schedule>()[{"ns", "often"}].metadata.annotations[std::string(annotation::manifest_missing)] = "true";
  EXPECT_EQ(ready_of(s).status + ready_of(s).reason, "FalseManifestMissing");
}

/// conformance.md S2.
TEST(HoldOf, IsARecipeOrRepositoryThatCannotBeUsed) {
  stage s;
  s.schedule_that_fired(slot);
  s.all.of<backup_schedule>()[{"ns", "often"}].spec.config_ref.name = "data";
  EXPECT_FALSE(s.timed.kind->hold(s.all, s.timed)) << "without a recipe it cannot be resolved, which is said elsewhere";
  auto& config = s.all.of<backup_config>()[{"ns", "data"}];
  config.metadata = {.name = "data", .namespace_ = "ns"}, config.spec.repository.name = "nas";
  auto held = [&] {
    auto why = s.timed.kind->hold(s.all, s.timed);
    return why ? why->reason : std::string();
  };
  EXPECT_EQ(held(), "RepositoryMissing");
  auto& nas = s.all.of<repository>()[{"ns", "nas"}];
  nas.metadata = {.name = "nas", .namespace_ = "ns", .uid = "uid-nas"};
  EXPECT_EQ(held(), "RepositoryNotReady");
  nas.status.unique_ID = "unique", nas.status.phase = repository_phase::Ready;
  EXPECT_EQ(held(), "");
  EXPECT_EQ(schedules_at(s.all, {"Repository", "ns", "nas", ""}), std::vector<std::string>{"uid-new"});
  EXPECT_EQ(schedules_at(s.all, {"Repository", "else", "nas", ""}), std::vector<std::string>{});
  nas.spec.suspend = true;
  EXPECT_EQ(held(), "RepositorySuspended");
  config.spec.suspend = true;
  EXPECT_EQ(held(), "ConfigSuspended");
}

TEST(StatusOf, SaysWhySlotsMakeNoBackups) {
  stage s;
  s.schedule_that_fired(slot);
  outcome last{.held_back = held_back{slot, {"RepositorySuspended", "Repository nas is suspended; set spec.suspend to false."}}};
  auto told = s.timed.kind->status(s.all, s.timed, {schedule_state{}, last, {}, {}, {}});
  auto skipped = std::ranges::find(told.conditions, condition_type::backup_skipped, &condition_fragment::type);
  EXPECT_EQ(skipped->reason, "RepositorySuspended");
  EXPECT_EQ(skipped->message, "The slot " + to_text(slot) +
                                  " made no Backup: Repository nas is suspended; set spec.suspend to false. After that, the newest "
                                  "missed slot runs.");
  auto ready = std::ranges::find(told.conditions, condition_type::ready, &condition_fragment::type);
  EXPECT_EQ(ready->reason, "HeldBack") << "it waits for more than its next slot";
  EXPECT_EQ(ready->status, "True");
}

TEST(TimedOf, AreSuspendedByTheManifestAndByHand) {
  controller::objects all;
  auto& often = all.of<backup_schedule>()[{"ns", "often"}];
  auto& keeper = all.of<maintenance>()[{"ns", "keep"}];
  often.metadata = {.name = "often", .namespace_ = "ns"}, keeper.metadata = {.name = "keep", .namespace_ = "ns"};
  auto count = [&] {
    int suspended = 0;
    for (auto& object : objects_with_clock(all))
      for (auto& each : timed_of(all, object)) suspended += each.rules.suspend;
    return suspended;
  };
  EXPECT_EQ(count(), 0);
  often.spec.schedule.suspend = true, keeper.spec.suspend = true;
  EXPECT_EQ(count(), 3) << "a Maintenance is timed twice";
  often.spec.schedule.suspend = false, keeper.spec.suspend = false;
  for (auto* meta : {&often.metadata, &keeper.metadata}) meta->annotations[std::string(annotation::suspended)] = "x";
  EXPECT_EQ(count(), 3);
}

}  // namespace
}  // namespace kopiur::plans
