#include "services/systems/kopiur/plans/existence.hpp"

#include "services/systems/kopiur/plans/restore.hpp"
#include "services/systems/kopiur/test/plans/scene.hpp"

/// Whether a snapshot exists is decided by a complete list of the repository that began after the Restore, never by Backup objects.
namespace kopiur::plans {
namespace {

using namespace proto;
using namespace std::chrono_literals;

class Existence : public ::testing::Test {
 protected:
  Existence() {
    it.put_config("photos");
    it.put_claim("data");
    put_restore(from_photos);
    it.lists.clear();
  }
  void put_restore(std::string const& source, std::string const& policy = "") {
    it.put("Restore", "r1", "", R"("spec":{)" + source + "," + into_existing + (policy.empty() ? "" : R"(,"policy":)" + policy) + "}");
  }
  static std::string as_of(char const* time) { return R"("source":{"fromConfig":{"name":"photos","asOf":")" + std::string(time) + "\"}}"; }
  /// A complete list that began after this fact, with these snapshots of the config's source.
  void list(std::string const& run, std::uint64_t after, std::vector<listed_snapshot> snapshots) {
    it.list("nas", run, after);
    it.put_listed("nas", of_photos, std::move(snapshots));
  }
  preparation look() {
    run_state run{.run = restore_run(*controller::find(it.objects.of<restore>(), "prod", "r1"), ""),
                  .cluster = "c",
                  .order = {.plan = "restore", .object = {"Restore", "prod", "r1", "uid-r1"}}};
    run.ordered_at = run.changed_at = it.now, run.ordered_as = first_fact, run.waits = waits;
    return find_plan("restore")->prepare(it.look(), run);
  }
  /// The list that is ordered; empty: none.
  std::string orders() {
    auto what = look();
    auto* one = std::get_if<wait>(&what);
    if (!one) return said(what);
    for (auto& each : one->asks)
      if (auto* run = std::get_if<new_run>(&each.what)) return run->id;
    return "";
  }
  std::string message() {
    auto what = look();
    if (auto* no = std::get_if<refused>(&what)) return no->failure.message;
    if (auto* none = std::get_if<nothing_to_do>(&what)) return none->why;
    return std::get<wait>(what).why.message;
  }
  std::string snapshot() {
    auto what = look();
    auto* plan = std::get_if<ready>(&what);
    return plan ? std::get<restore_work>(kopia_of(plan->plan).task).snapshot_ID : said(what);
  }
  run_state& discover(std::string const& id, run_stage stage) {
    auto& run = it.runs[id];
    run = {.run = id, .order = {.plan = "discover", .object = {"Repository", "prod", "nas", "uid-nas"}}, .stage = stage};
    run.order.parameters = json::object{{"for", "restore"}};
    if (stage == run_stage::FollowThroughComplete) run.outcome = run_outcome::Succeeded, run.finished_at = it.now;
    return run;
  }

  identity const of_photos{"photos", "prod", "/pvc/data"};
  scene it;
  static constexpr std::uint64_t first_fact = 10;
  std::optional<wait_reason> waits;
};

TEST_F(Existence, BoundsOfTheCatalogHideNothing) {
  list("l", first_fact + 1, {{"s1", instant(1h)}, {"s2", instant(2h)}});
  EXPECT_EQ(snapshot(), "s2") << "no Backup object stands for it";
}

TEST_F(Existence, ABackupObjectIsNoSnapshot) {
  it.put_saved("b1", "s1", "/pvc/data");
  list("l", first_fact + 1, {});
  EXPECT_EQ(said(look()), "wait NoSnapshot");
}

TEST_F(Existence, AListThatBeganBeforeTheRestoreDecidesNothing) {
  EXPECT_EQ(said(look()), "wait ListingSnapshots") << "there is none";
  for (auto after : {first_fact - 1, first_fact}) {
    list("l", after, {{"s1", instant(1h)}});
    EXPECT_EQ(said(look()), "wait ListingSnapshots");
  }
  list("l", first_fact + 1, {{"s1", instant(1h)}});
  EXPECT_EQ(snapshot(), "s1");
  it.lists["uid-nas"].unique_ID = "id-of-a-former-one";
  EXPECT_EQ(said(look()), "wait ListingSnapshots") << "of another repository in its place";
  list("l", first_fact + 1, {{"s1", instant(1h)}});
  it.runs.erase("l");
  EXPECT_EQ(said(look()), "wait ListingSnapshots") << "the bus has lost its run: the sequences of its facts say nothing any more";
}

TEST_F(Existence, WithoutAFreshListOneIsOrderedOnce) {
  auto id = orders();
  ASSERT_TRUE(id.starts_with("discover-"));
  EXPECT_EQ(orders(), id);
  discover(id, run_stage::Created);
  EXPECT_EQ(orders(), "") << "it goes on";
  discover(id, run_stage::FollowThroughComplete);
  EXPECT_EQ(orders(), "") << "it is about to be told";
  it.now += 2min;
  auto next = orders();
  EXPECT_TRUE(next.starts_with("discover-") && next != id) << "nobody told it";
}

TEST_F(Existence, AListThatFailedIsOrderedAgainLater) {
  auto id = orders();
  auto& run = discover(id, run_stage::FollowThroughComplete);
  run.outcome = run_outcome::Failed, run.failure = run_failure{.class_ = failure_class::Unknown, .message = "No route."};
  EXPECT_EQ(orders(), "");
  EXPECT_NE(message().find("The last list failed: No route."), std::string::npos);
  it.now += 30s;
  EXPECT_TRUE(orders().starts_with("discover-"));
}

TEST_F(Existence, AListThatAnotherRestoreHasOrderedServesThisOneIfItIsYetToBegin) {
  discover("discover-of-another", run_stage::Due);
  EXPECT_EQ(orders(), "");
  discover("discover-of-another", run_stage::Prepared);
  EXPECT_NE(orders(), "") << "it may have begun before";
}

TEST_F(Existence, WhatWasReadOfAFormerListIsReadAgain) {
  list("l", first_fact + 1, {{"s1", instant(1h)}});
  it.list("nas", "m", first_fact + 2);
  EXPECT_EQ(said(look()), "wait ReadingList");
  auto what = look();
  EXPECT_TRUE(std::holds_alternative<list_query>(std::get<wait>(what).asks.at(0).what));
}

TEST_F(Existence, AListThatCannotBeReadIsMadeAgain) {
  list("l", first_fact + 1, {});
  it.listed.begin()->second.whole = false;
  EXPECT_EQ(said(look()), "wait ListingSnapshots");
  EXPECT_NE(orders(), "");
}

TEST_F(Existence, WhatIsNotCompleteOrMayStillGoIsNotTaken) {
  std::vector<listed_snapshot> rows{
      {"s1", instant(1h)}, {"partial", instant(2h), true}, {"open", instant(3h), false, "run"}, {"s4", instant(4h)}};
  list("l", first_fact + 1, rows);
  it.runs["run"] = {.run = "run", .stage = run_stage::Created};
  it.put_saved("b4", "s4", "/pvc/data", "nas", R"("deletionTimestamp":"2026-02-01T00:00:00Z")");
  EXPECT_EQ(snapshot(), "s1");
  it.runs["run"].stage = run_stage::FollowThroughComplete;
  EXPECT_EQ(snapshot(), "open");
}

TEST_F(Existence, WhatCannotBeTakenIsNotNothing) {
  list("l", first_fact + 1, {{"s1", instant(2h), true}, {"s2", instant(3h), false, "run"}});
  it.runs["run"] = {.run = "run", .stage = run_stage::Created};
  put_restore(from_photos, R"({"onMissingSnapshot":"Continue"})");
  EXPECT_EQ(said(look()), "wait NoSnapshot") << "an empty volume would be a lie";
  EXPECT_NE(message().find("can be taken: s1 is partial, files could not be read when it was taken, the run of s2 has not ended."),
            std::string::npos)
      << message();
  it.runs["run"].stage = run_stage::FollowThroughComplete;
  EXPECT_EQ(snapshot(), "s2");
  list("m", first_fact + 2, {});
  EXPECT_EQ(said(look()), "nothing");
}

TEST_F(Existence, NoneAtThatTimeAndNoneAtAllAreTwoSentences) {
  put_restore(as_of("1970-01-01T00:30:00Z"));
  list("l", first_fact + 1, {});
  EXPECT_NE(message().find("holds no snapshot of photos@prod:/pvc/data."), std::string::npos) << message();
  list("l", first_fact + 1, {{"s1", instant(1h)}, {"s2", instant(2h)}});
  EXPECT_NE(message().find("holds 2 complete snapshots of photos@prod:/pvc/data, none of them from 1970-01-01T00:30:00Z or before (asOf): "
                           "the oldest is of 1970-01-01T01:00:00Z."),
            std::string::npos)
      << message();
  put_restore(R"("source":{"fromConfig":{"name":"photos","offset":2}})");
  EXPECT_NE(message().find("too few for offset 2"), std::string::npos) << message();
}

TEST_F(Existence, WhoWaitsForASnapshotLooksAgain) {
  list("l", first_fact + 1, {});
  it.lists["uid-nas"].listed_at = it.now;
  waits = wait_reason{"NoSnapshot", "as before"};
  EXPECT_EQ(orders(), "") << "it has just been listed";
  it.now += 61s;
  EXPECT_NE(orders(), "");
  it.now -= 50s;
  EXPECT_EQ(orders(), "");
  it.put("Backup", "b1", "",
         R"("spec":{},"status":{"phase":"Succeeded","snapshot":{"kopiaSnapshotID":"s1","identity":{"username":"photos","hostname":"prod",)"
         R"("sourcePath":"/pvc/data"}},"timing":{"endTime":")" +
             to_text(it.now) +
             R"("},"resolved":{"repository":{"kind":"Repository","name":"nas","namespace":"prod","uniqueID":"id-nas"}}})");
  EXPECT_NE(orders(), "") << "a Backup says that there is one now";
  it.list("nas", "m", first_fact + 2);
  EXPECT_EQ(message(), "as before") << "while the newer list is read, it waits since when it began";
}

/// decisions.md section 13: the repository records that a snapshot shrank, for the case that its Backup, or the cluster, is lost
/// (simulation, seed 795849967).
TEST_F(Existence, WhatShrankIsPassedOverThoughItsBackupIsGone) {
  auto row = [](std::string id, int hour, std::int64_t files, std::optional<std::string> base = {}) {
    listed_snapshot one{.id = std::move(id), .ended = instant(hour * 1h), .run = "forgotten", .files = files};
    if (base) one.baseline = baseline{*base, 50};
    return one;
  };
  auto newest_of = [&](std::vector<listed_snapshot> snapshots) {
    list("l", first_fact + 1, std::move(snapshots));
    return snapshot();
  };
  auto good = row("good", 1, 100), shrank = row("shrank", 2, 49, "good"), next = row("next", 3, 48, "shrank");
  EXPECT_EQ(newest_of({good, shrank}), "good");
  auto pin = json::decode<restore_resolved>(*std::get<ready>(look()).plan.resolved).value();
  ASSERT_EQ(pin.passed_over.size(), 1U);
  EXPECT_EQ(pin.passed_over[0], "shrank holds much less than the one before it, and no Backup is left that says whether this was accepted");
  EXPECT_EQ(newest_of({good, shrank, next}), "next") << "it was compared with what shrank, so that was accepted";
  EXPECT_EQ(newest_of({good, shrank, row("again", 3, 49, "good")}), "good") << "it is still as it was";
  EXPECT_EQ(newest_of({good, shrank, row("grown", 3, 50, "good")}), "grown");
  EXPECT_EQ(newest_of({good, row("shrank", 2, 49, "gone")}), "good") << "the one before it has been deleted";
  EXPECT_EQ(newest_of({good, row("others", 2, 0)}), "others") << "it says nothing of a comparison";
  EXPECT_EQ(newest_of({row("shrank", 2, 0, "gone")}), "shrank") << "there is nothing to compare it with";
  it.put_saved("b1", "shrank", "/pvc/data");
  EXPECT_EQ(newest_of({good, shrank}), "shrank") << "a Backup says that it is good";
  EXPECT_TRUE(json::decode<restore_resolved>(*std::get<ready>(look()).plan.resolved)->passed_over.empty());
}

}  // namespace
}  // namespace kopiur::plans
