#include "services/systems/kopiur/plans/plans.hpp"
#include "services/systems/kopiur/test/plans/scene.hpp"

namespace kopiur::plans {
namespace {

using namespace proto;

constexpr char const* accepting = R"("annotations":{"kopiur.home-operations.com/accept-shrink":"s2"})";

/// A Backup of config `photos` whose mover found that its snapshot s2 shrank; s1 is its predecessor.
class Held : public ::testing::Test {
 protected:
  Held() {
    it.put_config("photos", R"("policy":{"shrinkHold":60})");
    it.put_claim("data");
    it.put_saved("good", "s1", "/pvc/data");
  }
  void put_backup(std::string_view phase, std::string const& metadata = "", std::string const& conditions = "[]") {
    it.put(
        "Backup", "b", metadata,
        R"("spec":{"configRef":{"name":"photos"},"sourcePath":"/pvc/data"},"status":{"phase":")" + std::string(phase) +
            R"(","snapshot":{"kopiaSnapshotID":"s2","identity":{"username":"photos","hostname":"prod","sourcePath":"/pvc/data"}},)"
            R"("resolved":{"repository":{"kind":"Repository","name":"nas","namespace":"prod","uniqueID":"id-nas"}},)"
            R"("timing":{"endTime":"2026-03-01T00:00:00Z"},)"
            R"("shrunk":{"snapshot":"s2","predecessor":"s1","files":0,"sizeBytes":0,"filesBefore":40,"sizeBytesBefore":4000},"conditions":)" +
            conditions + "}");
  }
  run_state ended() {
    run_state run{.run = backup_run_id(it.look(), *controller::find(it.objects.of<backup>(), "prod", "b")),
                  .order = {.plan = "backup", .object = {"Backup", "prod", "b", "uid-b"}},
                  .stage = run_stage::FollowThroughComplete,
                  .outcome = run_outcome::Succeeded};
    run.result = kopia_result{.snapshot = snapshot_row{.id = "s2"},
                              .shrunk = shrinkage{.snapshot = "s2", .predecessor = "s1", .files_before = 40, .size_bytes_before = 4000}};
    return run;
  }
  status_fragment reported() {
    auto run = ended();
    it.runs[run.run] = run;
    return find_plan("backup")->report(it.look(), run).at(0).fragment;
  }
  static std::string reason(status_fragment const& said, std::string_view type) {
    for (auto& each : said.conditions)
      if (each.type == type) return each.reason;
    return "";
  }
  snapshot_work planned() {
    it.put("Backup", "next", "", R"("spec":{"configRef":{"name":"photos"},"sourcePath":"/pvc/data"})");
    return std::get<snapshot_work>(kopia_of(std::get<ready>(it.prepare_it("backup", "Backup", "next")).plan).task);
  }
  scene it;
};

TEST_F(Held, IsToldWithTheFiguresAndTheWayOut) {
  put_backup("Running");
  auto said = reported();
  EXPECT_EQ(said.status.text("phase"), "Held");
  EXPECT_EQ(said.status.text("snapshot.kopiaSnapshotID"), "s2");
  EXPECT_EQ(said.status.text("shrunk.predecessor"), "s1");
  EXPECT_EQ(said.conditions.at(0).reason, "Shrunk");
  EXPECT_EQ(said.conditions.at(0).message,
            "Snapshot s2 holds 0 files, 0 bytes, and the one before it, s1, 40 files, 4000 bytes: less than the set % "
            "(policy.shrinkHold), so it is held. Is the volume mounted, and not excluded as a whole? If that much less is right: kopiur "
            "accept b, or annotate this Backup with kopiur.home-operations.com/accept-shrink=s2.");
  EXPECT_EQ(reason(said, "EmptySource"), "Empty");
}

TEST_F(Held, SucceedsOnceThatVerySnapshotIsAccepted) {
  put_backup("Held", R"("annotations":{"kopiur.home-operations.com/accept-shrink":"true"})");
  EXPECT_EQ(reported().status.text("phase"), "Held") << "a manifest that was copied accepts nothing";
  put_backup("Held", accepting);
  auto said = reported();
  EXPECT_EQ(said.status.text("phase"), "Succeeded");
  EXPECT_EQ(reason(said, "ShrinkAccepted"), "Accepted");
  put_backup("Succeeded");
  EXPECT_EQ(reported().status.text("phase"), "Succeeded") << "for good, though the annotation is taken off";
}

TEST_F(Held, SucceedsThoughTheBusHasForgottenItsRun) {
  put_backup("Held", accepting);
  auto needs = it.reconcile_it("Backup", "b");
  ASSERT_EQ(needs.statuses.size(), 1U);
  EXPECT_EQ(needs.statuses[0].fragment.status.text("phase"), "Succeeded");
  EXPECT_EQ(reason(needs.statuses[0].fragment, "ShrinkAccepted"), "Accepted");
  EXPECT_TRUE(needs.orders.empty());
}

TEST_F(Held, IsToldByOneWarning) {
  put_backup("Held");
  it.now = *instant_from("2026-03-01T00:01:00Z");
  EXPECT_EQ(asked(it.reconcile_it("Backup", "b")), std::vector<std::string>{"record-event"});
  it.answers["record-event uid-b-Shrunk"] = {};
  EXPECT_EQ(asked(it.reconcile_it("Backup", "b")), nothing);
  it.answers.clear();
  it.now += std::chrono::hours(1);
  EXPECT_EQ(asked(it.reconcile_it("Backup", "b")), nothing) << "answers are forgotten, Events are not made again";
}

TEST(LeftOut, NamesAreToldInAConditionAndByOneWarning) {
  scene it;
  it.put_config("photos");
  it.put("Backup", "b", "", R"("spec":{"configRef":{"name":"photos"}},"status":{"phase":"Running"})");
  run_state run{.run = backup_run_id(it.look(), *controller::find(it.objects.of<backup>(), "prod", "b")),
                .order = {.plan = "backup", .object = {"Backup", "prod", "b", "uid-b"}},
                .stage = run_stage::FollowThroughComplete,
                .outcome = run_outcome::Succeeded};
  run.result = kopia_result{.snapshot = snapshot_row{.id = "s", .files = 3},
                            .left_out = left_out{.placeholders = 2, .rules = 1, .examples = {"a.kopia-entry", "x/.kopiaignore"}}};
  it.runs[run.run] = run;
  auto said = find_plan("backup")->report(it.look(), run).at(0).fragment;
  EXPECT_EQ(said.status.text("phase"), "Succeeded");
  EXPECT_EQ(said.conditions.back().type, "NamesLeftOut");
  EXPECT_EQ(said.conditions.back().message,
            "Left out, for kopia cannot keep them: 2 named as kopia's own placeholders (*.kopia-entry). 1 .kopiaignore cannot be read, so "
            "none was applied, and more was saved than intended. Among them: a.kopia-entry, x/.kopiaignore.");
  it.put("Backup", "b", "", R"("spec":{"configRef":{"name":"photos"}},"status":)" + json::dump(said.status));
  EXPECT_EQ(asked(it.reconcile_it("Backup", "b")), nothing) << "nobody knows when that was";
  auto ended = json::parse(R"({"phase":"Succeeded","timing":{"endTime":"2026-03-01T00:00:00Z"},"leftOut":{"placeholders":2}})");
  it.put("Backup", "b", "", R"("spec":{"configRef":{"name":"photos"}},"status":)" + json::dump(*ended));
  it.now = *instant_from("2026-03-01T00:01:00Z");
  EXPECT_EQ(asked(it.reconcile_it("Backup", "b")), std::vector<std::string>{"record-event"});
}

TEST(LeftOut, OurOwnIsToldWithoutAWarning) {
  scene it;
  it.put_config("photos");
  auto ended = json::parse(R"({"phase":"Succeeded","timing":{"endTime":"2026-03-01T00:00:00Z"},"leftOut":{"own":1,"examples":["repo"]}})");
  it.put("Backup", "b", "", R"("spec":{"configRef":{"name":"photos"}},"status":)" + json::dump(*ended));
  it.now = *instant_from("2026-03-01T00:01:00Z");
  EXPECT_EQ(asked(it.reconcile_it("Backup", "b")), nothing);
  run_state run{.run = backup_run_id(it.look(), *controller::find(it.objects.of<backup>(), "prod", "b")),
                .order = {.plan = "backup", .object = {"Backup", "prod", "b", "uid-b"}},
                .stage = run_stage::FollowThroughComplete,
                .outcome = run_outcome::Succeeded};
  run.result = kopia_result{.snapshot = snapshot_row{.id = "s", .files = 3}, .left_out = left_out{.own = 1, .examples = {"repo"}}};
  auto told = find_plan("backup")->report(it.look(), run).at(0).fragment.conditions.back();
  EXPECT_EQ(told.reason, "OwnFiles");
  EXPECT_EQ(told.message,
            "Left out, for it is kopiur's own: 1 (the repository itself, or what kopiur keeps in its data folder). Among them: repo.");
}

TEST_F(Held, IsNoPredecessorAndNoNewest) {
  put_backup("Held");
  EXPECT_EQ(planned().watch.percent, 60);
  EXPECT_EQ(planned().watch.last_good, "s1");
  EXPECT_EQ(planned().watch.held, std::vector<std::string>{"s2"});
  put_backup("Succeeded", accepting);
  EXPECT_EQ(planned().watch.last_good, "s2");
  EXPECT_TRUE(planned().watch.held.empty());
}

/// A restore of the newest snapshot skips it; a Restore that names it succeeds.
TEST_F(Held, IsRestoredByThoseOnlyWhoNameIt) {
  put_backup("Held");
  identity who{"photos", "prod", "/pvc/data"};
  std::vector<listed_snapshot> both{{"s1", *instant_from("2026-02-01T00:00:00Z")},
                                    {"s2", *instant_from("2026-03-01T00:00:00Z"), false, "ended"}};
  it.put_listed("nas", who, both);
  auto chosen = [&](std::string_view source) {
    it.put("Restore", "r1", "", R"("spec":{)" + std::string(source) + "," + into_existing + "}");
    auto what = it.prepare_it("restore", "Restore", "r1");
    return said(what) == "ready" ? std::get<restore_work>(kopia_of(std::get<ready>(what).plan).task).snapshot_ID : said(what);
  };
  EXPECT_EQ(chosen(from_photos), "s1");
  EXPECT_EQ(chosen(R"("source":{"backupRef":{"name":"b"}})"), "s2");
  put_backup("Held", accepting);
  EXPECT_EQ(chosen(from_photos), "s2");
  put_backup("Running");
  it.objects.of<backup>().at({"prod", "b"}).status.shrunk.reset();
  auto run = ended();
  it.runs["ended"] = run;
  EXPECT_EQ(chosen(from_photos), "s1") << "its run knows it before its Backup says so";
  put_backup("Held");
  it.put_listed("nas", who, {both[1]});
  EXPECT_EQ(chosen(from_photos), "wait NoSnapshot") << "never \"there is none\"";
}

TEST_F(Held, HoldsTheBackupOfSeveralSourcesUntilItIsAccepted) {
  it.put_claim("more");
  it.put("BackupConfig", "photos", "",
         R"("spec":{"repository":{"name":"nas"},"sources":[{"pvc":{"name":"data"}},{"pvc":{"name":"more"}}]})");
  it.put("Backup", "all", "", R"("spec":{"configRef":{"name":"photos"}})");
  std::vector<json::value> siblings;
  for (auto& each : it.reconcile_it("Backup", "all").asks)
    siblings.push_back(std::get<create_object>(std::get<gateway_command>(each.what)).object);
  ASSERT_EQ(siblings.size(), 2U);
  auto put = [&](std::size_t which, std::string const& status) {
    it.put("Backup", siblings[which].text("metadata.name"), "",
           R"("spec":{"configRef":{"name":"photos"},"sourcePath":")" + std::string(siblings[which].text("spec.sourcePath")) +
               R"("},"status":)" + status);
  };
  auto now = [&] {
    auto needs = it.reconcile_it("Backup", "all");
    EXPECT_TRUE(needs.orders.empty());
    return std::string(needs.statuses.at(0).fragment.status.text("phase"));
  };
  put(0, R"({"phase":"Succeeded"})");
  put(1, R"({"phase":"Held"})");
  EXPECT_EQ(now(), "Held");
  it.put("Backup", "all", "", R"("spec":{"configRef":{"name":"photos"}},"status":{"phase":"Held"})");
  EXPECT_EQ(now(), "Held");
  put(1, R"({"phase":"Succeeded"})");
  EXPECT_EQ(now(), "Succeeded");
  put(1, R"({"phase":"Failed"})");
  EXPECT_EQ(now(), "Failed");
}

}  // namespace
}  // namespace kopiur::plans
