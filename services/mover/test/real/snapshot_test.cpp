#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <set>

#include "services/mover/test/real/lab.hpp"

namespace kopiur::mover::test {
namespace {

using enum proto::kopia_failure;

/// Bytes per second at which a snapshot of 150 MB is still running when the mover first reports progress. kopia lets a first burst pass
/// without a limit; at 20 MB per second the burst is nearly all of it.
constexpr int still_at_it = 8'000'000;

class Snapshot : public lab {
 protected:
  void SetUp() override {
    write_file(source_ / "a.txt", "hello");
    write_file(source_ / "folder/b.txt", "world");
    fs::create_symlink("a.txt", source_ / "link");
    create_repository();
  }
  void fill(std::size_t megabytes) { write_random(source_ / "big", megabytes); }
};

TEST_F(Snapshot, IsDoneWhenAListShowsIt) {
  auto done = run(proto::snapshot_work{.path = source_, .source = identity_, .tags = {{"team", "a:b"}}, .description = "nightly \"one\""},
                  {.run = "run-7"});
  ASSERT_EQ(done.status, 0) << ::testing::PrintToString(done);
  EXPECT_EQ(done.result.outcome, proto::outcome::Succeeded);
  EXPECT_EQ(done.result.snapshot->source, identity_);
  EXPECT_EQ(done.result.snapshot->run, "run-7");
  EXPECT_EQ(done.result.snapshot->files, 2);
  EXPECT_EQ(done.result.stats->size_bytes, 10);
  EXPECT_EQ(done.result.stats->files_new, 2);
  EXPECT_LE(done.result.opens, 5);
  auto rows = list();
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].id, done.result.snapshot->id);
  EXPECT_EQ(rows[0].description, "nightly \"one\"");
  auto again = snapshot({.run = "run-8"});
  EXPECT_EQ(again.result.opens, 4) << "the policy is written once";
  EXPECT_EQ(again.result.stats->files_new, 0);
  EXPECT_EQ(again.result.stats->files_unchanged, 3);
}

TEST_F(Snapshot, OfAnUnchangedSourceIsUnchangedWhereThePolicySaysSo) {
  proto::snapshot_policy policy{.ignore_identical_snapshots = true};
  ASSERT_EQ(snapshot({.run = "run-1"}, policy).result.outcome, proto::outcome::Succeeded);
  auto second = snapshot({.run = "run-2"}, policy);
  EXPECT_EQ(second.status, 0) << ::testing::PrintToString(second);
  EXPECT_EQ(second.result.outcome, proto::outcome::Unchanged);
  EXPECT_FALSE(second.result.snapshot);
  EXPECT_EQ(list().size(), 1U);
}

/// Trials, T8: a source that contains its own repository must not grow with each run.
TEST_F(Snapshot, LacksTheRepositoryThatItGoesInto) {
  fs::rename(source_, root_ / "all");
  fs::create_directories(root_ / "all/deep");
  fs::rename(root_ / "repository", root_ / "all/deep/repository[1]");
  fs::create_directory_symlink(root_ / "all/deep/repository[1]", root_ / "repository");
  write_file(root_ / "all/other/kopia.repository.f", R"({"uniqueID":"c29tZWJvZHkgZWxzZSdz"})");
  auto save = [&](std::string const& name) {
    return run(proto::snapshot_work{.path = root_ / "all", .source = identity_}, {.run = name}).result;
  };
  auto first = save("run-1"), second = save("run-2");
  EXPECT_EQ(first.outcome, proto::outcome::Succeeded);
  EXPECT_EQ(first.snapshot->files, 3) << "a.txt, b.txt, and what is another repository's";
  EXPECT_EQ(second.snapshot->size_bytes, first.snapshot->size_bytes);
  EXPECT_EQ(first.left_out, (proto::left_out{.own = 1, .examples = {"deep/repository[1]"}}));
}

TEST_F(Snapshot, OfTheRepositoryItselfIsRefused) {
  auto done = run(proto::snapshot_work{.path = root_ / "repository", .source = identity_});
  EXPECT_EQ(done.failed(), InvalidWork) << ::testing::PrintToString(done);
  EXPECT_TRUE(done.result.failure->message.contains("the repository itself")) << done.result.failure->message;
  EXPECT_FALSE(done.result.failure->retryable);
}

/// A backup of a home folder must not contain kopiur's data folder and the passwords in it.
TEST_F(Snapshot, LacksWhatKopiurKeepsOutsideOfUsersVolumes) {
  write_file(source_ / "data/objects/Secret/password.json", "hunter2");
  write_file(source_ / "data/seal", "hunter2");
  write_file(source_ / "data/volumes/default/photos/a.jpg", "a picture");
  variables variables{{"KOPIUR_DATA", (source_ / "data").string()}};
  auto done = run(proto::snapshot_work{.path = source_, .source = identity_}, {.environment = variables});
  EXPECT_EQ(done.result.snapshot->files, 3) << ::testing::PrintToString(done);
  EXPECT_EQ(done.result.left_out, (proto::left_out{.own = 2, .examples = {"data/objects", "data/seal"}}));
  auto root = run(proto::snapshot_work{.path = source_ / "data", .source = identity_}, {.run = "run-2", .environment = variables});
  EXPECT_EQ(root.result.snapshot->files, 1) << "also where it is the root";
  auto below = run(proto::snapshot_work{.path = source_ / "data/volumes/default/photos", .source = identity_},
                   {.run = "run-3", .environment = variables});
  EXPECT_EQ(below.result.snapshot->files, 1);
  EXPECT_FALSE(below.result.left_out);
}

/// Trials, T1: an unmounted disk, a `.kopiaignore` with `*`, and the removal of most files do not count as successes.
class ShrunkSource : public Snapshot {
 protected:
  void SetUp() override {
    Snapshot::SetUp();
    for (int i = 0; i < 40; ++i) write_file(source_ / ("file-" + std::to_string(i)), "12345");
    good_ = take("run-1").result;
    ASSERT_FALSE(good_.shrunk);
  }
  ended take(std::string const& folder, proto::snapshot_policy policy = {}, int attempt = 1) {
    return run(proto::snapshot_work{.path = source_, .source = identity_, .policy = std::move(policy), .watch = watch_},
               {.run = folder, .attempt = attempt});
  }
  void leave(int files) {
    fs::remove_all(source_);
    fs::create_directory(source_);
    for (int i = 0; i < files; ++i) write_file(source_ / ("file-" + std::to_string(i)), "12345");
  }
  std::string held_against(proto::kopia_result const& what) { return what.shrunk ? what.shrunk->predecessor : ""; }
  proto::kopia_result good_;
  proto::shrink_watch watch_{.percent = 50};
};

TEST_F(ShrunkSource, IsSavedAndHeldAgainstTheNewestGoodSnapshot) {
  leave(0);
  auto empty = take("run-2");
  ASSERT_EQ(empty.status, 0) << ::testing::PrintToString(empty);
  EXPECT_EQ(empty.result.outcome, proto::outcome::Succeeded);
  ASSERT_EQ(held_against(empty.result), good_.snapshot->id);
  EXPECT_EQ(empty.result.shrunk->snapshot, empty.result.snapshot->id);
  EXPECT_EQ(empty.result.shrunk->files_before, 42);
  EXPECT_EQ(empty.result.snapshot->files, 0);
  EXPECT_EQ(empty.result.snapshot->baseline, (proto::baseline{good_.snapshot->id, 50}));
  EXPECT_LE(empty.result.opens, 5);
  EXPECT_EQ(held_against(take("run-2", {}, 2).result), good_.snapshot->id) << "a second attempt finds the first one's, and judges it too";
  leave(20);
  EXPECT_EQ(held_against(take("run-3").result), good_.snapshot->id) << "the empty one is no predecessor";
  watch_.last_good = empty.result.snapshot->id;
  auto accepted = take("run-4").result;
  EXPECT_EQ(held_against(accepted), "") << "the empty one was accepted";
  EXPECT_EQ(accepted.snapshot->baseline, (proto::baseline{*watch_.last_good, 50})) << "and this snapshot says so";
  watch_ = {.percent = 50};
  leave(40);
  EXPECT_EQ(held_against(take("run-5").result), "") << "it has grown back";
}

TEST_F(ShrunkSource, IsHeldWhoeverLeavesTheFilesOut) {
  write_file(source_ / ".kopiaignore", "*\n");
  EXPECT_EQ(held_against(take("run-2").result), good_.snapshot->id);
}

TEST_F(ShrunkSource, IsHeldThoughNothingHasChangedSince) {
  proto::snapshot_policy policy{.ignore_identical_snapshots = true};
  leave(0);
  auto first = take("run-2", policy);
  auto second = take("run-3", policy);
  EXPECT_EQ(second.result.outcome, proto::outcome::Unchanged);
  ASSERT_EQ(held_against(second.result), good_.snapshot->id);
  EXPECT_EQ(second.result.shrunk->snapshot, first.result.snapshot->id);
}

TEST_F(ShrunkSource, IsNotWhatACacheTagAtItsRootMakesOfIt) {
  constexpr char const* tag = "Signature: 8a477f597d28d172789f06886806bc55\n";
  write_file(source_ / "CACHEDIR.TAG", tag);
  auto tagged = take("run-2");
  EXPECT_EQ(tagged.result.snapshot->files, 43);
  EXPECT_FALSE(tagged.result.shrunk);
}

/// Trials, T2 and T3: names that kopia cannot store.
class OddNames : public Snapshot {
 protected:
  static bool has(printed const& listing, std::string const& name) { return listing.out.contains(name); }
  printed tree_of(proto::kopia_result const& what) { return kopia({"ls", "-r", what.snapshot->id}); }
};

TEST_F(OddNames, ThatAreNoUtf8FailTheBackupAndNothingElse) {
  write_file(source_ / "caf\xE9", "1");
  write_file(source_ / "caf\xEA", "2");
  write_file(source_ / "cafe", "3");
  write_file(source_ / "folder/d\xFF/in", "4");
  auto done = snapshot();
  EXPECT_EQ(done.status, 1);
  ASSERT_TRUE(done.result.failure) << ::testing::PrintToString(done);
  EXPECT_EQ(done.result.failure->class_, SourceUnreadable);
  EXPECT_FALSE(done.result.failure->retryable);
  EXPECT_TRUE(done.result.failure->message.contains("caf\\xE9, caf\\xEA, folder/d\\xFF.")) << done.result.failure->message;
  ASSERT_TRUE(done.result.snapshot) << "what can be kept is kept";
  auto tree = tree_of(done.result);
  EXPECT_TRUE(has(tree, "cafe") && has(tree, "a.txt") && has(tree, "folder/b.txt")) << tree.out;
  EXPECT_FALSE(has(tree, "caf\xEF\xBF\xBD")) << "not one of the two for both";
  auto ignored = snapshot({.run = "run-2"}, {.ignore_file_errors = true});
  EXPECT_EQ(ignored.status, 0) << ::testing::PrintToString(ignored);
  EXPECT_EQ(ignored.result.stats->error_count, 3);
  EXPECT_EQ(ignored.result.left_out, (proto::left_out{.files = 3, .examples = {"caf\\xE9", "caf\\xEA", "folder/d\\xFF"}}));
}

TEST_F(OddNames, ThatTheRecipeLeavesOutAreNobodysTrouble) {
  write_file(source_ / "cache/x\xE9", "1");
  write_file(source_ / "folder/y\xE9", "2");
  write_file(source_ / "folder/.kopiaignore", "y*\n");
  write_file(source_ / "tmp/CACHEDIR.TAG", "Signature: 8a477f597d28d172789f06886806bc55\n");
  write_file(source_ / "tmp/z\xE9", "3");
  auto done = snapshot({}, {.ignore_paths = {"/cache/"}});
  EXPECT_EQ(done.status, 0) << ::testing::PrintToString(done);
  EXPECT_FALSE(done.result.left_out);
  write_file(source_ / "folder/z\xE9", "4");
  auto after = snapshot({.run = "run-2"}, {.ignore_paths = {"/cache/"}});
  EXPECT_EQ(after.result.left_out, (proto::left_out{.files = 1, .examples = {"folder/z\\xE9"}})) << ::testing::PrintToString(after);
}

/// Trials, T12: kopia aborts at a dangling `.kopiaignore`, and blocks at a pipe of that name; neither may stop a backup.
TEST_F(OddNames, OfRulesThatCannotBeReadStopNoBackup) {
  write_file(source_ / ".kopiaignore", "a.txt\n");
  fs::create_symlink("nowhere", source_ / "folder/.kopiaignore");
  auto done = snapshot({.run = "run-1"});
  ASSERT_EQ(done.status, 0) << ::testing::PrintToString(done);
  EXPECT_EQ(done.result.left_out, (proto::left_out{.rules = 1, .examples = {"folder/.kopiaignore"}}));
  EXPECT_TRUE(has(tree_of(done.result), "a.txt")) << "more is saved, never less";
  fs::remove(source_ / "folder/.kopiaignore");
  ASSERT_EQ(::mkfifo((source_ / "folder/.kopiaignore").c_str(), 0600), 0);
  EXPECT_EQ(snapshot({.run = "run-2"}).status, 0);
  fs::remove(source_ / "folder/.kopiaignore");
  auto sound = snapshot({.run = "run-3"});
  EXPECT_FALSE(sound.result.left_out);
  EXPECT_FALSE(has(tree_of(sound.result), "a.txt"));
}

TEST_F(OddNames, OfPlaceholdersStopNoBackupAndReadNothing) {
  write_file(source_ / "d.kopia-entry/f", "");
  write_file(source_ / "note.kopia-entry", "{}");
  write_file(source_ / "folder/a*b.kopia-entry", "{}");
  write_file(source_ / "folder/axb", "sound");
  auto done = snapshot({.run = "run-2"});
  ASSERT_EQ(done.status, 0) << ::testing::PrintToString(done);
  EXPECT_EQ(done.result.left_out->placeholders, 3);
  EXPECT_TRUE(has(tree_of(done.result), "folder/axb")) << "the pattern fits the placeholder alone";
  write_file(source_ / "note", "the user's");
  auto hidden = snapshot({.run = "run-3"});
  EXPECT_EQ(hidden.result.failure->class_, SourceUnreadable) << "a file that a placeholder hides is not kept";
  EXPECT_TRUE(hidden.result.failure->message.contains("note")) << hidden.result.failure->message;
  EXPECT_TRUE(hidden.result.snapshot);
}

/// Trials, T14: for two folders with a file of the same name, size and time, each snapshot contains its own folder's bytes.
TEST_F(Snapshot, OfHistoryHashesEverything) {
  auto import = [&](std::string const& folder, std::string const& bytes, std::string const& time) {
    write_file(root_ / folder / "x", bytes);
    timespec const times[2] = {{1'000'000'000, 0}, {1'000'000'000, 0}};
    ::utimensat(AT_FDCWD, (root_ / folder / "x").c_str(), times, 0);
    auto when = instant_from(time);
    return run(proto::snapshot_work{.path = root_ / folder, .source = identity_, .start_time = when, .end_time = when}, {.run = folder})
        .result;
  };
  auto first = import("monday", "first", "2026-01-01T00:00:00Z"), second = import("tuesday", "other", "2026-01-02T00:00:00Z");
  auto read = [&](proto::kopia_result const& what) {
    return run(proto::browse_work{.snapshot_ID = what.snapshot->id, .path = "/x", .content = true}).out;
  };
  EXPECT_EQ(read(first), "first");
  EXPECT_EQ(read(second), "other");
}

/// Trials, T9: a folder of 40,000 files is listed completely.
TEST_F(Snapshot, IsListedHoweverManyFilesAFolderHas) {
  constexpr int many = 40'000;
  for (int i = 0; i < many; ++i) write_file(source_ / "many" / ("a-file-with-a-name-of-some-length-" + std::to_string(i)), "");
  auto id = snapshot().result.snapshot->id;
  auto listed = run(proto::browse_work{.snapshot_ID = id, .path = "/many"});
  EXPECT_EQ(listed.status, 0) << listed.result_text;
  EXPECT_EQ(listed.result.rows, many);
  EXPECT_EQ(run(proto::browse_work{.snapshot_ID = id, .path = "/a.txt"}).failed(), InvalidWork);
}

TEST_F(Snapshot, FollowsItsRecipeExactly) {
  proto::snapshot_policy policy{
      .compressor = "zstd", .never_compress = {"*.gz"}, .ignore_paths = {"*.tmp"}, .extra_args = {"--parallel=2"}};
  write_file(source_ / "x.tmp", "scratch");
  write_file(source_ / "lost+found/y", "the file system's");
  auto first = snapshot({.run = "run-1"}, policy);
  EXPECT_EQ(first.result.snapshot->files, 2) << ::testing::PrintToString(first);
  policy.ignore_paths.clear();
  EXPECT_EQ(snapshot({.run = "run-2"}, policy).result.snapshot->files, 3);
}

TEST_F(Snapshot, WithUnreadableFilesIsRecordedAndFails) {
  become_nobody();
  write_file(source_ / "secret", "not for you");
  fs::permissions(source_ / "secret", fs::perms::none);
  auto some = snapshot({.run = "run-1"});
  EXPECT_EQ(some.failed(), SourceUnreadable) << ::testing::PrintToString(some);
  ASSERT_TRUE(some.result.snapshot);
  EXPECT_EQ(some.result.snapshot->error_count, 1);
  EXPECT_EQ(some.result.snapshot->files, 2);
  auto retried = snapshot({.run = "run-1", .attempt = 2});
  EXPECT_EQ(retried.result.snapshot->id, some.result.snapshot->id) << "an attempt that left a partial snapshot is not made again";
  auto ignoring = snapshot({.run = "run-2"}, {.ignore_file_errors = true});
  EXPECT_EQ(ignoring.status, 0) << ::testing::PrintToString(ignoring);
  EXPECT_EQ(ignoring.result.stats->error_count, 1);
  fill(150);
  auto late = snapshot({.run = "run-3", .environment = {{"KOPIUR_KOPIA", slow_kopia(still_at_it)}}});
  EXPECT_TRUE(late.out.contains("\"hashing\"")) << "there were frames";
  EXPECT_EQ(late.failed(), SourceUnreadable) << ::testing::PrintToString(late);
}

/// Trials, T7: the class is the same whether kopia is killed early or late.
TEST_F(Snapshot, ThatTheKernelKillsIsOutOfMemory) {
  auto killed = root_ / "killed-kopia";
  write_file(killed, "#!/bin/sh\n[ \"$1 $2\" != 'snapshot create' ] || kill -9 $$\nexec " + kopia_ + " \"$@\"\n");
  fs::permissions(killed, fs::perms::owner_all);
  auto early = snapshot({.environment = {{"KOPIUR_KOPIA", killed}}});
  EXPECT_EQ(early.failed(), OutOfMemory) << ::testing::PrintToString(early);
  fill(150);
  auto kill_kopia = [sent = false](int mover, std::string const& out) mutable {
    if (sent || !out.contains("\"hashing\"")) return;
    sent = true;
    EXPECT_EQ(run_program({"/usr/bin/pkill", "-KILL", "-P", std::to_string(mover)}, {}).status, 0);
  };
  auto late = snapshot({.run = "run-2", .environment = {{"KOPIUR_KOPIA", slow_kopia(still_at_it)}}, .watch = kill_kopia});
  EXPECT_EQ(late.failed(), OutOfMemory) << ::testing::PrintToString(late);
}

TEST_F(Snapshot, OfAMissingSourceSaysSo) {
  fs::remove_all(source_);
  EXPECT_EQ(snapshot().failed(), SourceMissing);
}

TEST_F(Snapshot, IsNotTakenTwiceForOneRun) {
  auto first = snapshot({.run = "run-1"});
  auto second = snapshot({.run = "run-1", .attempt = 2});
  EXPECT_EQ(second.status, 0) << ::testing::PrintToString(second);
  EXPECT_EQ(second.result.snapshot->id, first.result.snapshot->id);
  auto other = snapshot({.run = "run-2", .attempt = 2});
  EXPECT_NE(other.result.snapshot->id, first.result.snapshot->id);
  EXPECT_LE(other.result.opens, 5);
  EXPECT_EQ(list().size(), 2U);
}

// Sends the signal after kopia has begun to hash.
watcher when_hashing(int number) {
  return [number, sent = false](int id, std::string const& out) mutable {
    if (sent || out.find("\"hashing\"") == std::string::npos) return;
    sent = true;
    ::kill(id, number);
  };
}

TEST_F(Snapshot, CancelledByTermFailsAsCancelledAndSavesNothingComplete) {
  fill(150);
  auto cancelled = snapshot({.environment = {{"KOPIUR_KOPIA", slow_kopia(still_at_it)}}, .watch = when_hashing(SIGTERM)});
  EXPECT_EQ(cancelled.status, 1);
  EXPECT_EQ(cancelled.failed(), Cancelled) << ::testing::PrintToString(cancelled);
  EXPECT_TRUE(list().empty());
}

/// Cancellation also stops the walk of names, before kopia runs.
TEST_F(Snapshot, CancelledWhileTheNamesAreLookedAt) {
  for (int i = 0; i < 300; ++i) fs::create_directories(source_ / std::to_string(i));
  for (int i = 0; i < 60'000; ++i) std::ofstream(source_ / std::to_string(i % 300) / std::to_string(i));
  auto stop = [sent = false](int id, std::string const& out) mutable {
    if (!sent && out.contains("\"scanning\"")) sent = true, ::kill(id, SIGTERM);
  };
  auto cancelled = snapshot({.watch = stop});
  EXPECT_EQ(cancelled.failed(), Cancelled) << ::testing::PrintToString(cancelled);
  EXPECT_LE(cancelled.result.opens, 1) << "kopia did nothing";
}

TEST_F(Snapshot, KilledLeavesNoKopiaAndTheNextAttemptDoesTheWork) {
  fill(150);
  auto killed = snapshot({.environment = {{"KOPIUR_KOPIA", slow_kopia(still_at_it)}}, .watch = when_hashing(SIGKILL)});
  EXPECT_EQ(killed.status, 128 + SIGKILL);
  EXPECT_TRUE(killed.result_text.empty());
  EXPECT_EQ(run_program({"/usr/bin/pgrep", "-f", root_.string()}, {}).out, "") << "kopia went with its mover";
  auto next = snapshot({.attempt = 2});
  EXPECT_EQ(next.status, 0) << ::testing::PrintToString(next);
  auto third = snapshot({.attempt = 3});
  EXPECT_EQ(third.result.snapshot->id, next.result.snapshot->id);
  EXPECT_EQ(list().size(), 1U);
}

TEST_F(Snapshot, KeepsAllThoughKopiaWouldDelete) {
  std::set<std::string> ids;
  for (int i = 0; i < 15; ++i) {
    write_file(source_ / "a.txt", "version " + std::to_string(i));
    auto done = snapshot({.run = "run-" + std::to_string(i)});
    ASSERT_EQ(done.status, 0) << ::testing::PrintToString(done);
    ids.insert(done.result.snapshot->id);
  }
  auto rows = list();
  EXPECT_EQ(rows.size(), 15U);
  for (auto const& row : rows) EXPECT_TRUE(ids.contains(row.id));
}

TEST_F(Snapshot, TakesKopiasRetentionOutOfForceAgainWhenSomebodySetIt) {
  ASSERT_EQ(snapshot({.run = "run-0"}).status, 0);
  ASSERT_EQ(kopia({"policy", "set", "app@prod:/pvc/data", "--keep-latest=1", "--keep-annual=0"}).status, 0);
  for (int i = 1; i < 4; ++i) ASSERT_EQ(snapshot({.run = "run-" + std::to_string(i)}).status, 0);
  EXPECT_EQ(list().size(), 4U);
  ASSERT_EQ(kopia({"policy", "set", "--global", "--keep-latest=1"}).status, 0);
  ASSERT_EQ(run(proto::connect_work{}).status, 0);
  EXPECT_NE(kopia({"policy", "show", "--global", "--json"}).out.find("\"keepLatest\":0"), std::string::npos);
}

TEST_F(Snapshot, OfThePastHasTheTimesGiven) {
  auto time = *instant_from("2025-03-30T01:30:00Z");
  proto::snapshot_work past{.path = source_, .source = identity_, .start_time = time, .end_time = time + std::chrono::minutes(5)};
  auto done = run(past);
  ASSERT_EQ(done.status, 0) << ::testing::PrintToString(done);
  EXPECT_EQ(done.result.snapshot->start_time, time);
  EXPECT_EQ(done.result.snapshot->end_time, time + std::chrono::minutes(5));
}

TEST_F(Snapshot, OnAFullDiskSaysSo) {
  wrapper_ = {"/usr/bin/unshare",
              "-m",
              "/bin/sh",
              "-c",
              "mount -t tmpfs -o size=8m none " + (root_ / "repository").string() + " && cp -a " + (root_ / "copy").string() + "/. " +
                  (root_ / "repository").string() + " && exec \"$@\"",
              "sh"};
  fs::copy(root_ / "repository", root_ / "copy", fs::copy_options::recursive);
  fill(30);
  auto full = snapshot();
  EXPECT_EQ(full.failed(), DiskFull) << ::testing::PrintToString(full);
}

}  // namespace
}  // namespace kopiur::mover::test
