#include "services/gateway/test/unit/stage.hpp"

/// What is written into objects' status, and when.
namespace kopiur::gateway {
namespace {

/// A view has no delivery to reject, and reads the same message again at each start.
TEST(Status, AShareThatIsNoneIsADeadLetterOnce) {
  stage stage;
  stage.must(stage.net.server().ensure(bus::stream_config{.name = "dead-letters", .subjects = {"dead.>"}}));
  auto uid = stage.command("1", proto::create_object{manifest("Backup", "b")}).uid;
  auto subject = subjects::status_fragment("local", "Backup", "home", "b", "a");
  stage.publish({.subject = subject, .body = "{no json"});
  EXPECT_EQ(stage.messages("dead-letters"), 1u);
  EXPECT_EQ(stage.last(subjects::status, subject)->body, "") << "it would be buried by the next gateway, too";
  stage.restart();
  stage.go(5min);
  EXPECT_EQ(stage.messages("dead-letters"), 1u);
  stage.claim("a", uid, R"({"phase":"Pending"})");
  stage.go(2s);
  EXPECT_EQ(stage.mirrored("Backup", "b")->text("status.phase"), "Pending") << "what comes after it is heard";
}

TEST(Status, AHundredClaimsInASecondAreAtMostTwoWrites) {
  stage stage;
  auto uid = stage.command("1", proto::create_object{manifest("Backup", "b")}).uid;
  auto before = stage.messages(subjects::resources);
  for (int i = 1; i <= 100; ++i) {
    stage.claim("mover-orchestration", uid, R"({"progress":{"percent":)" + std::to_string(i) + "}}");
    stage.go(10ms);
  }
  stage.go(2s);
  EXPECT_EQ(*stage.mirrored("Backup", "b")->at("status.progress.percent")->as_int(), 100);
  EXPECT_LE(stage.messages(subjects::resources) - before, 2u);
}

TEST(Status, IsWrittenAtOnceAndOnlyWhenItChanges) {
  stage stage;
  auto uid = stage.command("1", proto::create_object{manifest("Backup", "b")}).uid;
  stage.claim("a", uid, R"({"phase":"Pending"})");
  stage.go(300ms);
  EXPECT_EQ(stage.mirrored("Backup", "b")->text("status.phase"), "Pending");
  auto before = stage.messages(subjects::resources);
  stage.claim("a", uid, R"({"phase":"Pending"})");
  stage.go(5s);
  stage.restart();
  stage.go(60s);
  EXPECT_EQ(stage.messages(subjects::resources), before + 1) << "the marker of the restart alone";
}

/// A run's Job waits for its receipt, and a user for another phase, also when a status was written a moment ago.
TEST(Status, NewsAreWrittenWithoutRest) {
  stage scene;
  auto uid = scene.command("1", proto::create_object{manifest("Backup", "b")}).uid;
  auto before = scene.messages(subjects::resources);
  scene.claim("a", uid, R"({"conditions":[]})");
  scene.go(10ms);
  scene.claim("a", uid, R"({"phase":"Running","execution":{"stage":"Prepared"}})");
  scene.go(20ms);
  EXPECT_EQ(scene.mirrored("Backup", "b")->text("status.execution.stage"), "Prepared");
  EXPECT_EQ(scene.messages(subjects::resources), before + 1) << "what comes together is one write";
  scene.claim("a", uid, R"({"phase":"Running","execution":{"stage":"Committed"}})");
  scene.go(20ms);
  EXPECT_EQ(scene.mirrored("Backup", "b")->text("status.execution.stage"), "Committed");
  scene.claim("a", uid, R"({"phase":"Running","execution":{"stage":"Committed"},"progress":{"percent":7}})");
  scene.go(50ms);
  EXPECT_FALSE(scene.mirrored("Backup", "b")->at("status.progress.percent")) << "what is not news rests";
  scene.claim("a", uid, R"({"phase":"Deleting","execution":{"stage":"Committed"},"progress":{"percent":7}})");
  scene.go(50ms);
  EXPECT_EQ(scene.mirrored("Backup", "b")->text("status.phase"), "Deleting");
}

/// The fragment that reports a deletion is not the one that reports the run: for the user its first phase is a new phase.
TEST(Status, ThePhaseOfAnotherShareIsWrittenWithoutRest) {
  stage stage;
  auto uid = stage.command("1", proto::create_object{manifest("Backup", "b")}).uid;
  stage.claim("a", uid, R"({"phase":"Running"})");
  stage.go(100ms);
  EXPECT_EQ(stage.mirrored("Backup", "b")->text("status.phase"), "Running");
  stage.claim("b", uid, R"({"phase":"Deleting"})");
  stage.go(50ms);
  EXPECT_EQ(stage.mirrored("Backup", "b")->text("status.phase"), "Deleting");
}

/// Of a version before, they are on the bus; written again and again they would hide what the other service reports now.
TEST(Status, FragmentsOfARetiredReporterAreWithdrawn) {
  stage stage;
  auto uid = stage.command("1", proto::create_object{manifest("Backup", "b")}).uid;
  stage.claim("maintenance-lease", uid, R"({"ownership":{"owner":"old"}})");
  stage.go(2s);
  EXPECT_FALSE(stage.mirrored("Backup", "b")->at("status.ownership"));
  auto fragment = stage.last(subjects::status, subjects::status_fragment("local", "Backup", "home", "b", "maintenance-lease"));
  ASSERT_TRUE(fragment);
  EXPECT_EQ(fragment->body, "");
}

/// Seed 10010: an object rested until a time of the wall clock, which was then set back by hours.
TEST(Status, RestsInSteadyTime) {
  stage stage;
  auto uid = stage.command("1", proto::create_object{manifest("Backup", "b")}).uid;
  stage.claim("a", uid, R"({"phase":"Running"})");
  stage.go(100ms);
  stage.home.step_clock(-3h);
  stage.claim("a", uid, R"({"phase":"Running","progress":{"percent":7}})");
  stage.go(2s);
  EXPECT_EQ(*stage.mirrored("Backup", "b")->at("status.progress.percent")->as_int(), 7);
}

TEST(Status, OfAnObjectThatIsGoneLeavesTheStream) {
  stage stage;
  auto uid = stage.command("1", proto::create_object{manifest("Backup", "b")}).uid;
  stage.claim("a", uid, R"({"phase":"Pending"})");
  stage.go(2s);
  stage.command("2", proto::delete_object{{"Backup", "home", "b", uid}, {}});
  auto claim = stage.last(subjects::status, subjects::status_fragment("local", "Backup", "home", "b", "a"));
  ASSERT_TRUE(claim);
  EXPECT_EQ(claim->body, "");
  auto again = stage.command("3", proto::create_object{manifest("Backup", "b")}).uid;
  stage.claim("a", uid, R"({"phase":"Succeeded"})");
  stage.go(2s);
  EXPECT_EQ(stage.mirrored("Backup", "b")->find("status"), nullptr) << "a claim for " << uid << " is none for " << again;
}

TEST(Status, OfWhatTheWatchHasToldTakesNoRead) {
  remote_stage stage;
  stage.claim("a", "u1", R"({"phase":"Pending"})");
  stage.go(2s);
  EXPECT_EQ(stage.remote.now.text("status.phase"), "Pending");
  EXPECT_EQ(stage.remote.reads, 0);
}

TEST(Status, IsMergedIntoTheNewerObjectWhereTheWatchIsBehind) {
  remote_stage stage;
  stage.remote.write("theirs", "kept");
  stage.claim("a", "u1", R"({"phase":"Pending"})");
  stage.go(2s);
  EXPECT_EQ(stage.remote.now.text("status.phase"), "Pending");
  EXPECT_EQ(stage.remote.now.text("status.theirs"), "kept");
  EXPECT_EQ(stage.remote.refused, 1);
  EXPECT_EQ(stage.remote.reads, 1);
}

/// The watch still has the former object of that name: the fragments are for its successor.
TEST(Status, OfARecreatedObjectIsNotDroppedForTheOldOne) {
  remote_stage stage;
  stage.remote.is("u2", "2");
  stage.claim("a", "u2", R"({"phase":"Pending"})");
  stage.go(2s);
  EXPECT_EQ(stage.remote.now.text("status.phase"), "Pending");
  auto claim = stage.last(subjects::status, subjects::status_fragment("local", "Backup", "home", "b", "a"));
  ASSERT_TRUE(claim);
  EXPECT_FALSE(claim->body.empty());
}

TEST(Status, ThatSomebodyElseWroteOverIsSetRight) {
  remote_stage stage;
  stage.claim("a", "u1", R"({"phase":"Pending"})");
  stage.go(2s);
  stage.remote.tell();
  stage.go(2s);
  stage.remote.write("phase", "Succeeded");
  stage.go(5s);
  EXPECT_EQ(stage.remote.now.text("status.phase"), "Succeeded") << "the watch has not told it yet";
  stage.remote.tell();
  stage.go(2s);
  EXPECT_EQ(stage.remote.now.text("status.phase"), "Pending");
}

}  // namespace
}  // namespace kopiur::gateway
