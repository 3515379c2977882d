#include "services/mover-orchestration/core/concerned.hpp"

#include <algorithm>

#include "services/systems/kopiur/test/plans/scene.hpp"

/// What a change concerns, with Kopiur's kinds and plans.
namespace kopiur::plans {
namespace {

using namespace proto;
using mover_orchestration::concerned_by_lists;
using mover_orchestration::concerned_by_object;
using mover_orchestration::concerned_by_run;
using mover_orchestration::open_runs;
using mover_orchestration::run_key;
using mover_orchestration::work_key;

/// A scene whose runs are found as the run index finds them.
struct busy_scene : scene {
  run_state& order(std::string id, std::string plan, object_ref object) {
    auto& run = runs[id];
    run = {.run = id, .cluster = "local", .order = {.plan = std::move(plan), .object = std::move(object)}};
    if (run.stage == run_stage::Due) due[id] = &run;
    return run;
  }
  void advance(run_state& run, run_stage stage) {
    run.stage = stage;
    due.erase(run.run);
  }
  open_runs open() const {
    auto of_object = [this](object_ref const& object) {
      std::vector<run_state const*> found;
      for (auto& [_, one] : runs)
        if (one.order.object.kind == object.kind && one.order.object.name == object.name && !is_terminal(one.stage)) found.push_back(&one);
      return found;
    };
    return {of_object, due};
  }
  std::vector<std::string> changed(std::string kind, std::string name) const {
    return text(concerned_by_object(look(), open(), {std::move(kind), "prod", std::move(name), ""}).now);
  }
  static std::vector<std::string> text(std::vector<work_key> const& keys) {
    std::vector<std::string> found;
    for (auto& each : keys)
      if (auto* object = std::get_if<object_key>(&each))
        found.push_back(object->kind + " " + object->name);
      else
        found.push_back("run " + std::get<run_key>(each).run);
    std::ranges::sort(found);
    auto twice = std::ranges::unique(found);
    found.erase(twice.begin(), twice.end());
    return found;
  }

  std::map<std::string, run_state const*> due;
};

using keys = std::vector<std::string>;

TEST(Concerned, ByAnObjectAreItItsRunsAndTheRunsThatMayWaitForIt) {
  busy_scene it;
  it.order("own", "backup", {"Backup", "prod", "b-1", "u"});
  it.order("waits", "restore", {"Restore", "prod", "r-1", "v"});
  it.advance(it.order("moves", "backup", {"Backup", "prod", "b-2", "w"}), run_stage::Created);
  EXPECT_EQ(it.changed("Backup", "b-1"), (keys{"Backup b-1", "run own", "run waits"}));
  EXPECT_EQ(it.changed("Backup", "b-2"), (keys{"Backup b-2", "run moves", "run waits"}));
  EXPECT_EQ(it.changed("Maintenance", "m"), (keys{"Maintenance m", "run own", "run waits"}));
}

TEST(Concerned, ByTheStateOfAForeignKindAreTheRunsThatMayWaitForIt) {
  busy_scene it;
  it.put_config("photos");
  it.order("waits", "backup", {"Backup", "prod", "b-1", "u"});
  EXPECT_EQ(it.changed("VolumeSnapshotClass", "-"), (keys{"VolumeSnapshotClass -", "run waits"}));
}

TEST(Concerned, ByASecretAreTheRepositoriesAndConfigsThatUseIt) {
  busy_scene it;
  it.put_config("photos");
  EXPECT_EQ(it.changed("Secret", "password"), (keys{"BackupConfig photos", "Repository nas", "Secret password"}));
}

TEST(Concerned, ByAJobIsTheRunOfItsAttempt) {
  busy_scene it;
  EXPECT_EQ(it.changed("Job", "backup-1-2"), keys{"run backup-1"});
}

TEST(Concerned, ByTheListedClusterIsEveryObject) {
  busy_scene it;
  it.put_config("photos");
  EXPECT_EQ(it.changed("-", "-"), (keys{"BackupConfig photos", "Repository nas"}));
}

TEST(Concerned, ByARunAreTheObjectsThatItServesOnceItIsPlannedOrOver) {
  busy_scene it;
  auto& run = it.order("one", "backup", {"Backup", "prod", "b-1", "u"});
  auto told = [&] { return busy_scene::text(concerned_by_run(it.look(), "one")); };
  EXPECT_EQ(told(), keys{"run one"});
  it.advance(run, run_stage::FollowThroughComplete);
  EXPECT_EQ(told(), (keys{"Backup b-1", "run one"})) << "it ended without a plan";
  run.plan = run_plan{.serves = {{"Backup", "prod", "b-1", "u"}, {"BackupConfig", "prod", "photos", "c"}}};
  EXPECT_EQ(told(), (keys{"Backup b-1", "BackupConfig photos", "run one"}));
  it.advance(run, run_stage::Created);
  EXPECT_EQ(told(), keys{"run one"});
}

TEST(Concerned, ByListsAreTheDueRunsThatAwaitOne) {
  busy_scene it;
  it.order("backs up", "backup", {"Backup", "prod", "b-1", "u"});
  it.order("restores", "restore", {"Restore", "prod", "r-1", "v"});
  EXPECT_EQ(busy_scene::text(concerned_by_lists(it.open())), keys{"run restores"});
}

}  // namespace
}  // namespace kopiur::plans
