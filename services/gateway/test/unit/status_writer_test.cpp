#include "services/gateway/test/unit/stage.hpp"

/// What is written into objects' status, and when.
namespace kopiur::gateway {
namespace {

/// A view has no delivery to reject, and reads the same message again at each start.
TEST(Status, AShareThatIsNoneIsADeadLetterOnce) {
  stage on;
  on.must(on.net.server().ensure(bus::stream_config{.name = "dead-letters", .subjects = {"dead.>"}}));
  auto uid = on.command("1", proto::create_object{manifest("Backup", "b")}).uid;
  auto subject = subjects::status_fragment("local", "Backup", "home", "b", "a");
  on.publish({.subject = subject, .body = "{no json"});
  EXPECT_EQ(on.messages("dead-letters"), 1u);
  EXPECT_EQ(on.last(subjects::status, subject)->body, "") << "it would be buried by the next gateway, too";
  on.restart();
  on.go(5min);
  EXPECT_EQ(on.messages("dead-letters"), 1u);
  on.claim("a", uid, R"({"phase":"Pending"})");
  on.go(2s);
  EXPECT_EQ(on.mirrored("Backup", "b")->text("status.phase"), "Pending") << "what comes after it is heard";
}

TEST(Status, AHundredClaimsInASecondAreAtMostTwoWrites) {
  stage on;
  auto uid = on.command("1", proto::create_object{manifest("Backup", "b")}).uid;
  auto before = on.messages(subjects::resources);
  for (int i = 1; i <= 100; ++i) {
    on.claim("mover-orchestration", uid, R"({"progress":{"percent":)" + std::to_string(i) + "}}");
    on.go(10ms);
  }
  on.go(2s);
  EXPECT_EQ(*on.mirrored("Backup", "b")->at("status.progress.percent")->as_int(), 100);
  EXPECT_LE(on.messages(subjects::resources) - before, 2u);
}

TEST(Status, IsWrittenAtOnceAndOnlyWhenItChanges) {
  stage on;
  auto uid = on.command("1", proto::create_object{manifest("Backup", "b")}).uid;
  on.claim("a", uid, R"({"phase":"Pending"})");
  on.go(300ms);
  EXPECT_EQ(on.mirrored("Backup", "b")->text("status.phase"), "Pending");
  auto before = on.messages(subjects::resources);
  on.claim("a", uid, R"({"phase":"Pending"})");
  on.go(5s);
  on.restart();
  on.go(60s);
  EXPECT_EQ(on.messages(subjects::resources), before + 1) << "the marker of the restart alone";
}

/// A run's Job waits for its receipt, and a user for another phase, also when a status was written a moment ago.
TEST(Status, NewsAreWrittenWithoutRest) {
  stage on;
  auto uid = on.command("1", proto::create_object{manifest("Backup", "b")}).uid;
  auto before = on.messages(subjects::resources);
  on.claim("a", uid, R"({"conditions":[]})");
  on.go(10ms);
  on.claim("a", uid, R"({"phase":"Running","execution":{"stage":"Prepared"}})");
  on.go(20ms);
  EXPECT_EQ(on.mirrored("Backup", "b")->text("status.execution.stage"), "Prepared");
  EXPECT_EQ(on.messages(subjects::resources), before + 1) << "what comes together is one write";
  on.claim("a", uid, R"({"phase":"Running","execution":{"stage":"Committed"}})");
  on.go(20ms);
  EXPECT_EQ(on.mirrored("Backup", "b")->text("status.execution.stage"), "Committed");
  on.claim("a", uid, R"({"phase":"Running","execution":{"stage":"Committed"},"progress":{"percent":7}})");
  on.go(50ms);
  EXPECT_FALSE(on.mirrored("Backup", "b")->at("status.progress.percent")) << "what is not news rests";
  on.claim("a", uid, R"({"phase":"Deleting","execution":{"stage":"Committed"},"progress":{"percent":7}})");
  on.go(50ms);
  EXPECT_EQ(on.mirrored("Backup", "b")->text("status.phase"), "Deleting");
}

/// The fragment that reports a deletion is not the one that reports the run: for the user its first phase is a new phase.
TEST(Status, ThePhaseOfAnotherShareIsWrittenWithoutRest) {
  stage on;
  auto uid = on.command("1", proto::create_object{manifest("Backup", "b")}).uid;
  on.claim("a", uid, R"({"phase":"Running"})");
  on.go(100ms);
  EXPECT_EQ(on.mirrored("Backup", "b")->text("status.phase"), "Running");
  on.claim("b", uid, R"({"phase":"Deleting"})");
  on.go(50ms);
  EXPECT_EQ(on.mirrored("Backup", "b")->text("status.phase"), "Deleting");
}

TEST(Status, OfAnObjectThatIsGoneLeavesTheStream) {
  stage on;
  auto uid = on.command("1", proto::create_object{manifest("Backup", "b")}).uid;
  on.claim("a", uid, R"({"phase":"Pending"})");
  on.go(2s);
  on.command("2", proto::delete_object{{"Backup", "home", "b", uid}, {}});
  auto claim = on.last(subjects::status, subjects::status_fragment("local", "Backup", "home", "b", "a"));
  ASSERT_TRUE(claim);
  EXPECT_EQ(claim->body, "");
  auto again = on.command("3", proto::create_object{manifest("Backup", "b")}).uid;
  on.claim("a", uid, R"({"phase":"Succeeded"})");
  on.go(2s);
  EXPECT_EQ(on.mirrored("Backup", "b")->find("status"), nullptr) << "a claim for " << uid << " is none for " << again;
}

TEST(Status, OfWhatTheWatchHasToldTakesNoRead) {
  remote_stage on;
  on.claim("a", "u1", R"({"phase":"Pending"})");
  on.go(2s);
  EXPECT_EQ(on.at.now.text("status.phase"), "Pending");
  EXPECT_EQ(on.at.reads, 0);
}

TEST(Status, IsMergedIntoTheNewerObjectWhereTheWatchIsBehind) {
  remote_stage on;
  on.at.write("theirs", "kept");
  on.claim("a", "u1", R"({"phase":"Pending"})");
  on.go(2s);
  EXPECT_EQ(on.at.now.text("status.phase"), "Pending");
  EXPECT_EQ(on.at.now.text("status.theirs"), "kept");
  EXPECT_EQ(on.at.refused, 1);
  EXPECT_EQ(on.at.reads, 1);
}

/// The watch still has the former object of that name: the fragments are for its successor.
TEST(Status, OfAnObjectThatWasMadeAnewIsNotGivenUpForTheFormerOne) {
  remote_stage on;
  on.at.is("u2", "2");
  on.claim("a", "u2", R"({"phase":"Pending"})");
  on.go(2s);
  EXPECT_EQ(on.at.now.text("status.phase"), "Pending");
  auto claim = on.last(subjects::status, subjects::status_fragment("local", "Backup", "home", "b", "a"));
  ASSERT_TRUE(claim);
  EXPECT_FALSE(claim->body.empty());
}

TEST(Status, ThatSomebodyElseWroteOverIsSetRight) {
  remote_stage on;
  on.claim("a", "u1", R"({"phase":"Pending"})");
  on.go(2s);
  on.at.tell();
  on.go(2s);
  on.at.write("phase", "Succeeded");
  on.go(5s);
  EXPECT_EQ(on.at.now.text("status.phase"), "Succeeded") << "the watch has not told it yet";
  on.at.tell();
  on.go(2s);
  EXPECT_EQ(on.at.now.text("status.phase"), "Pending");
}

}  // namespace
}  // namespace kopiur::gateway
