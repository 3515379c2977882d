#include "services/mover/core/judge.hpp"

#include "common/json/codec.hpp"
#include "services/mover/core/policy.hpp"
#include "services/mover/test/unit/golden.hpp"

namespace kopiur::mover {
namespace {

using enum proto::kopia_failure;

manifest of(std::string const& file) { return parse_manifest(golden(file)).value(); }

// The verdict in one word.
std::string word(verdict const& said) {
  if (std::holds_alternative<saved>(said)) return "saved";
  if (std::holds_alternative<unchanged>(said)) return "unchanged";
  if (auto* some = std::get_if<partial>(&said)) return "partial " + some->why.class_.json_text();
  return std::get<proto::run_failure>(said).class_.json_text();
}

struct story {
  char const* name;
  creation creation;
  std::string said;
};

TEST(Snapshot, IsJudgedByTheListAndNotByWhatWasPrinted) {
  auto clean = of("snapshot-create.json"), some = of("snapshot-partial.json"), canceled = of("snapshot-canceled.json");
  std::vector<story> const stories = {
      {"printed, listed", {.exited_well = true, .printed = clean, .listed = {clean}}, "saved"},
      {"printed, but the flush failed: nothing is saved",
       {.printed = clean, .stderr_text = "flush error: no space left on device"},
       "DiskFull"},
      {"printed, exit 0, and not in the list", {.exited_well = true, .printed = clean}, "Unknown"},
      {"exit 1 for something else, and in the list", {.printed = clean, .listed = {clean}, .stderr_text = "?"}, "saved"},
      {"unreadable files",
       {.printed = some, .listed = {some}, .stderr_text = golden("snapshot-partial.stderr")},
       "partial SourceUnreadable"},
      {"told to stop", {.exited_well = true, .printed = canceled, .listed = {canceled}, .told_to_stop = true}, "Cancelled"},
      {"told to stop when it was already done",
       {.exited_well = true, .printed = clean, .listed = {clean}, .told_to_stop = true},
       "Cancelled"},
      {"a drained node: exit 0, incomplete", {.exited_well = true, .printed = canceled, .listed = {canceled}}, "Cancelled"},
      {"an older attempt's incomplete one beside ours", {.exited_well = true, .printed = clean, .listed = {canceled, clean}}, "saved"},
      {"identical, and the policy lets it", {.exited_well = true, .may_be_identical = true}, "unchanged"},
      {"nothing printed, and the policy lets nothing be skipped", {.exited_well = true}, "Unknown"},
      {"no source", {.stderr_text = "unable to get local filesystem entry: lstat /x: no such file or directory"}, "SourceMissing"},
  };
  for (auto const& [name, how, said] : stories) EXPECT_EQ(word(judge(how)), said) << name;
}

TEST(Snapshot, WithUnreadableFilesNamesTheFirst) {
  auto some = of("snapshot-partial.json");
  auto said = judge({.printed = some, .listed = {some}});
  EXPECT_EQ(std::get<partial>(said).why.message.substr(0, 49), "1 entry could not be read, the first: folder/b. S");
}

TEST(Identity, IsComparedOnlyWhereOneIsPinned) {
  EXPECT_FALSE(other_repository(std::nullopt, "a"));
  EXPECT_FALSE(other_repository("a", "a"));
  EXPECT_EQ(other_repository("a", "b")->class_, WrongRepository);
}

TEST(Deletion, PassesOnlyIdsThatAreThereAndEachOnce) {
  proto::identity who{"u", "h", "/p"};
  std::map<std::string, proto::snapshot_row> there{{"a", {.id = "a", .source = who}}, {"b", {.id = "b", .source = who}}, {"c", {}}};
  auto said = judge({{"b", who}, {"x", who}, {"a", who}, {"b", who}}, there);
  EXPECT_EQ(said.ids, (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(said.others.empty());
  EXPECT_TRUE(judge({{"x", who}}, {}).ids.empty());
}

/// Security review, C1: another client's snapshot is never deleted as one of ours, whatever the cause.
TEST(Deletion, LeavesWhatIsAnothersAlone) {
  proto::identity who{"u", "h", "/p"}, other{"u", "elsewhere", "/p"};
  std::map<std::string, proto::snapshot_row> there{{"mine", {.id = "mine", .source = who, .run = "run-1"}},
                                                   {"theirs", {.id = "theirs", .source = other, .run = "run-2"}},
                                                   {"untagged", {.id = "untagged", .source = who}}};
  auto said = judge({{"mine", who, "run-1"}, {"theirs", who, "run-1"}, {"untagged", who, "run-1"}}, there);
  EXPECT_EQ(said.ids, std::vector<std::string>{"mine"});
  EXPECT_EQ(said.others, (std::vector<std::string>{"theirs", "untagged"}));
  EXPECT_EQ(said.why, "Snapshot theirs is of u@elsewhere:/p by run run-2, and not of u@h:/p by run run-1: it is left alone.");
  EXPECT_EQ(judge({{"mine", who, {}}}, there).ids.size(), 1u) << "of a Backup that names no run";
  EXPECT_EQ(judge({{"theirs", who, {}}, {"theirs", other, "run-2"}}, there).ids.size(), 1u) << "one of two means it";
}

TEST(Sweep, TakesCompleteOnesThatNobodyRecorded) {
  auto clean = of("snapshot-create.json"), some = of("snapshot-partial.json"), canceled = of("snapshot-canceled.json");
  EXPECT_EQ(left_over({clean, some, canceled}, {clean.row.id}), std::vector<std::string>{some.row.id});
}

TEST(MaintenanceOwner, IsTakenOverOnlyWhenItMayBe) {
  proto::maintain_work task{.owner = "me@here", .takeover = proto::takeover_policy::Never};
  EXPECT_EQ(owner_verdict("me@here", task, "id"), ownership::Ours);
  EXPECT_EQ(owner_verdict("", task, "id"), ownership::Claim);
  EXPECT_EQ(owner_verdict("kopiur@id", task, "id"), ownership::Claim);
  EXPECT_EQ(owner_verdict("kopiur@other", task, "id"), ownership::Foreign);
  task.takeover = proto::takeover_policy::PromptCondition;
  EXPECT_EQ(owner_verdict("nas@cellar", task, "id"), ownership::Foreign);
  task.takeover = proto::takeover_policy::Force;
  EXPECT_EQ(owner_verdict("nas@cellar", task, "id"), ownership::Claim);
}

TEST(Maintenance, IsDoneOnlyWhenItSaysSo) {
  EXPECT_TRUE(maintenance_finished(golden("maintenance-run.stderr"), true));
  EXPECT_FALSE(maintenance_finished(golden("maintenance-run.stderr"), false));
  EXPECT_FALSE(maintenance_finished("", true)) << "a busy lock exits 0 with nothing said";
}

TEST(Maintenance, CountsOnlyWhatThisRunFreed) {
  auto before = json::parse(golden("maintenance-before.json")).value(), after = json::parse(golden("maintenance-after.json")).value();
  EXPECT_EQ(owner_in(before), "kopiur@lab");
  EXPECT_EQ(reclaimed_bytes(before, after), 0);
  auto run = [](char const* start, int size) {
    return std::string("{\"start\":\"") + start +
           "\",\"extra\":[{\"kind\":\"deleteUnreferencedPacksStats\",\"data\":{\"deletedTotalSize\":" + std::to_string(size) +
           "}},{\"kind\":\"x\",\"data\":null}]}";
  };
  auto info = [](std::string const& runs) {
    return json::parse("{\"schedule\":{\"runs\":{\"full-delete-blobs\":[" + runs + "]}}}").value();
  };
  auto old = run("2026-11-21T10:00:00.5Z", 100);
  EXPECT_EQ(reclaimed_bytes(info(old), info(run("2026-11-21T11:00:00.123456789Z", 20) + "," + old)), 20);
  EXPECT_EQ(reclaimed_bytes(json::value(), info(old)), 100);
}

TEST(Maintenance, CountsNoFurtherThanTheLargestNumber) {
  auto task = R"({"start":"2026-11-21T10:00:00Z","extra":[{"data":{"deletedTotalSize":9223372036854775807,"deletedBlobSize":1}}]})";
  auto info = json::parse(R"({"schedule":{"runs":{"a":[)" + std::string(task) + "]}}}").value();
  EXPECT_EQ(reclaimed_bytes(json::value(), info), INT64_MAX);
}

TEST(Version, IsKnownOnlyWhenItWasTested) {
  EXPECT_EQ(version_in(golden("version.txt")), "0.23.1");
  EXPECT_EQ(version_in("0.22.3 build: abc"), "0.22.3");
  EXPECT_EQ(version_in("no version"), std::nullopt);
  EXPECT_TRUE(is_tested("0.23.1"));
  EXPECT_FALSE(is_tested("0.23.2"));
}

TEST(Policy, OfAFreshRepositoryDeletesAndOursDoesNot) {
  auto fresh = json::parse(golden("policy-fresh.json")).value(), neutral = json::parse(golden("policy-neutral.json")).value();
  EXPECT_FALSE(keeps_everything(fresh));
  EXPECT_TRUE(keeps_everything(neutral));
  EXPECT_FALSE(keeps_everything(json::value())) << "an absent keep is kopia's default";
  for (auto* keep : {"keepLatest", "keepHourly", "keepDaily", "keepWeekly", "keepMonthly", "keepAnnual"}) {
    auto one = neutral;
    one.find("retention")->set(keep, 1);
    EXPECT_FALSE(keeps_everything(one)) << keep;
  }
}

TEST(Policy, IsWrittenWhenAnythingOfTheRecipeDiffers) {
  proto::snapshot_policy recipe{.compressor = "zstd", .ignore_paths = {"*.tmp"}};
  auto effective = policy_of(recipe);
  effective.set("actions", json::value::make_object());
  effective.set("upload", json::value::make_object());
  EXPECT_TRUE(keeps_everything(effective));
  EXPECT_TRUE(follows(effective, recipe));
  for (auto other : {proto::snapshot_policy{}, proto::snapshot_policy{.compressor = "zstd"},
                     proto::snapshot_policy{.compressor = "zstd", .ignore_paths = {"*.tmp"}, .ignore_file_errors = true},
                     proto::snapshot_policy{.compressor = "zstd", .splitter = "FIXED-1M", .ignore_paths = {"*.tmp"}}})
    EXPECT_FALSE(follows(effective, other));
  auto with_action = effective;
  with_action.find("actions")->set("beforeFolder", "rm -rf /");
  EXPECT_FALSE(follows(with_action, recipe));
  EXPECT_EQ(policy_document({"u", "h", "/p"}, recipe).substr(0, 12), "{\"u@h:/p\":{\"");
}

TEST(OutOfReach, IsAStorageThatDoesNotServeKopia) {
  EXPECT_TRUE(is_out_of_reach({.stderr_text = "upload error: dial tcp: connection refused"}));
  EXPECT_TRUE(is_out_of_reach({.stderr_text = "unable to write: AccessDenied"}));
  EXPECT_FALSE(is_out_of_reach({.stderr_text = "no space left on device"})) << "what was saved before can be listed";
  EXPECT_FALSE(is_out_of_reach({.stderr_text = "Found 1 fatal error(s) while snapshotting u@h:/x."}));
  EXPECT_FALSE(is_out_of_reach({.exited_well = true, .stderr_text = "retrying: connection refused"}));
}

}  // namespace
}  // namespace kopiur::mover
