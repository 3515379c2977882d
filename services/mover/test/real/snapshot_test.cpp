#include <unistd.h>

#include <csignal>
#include <fstream>
#include <set>

#include "services/mover/test/real/lab.hpp"

namespace kopiur::mover::test {
namespace {

using enum proto::failure_class;

class Snapshot : public lab {
 protected:
  void SetUp() override {
    write_file(source_ / "a.txt", "hello");
    write_file(source_ / "folder/b.txt", "world");
    fs::create_symlink("a.txt", source_ / "link");
    create_repository();
  }
  void fill(std::size_t megabytes) {
    std::ofstream big(source_ / "big", std::ios::binary);
    std::ifstream random("/dev/urandom", std::ios::binary);
    std::string block(1 << 20, '\0');
    for (std::size_t i = 0; i < megabytes; ++i) {
      random.read(block.data(), 1 << 20);
      big << block;
    }
  }
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
  if (::geteuid() == 0)
    wrapper_ = {"/usr/bin/setpriv", "--bounding-set=-all", "--inh-caps=-all", "--reuid=65534", "--regid=65534", "--clear-groups"};
  for (auto* program : {&kopia_, &mover_}) {  // they may lie where another user cannot go
    auto open_to_all = root_ / fs::path(*program).filename();
    fs::copy_file(*program, open_to_all);
    fs::permissions(open_to_all,
                    fs::perms::owner_all | fs::perms::group_read | fs::perms::group_exec | fs::perms::others_read | fs::perms::others_exec);
    *program = open_to_all;
  }
  environment_["KOPIUR_KOPIA"] = kopia_;
  write_file(source_ / "secret", "not for you");
  fs::permissions(source_ / "secret", fs::perms::none);
  fs::permissions(root_, fs::perms::all);
  fs::remove_all(root_ / "cache");
  for (auto const& each : fs::recursive_directory_iterator(root_ / "repository")) fs::permissions(each, fs::perms::all);
  fs::permissions(root_ / "repository", fs::perms::all);
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

/// Bytes a second at which 150 MB are still on their way when the mover first tells of them: kopia lets a first burst pass at once, and at
/// 20 MB a second that was nearly all.
constexpr int still_at_it = 8'000'000;

// Sends the signal once kopia has begun to hash.
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
  auto at = *instant_from("2025-03-30T01:30:00Z");
  proto::snapshot_work past{.path = source_, .source = identity_, .start_time = at, .end_time = at + std::chrono::minutes(5)};
  auto done = run(past);
  ASSERT_EQ(done.status, 0) << ::testing::PrintToString(done);
  EXPECT_EQ(done.result.snapshot->start_time, at);
  EXPECT_EQ(done.result.snapshot->end_time, at + std::chrono::minutes(5));
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
