#include <algorithm>

#include "services/systems/kopiur/plans/plans.hpp"
#include "services/systems/kopiur/test/plans/scene.hpp"

namespace kopiur::plans {
namespace {

using namespace proto;

/// Two claims of one config, and a Backup of a slot for each.
class Captures : public ::testing::Test {
 protected:
  Captures() {
    it.can.pods = true, it.objects.listed = true;
    recipe(R"("copyMethod":"Snapshot","groupBy":"VolumeGroupSnapshot")");
    it.put_claim("data"), it.put_claim("wal");
    put_backup("b-data", "data", ""), put_backup("b-wal", "wal", "");
  }
  void recipe(std::string const& snapshots) {
    it.put("BackupConfig", "db", "",
           R"("spec":{"repository":{"name":"nas"},"sources":[{"pvc":{"name":"wal"}},{"pvc":{"name":"data"}}],)" + snapshots + "}");
  }
  void put_backup(std::string const& name, std::string const& claim, std::string const& status, std::string const& group = "night-1") {
    it.put("Backup", name, R"("labels":{"kopiur.home-operations.com/group":")" + group + "\"}",
           R"("spec":{"configRef":{"name":"db"},"sourcePath":"/pvc/)" + claim + R"("},"status":{)" + status + "}");
  }
  std::optional<capture> read_by(std::string const& backup) {
    auto* object = controller::find(it.objects.of<proto::backup>(), "prod", backup);
    if (auto occasion = occasion_of(it.look(), *object, *controller::find(it.objects.of<backup_config>(), "prod", "db")))
      it.runs.try_emplace(occasion->id, run_state{.run = occasion->id, .order = occasion->order});
    auto what = it.prepare_it("backup", "Backup", backup);
    EXPECT_EQ(said(what), "ready");
    if (said(what) != "ready") return {};
    auto& volumes = *std::get<ready>(what).plan.volumes;
    auto source = std::ranges::find(volumes, "source", &volume_use::name);
    return source == volumes.end() || !source->copy ? std::nullopt : source->copy->together;
  }
  std::string why_refused() {
    auto what = it.prepare_it("backup", "Backup", "b-data");
    auto* no = std::get_if<refused>(&what);
    return no ? no->failure.message : said(what);
  }
  void label(std::string const& claim, std::string const& capture) {
    it.put_claim(claim, R"("labels":{"kopiur.home-operations.com/)" + capture + R"(":"night-1"})");
  }
  std::string condition() {
    for (auto& claim : it.reconcile_it("BackupConfig", "db").statuses)
      for (auto& one : claim.fragment.conditions)
        if (one.type == condition_type::group_snapshot_supported) return one.reason;
    return "";
  }
  scene it;
};

TEST_F(Captures, AreOneForAllBackupsOfASlot) {
  auto first = read_by("b-data"), second = read_by("b-wal");
  ASSERT_TRUE(first && second);
  EXPECT_EQ(first->claims, (std::vector<std::string>{"data", "wal"}));
  EXPECT_EQ(first->group, "night-1");
  EXPECT_EQ(first->name, second->name);
  put_backup("b-data", "data", "", "night-2");
  EXPECT_NE(read_by("b-data")->name, first->name) << "the next slot's is another";
}

TEST_F(Captures, AreTakenOnlyWhereSeveralAreSavedTogether) {
  it.put("Backup", "b-data", "", R"("spec":{"configRef":{"name":"db"},"sourcePath":"/pvc/data"})");
  EXPECT_FALSE(read_by("b-data")) << "one by hand, of one source";
  put_backup("b-data", "data", "");
  recipe(R"("copyMethod":"Snapshot")");
  EXPECT_FALSE(read_by("b-data")) << "nobody asked for it";
  it.can.group = group_by::VolumeGroupSnapshot;
  EXPECT_TRUE(read_by("b-data")) << "it is usual here";
  recipe(R"("copyMethod":"Clone")");
  EXPECT_FALSE(read_by("b-data")) << "what is usual is so for snapshots";
  recipe(R"("copyMethod":"Snapshot","groupBy":"None")");
  EXPECT_FALSE(read_by("b-data"));
}

TEST_F(Captures, NeverFallBackSilently) {
  recipe(R"("copyMethod":"Direct","groupBy":"VolumeGroupSnapshot")");
  EXPECT_NE(why_refused().find("copyMethod is Direct"), std::string::npos) << why_refused();
  it.can.pods = false;
  EXPECT_NE(why_refused().find("needs a CSI driver"), std::string::npos) << why_refused();
}

TEST_F(Captures, GoWhenNoBackupOfTheirsMayReadThem) {
  label("data", "capture-1"), label("wal", "capture-1");
  auto asks = [&](std::string const& kind, std::string const& name) { return asked(it.reconcile_it(kind, name)); };
  std::vector<std::string> const gone{"delete-capture"};
  EXPECT_EQ(asks("BackupConfig", "db"), nothing);
  put_backup("b-data", "data", R"("phase":"Succeeded")");
  EXPECT_EQ(asks("BackupConfig", "db"), nothing) << "the other one waits still";
  put_backup("b-wal", "wal", R"("phase":"Running")");
  EXPECT_EQ(asks("BackupConfig", "db"), nothing);
  put_backup("b-wal", "wal", R"("phase":"Failed")");
  auto needs = it.reconcile_it("BackupConfig", "db");
  ASSERT_EQ(asked(needs), gone);
  auto& command = std::get<delete_capture>(std::get<gateway_command>(needs.asks.at(0).what));
  EXPECT_EQ(command.name, "capture-1");
  EXPECT_EQ(command.claims, (std::vector<std::string>{"data", "wal"}));
  it.take_away("BackupConfig", "db");
  EXPECT_EQ(asks("PersistentVolumeClaim", "wal"), gone) << "also where its config is gone";
  auto swept = [&](std::string const& claim) {
    return std::ranges::count(resync(it.objects), object_ref{"PersistentVolumeClaim", "prod", claim, "uid-" + claim},
                              &controller::resync_item::object);
  };
  EXPECT_EQ(swept("wal"), 1) << "though nothing of it changes any more";
  it.put_claim("wal");
  EXPECT_EQ(swept("wal"), 0);
}

TEST_F(Captures, StayWhileADeletedBackupsRunEnds) {
  label("data", "capture-1");
  put_backup("b-data", "data", R"("phase":"Succeeded")");
  put_backup("b-wal", "wal", R"("phase":"Deleting")");
  auto id = backup_run_id(it.look(), *controller::find(it.objects.of<proto::backup>(), "prod", "b-wal"));
  it.runs[id] = {.run = id, .order = {.plan = "backup", .object = {"Backup", "prod", "b-wal", "uid-b-wal"}}};
  it.runs[id].stage = run_stage::Created;
  EXPECT_TRUE(reconcile_captures(it.look(), "prod").asks.empty());
  it.runs[id].stage = run_stage::FollowThroughComplete;
  EXPECT_EQ(reconcile_captures(it.look(), "prod").asks.size(), 1U);
}

/// A late Backup is of the same instant, or fails and says so.
TEST_F(Captures, WaitForThoseThatAreNotThereYet) {
  label("data", "capture-1"), label("wal", "capture-1");
  it.take_away("Backup", "b-wal");
  put_backup("b-data", "data", R"("phase":"Succeeded","timing":{"endTime":")" + to_text(it.now) + "\"}");
  auto needs = reconcile_captures(it.look(), "prod");
  EXPECT_TRUE(needs.asks.empty());
  ASSERT_TRUE(needs.wake);
  it.now = *needs.wake;
  EXPECT_EQ(reconcile_captures(it.look(), "prod").asks.size(), 1U) << "but not forever";
  put_backup("b-wal", "wal", "");
  EXPECT_EQ(reconcile_captures(it.look(), "prod").asks.size(), 0U);
  it.put_claim("data"), it.put_claim("wal");
  auto late = it.prepare_it("backup", "Backup", "b-wal");
  ASSERT_EQ(said(late), "refused MissedOccasion");
  EXPECT_NE(std::get<refused>(late).failure.message.find("another moment"), std::string::npos);
}

TEST_F(Captures, StayWhileTheClusterIsNotKnownWhole) {
  label("data", "capture-1");
  it.take_away("Backup", "b-data"), it.take_away("Backup", "b-wal");
  it.objects.listed = false;
  EXPECT_TRUE(it.reconcile_it("PersistentVolumeClaim", "data").asks.empty());
  it.objects.listed = true;
  EXPECT_EQ(it.reconcile_it("PersistentVolumeClaim", "data").asks.size(), 1U);
}

TEST_F(Captures, AreLookedAtWhenABackupIsGone) {
  label("wal", "capture-1");
  it.objects.of<backup_config>().clear();  // the config would be affected too
  it.take_away("Backup", "b-data");
  auto left = affected_by(it.objects, {"Backup", "prod", "b-data", ""}).soon;
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(left[0].kind + "/" + left[0].name, "PersistentVolumeClaim/wal");
}

/// A Backup of several sources reports at once that one of them was deleted, not at the next resync (simulation, seed 20358).
TEST_F(Captures, AndWhomItWasMadeForIsTold) {
  it.objects.of<backup_config>().clear();  // the config would be affected too
  it.put("Backup", "hand", "", R"("spec":{"configRef":{"name":"db"}})");
  it.put("Backup", "hand-172d65", "", R"("spec":{"configRef":{"name":"db"},"sourcePath":"/pvc/data"})");
  auto left = affected_by(it.objects, {"Backup", "prod", "hand-82117b", ""}).soon;
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(left[0].name, "hand");
  it.take_away("Backup", "hand");
  EXPECT_TRUE(affected_by(it.objects, {"Backup", "prod", "hand", ""}).soon.empty());
  std::string const name(60, 'a');
  it.put("Backup", name, "", R"("spec":{"configRef":{"name":"db"}})");
  EXPECT_EQ(affected_by(it.objects, {"Backup", "prod", name.substr(0, 54) + "-172d65aa", ""}).soon.size(), 1U)
      << "of a long name the beginning";
}

TEST_F(Captures, AreToldAsSupportedByWhatCameOfThem) {
  EXPECT_EQ(condition(), "Untried");
  auto together = R"(,"resolved":{"groupBy":"VolumeGroupSnapshot"})";
  put_backup("b-data", "data", std::string(R"("phase":"Failed","failure":{"class":"InvalidWork","message":"no such kind"})") + together);
  EXPECT_EQ(condition(), "Failed");
  put_backup("b-wal", "wal", std::string(R"("phase":"Succeeded")") + together);
  EXPECT_EQ(condition(), "Supported");
  recipe(R"("copyMethod":"Snapshot")");
  EXPECT_EQ(condition(), "None");
}

}  // namespace
}  // namespace kopiur::plans
