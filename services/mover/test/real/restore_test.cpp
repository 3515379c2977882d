#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "services/mover/test/real/lab.hpp"

namespace kopiur::mover::test {
namespace {

using enum proto::kopia_failure;

class Restore : public lab {
 protected:
  void SetUp() override {
    write_file(source_ / "a.txt", "hello");
    write_file(source_ / "folder/b.txt", "world");
    write_file(source_ / "folder/deep/c.txt", "deep");
    fs::create_symlink("a.txt", source_ / "link");
    create_repository();
    id_ = snapshot().result.snapshot.value().id;
    fs::create_directory(outside());
    write_file(outside() / "untouched", "as it was");
    before_ = tree_of(outside());
  }
  fs::path outside() const { return root_ / "outside"; }
  ended restore(proto::restore_options options = {}, run_as run_as = {}) {
    return run(proto::restore_work{.snapshot_ID = id_, .source = identity_, .target = target_, .options = options}, std::move(run_as));
  }
  void expect_refused(ended const& what, std::string const& name) {
    EXPECT_EQ(what.failed(), TargetConflict) << ::testing::PrintToString(what);
    EXPECT_NE(what.result.failure->message.find(name), std::string::npos) << what.result.failure->message;
    EXPECT_EQ(tree_of(outside()), before_);
    EXPECT_FALSE(fs::is_regular_file(fs::symlink_status(target_ / "a.txt"))) << "something was written";
  }

  std::string id_;
  std::map<std::string, std::string> before_;
};

void set_time(fs::path const& path, long seconds, long nanoseconds) {
  timespec const times[2] = {{seconds, nanoseconds}, {seconds, nanoseconds}};
  ::utimensat(AT_FDCWD, path.c_str(), times, AT_SYMLINK_NOFOLLOW);
}

/// What our rules exclude from snapshots is not extra data in a target: deleting it would lose it, possibly with the repository itself.
TEST_F(Restore, DeletesNothingThatNoSnapshotCanHold) {
  fs::create_directory(target_);
  fs::rename(root_ / "repository", target_ / "repository");
  fs::create_directory_symlink(target_ / "repository", root_ / "repository");
  auto whole = tree_of(target_);
  expect_refused(restore({.enable_file_deletion = true}), "kopiur's own: repository");
  expect_refused(restore({.enable_file_deletion = true}, {.environment = {{"KOPIUR_DATA", target_.string()}}}), "kopiur's own: repository");
  auto planned = run(proto::restore_work{
      .snapshot_ID = id_, .source = identity_, .target = target_, .options = {.enable_file_deletion = true}, .dry_run = true});
  EXPECT_EQ(planned.failed(), TargetConflict) << ::testing::PrintToString(planned);
  EXPECT_EQ(tree_of(target_), whole);
  EXPECT_EQ(restore({.enable_file_deletion = true, .path = "folder"}).status, 0) << "it lies elsewhere";
  EXPECT_EQ(restore().status, 0) << "nothing is deleted";
  fs::remove(root_ / "repository");
  fs::rename(target_ / "repository", root_ / "repository");
  write_file(target_ / "folder/caf\xe9", "the only one");
  auto kept = restore({.enable_file_deletion = true});
  EXPECT_EQ(kept.failed(), TargetConflict) << ::testing::PrintToString(kept);
  EXPECT_TRUE(kept.result.failure->message.contains("cannot keep its name: folder/caf\\xE9")) << kept.result.failure->message;
  EXPECT_EQ(read_all(target_ / "folder/caf\xe9"), "the only one");
}

TEST_F(Restore, GivesBackBytesModesOwnersAndTimes) {
  write_file(source_ / "empty", "");
  write_file(source_ / "name with  blanks", "x");
  write_file(source_ / " leading", "x");
  write_file(source_ / "line\nbreak", "x");
  write_file(source_ / "caf\xc3\xa9/\xe2\x82\xac", std::string(3'000'000, '\xff'));
  fs::create_directory(source_ / "bare folder");
  ::chmod((source_ / "empty").c_str(), 04711);
  ::chmod((source_ / "bare folder").c_str(), 01777);
  if (::geteuid() == 0) ASSERT_EQ(::lchown((source_ / "a.txt").c_str(), 1234, 5678), 0);
  set_time(source_ / "a.txt", 1'000'000'000, 123'456'789);
  set_time(source_ / "bare folder", 999'999'999, 987'654'321);
  auto taken = snapshot({.run = "run-2"});
  id_ = taken.result.snapshot.value().id;
  auto done = restore();
  ASSERT_EQ(done.status, 0) << ::testing::PrintToString(done);
  EXPECT_EQ(tree_of(target_), tree_of(source_));
  EXPECT_EQ(done.result.restored_files, taken.result.snapshot->files);
  EXPECT_EQ(done.result.restored_bytes, taken.result.snapshot->size_bytes);
  EXPECT_LE(done.result.opens, 5);
  auto again = restore();
  EXPECT_EQ(again.status, 0) << "over itself, names with line breaks and all: " << ::testing::PrintToString(again);
  EXPECT_EQ(tree_of(target_), tree_of(source_));
}

TEST_F(Restore, RefusesALinkWhereTheSnapshotHasAFolder) {
  fs::create_directory(target_);
  fs::create_directory_symlink(outside(), target_ / "folder");
  expect_refused(restore(), "a link at folder");
}

TEST_F(Restore, RefusesALinkDeepInsideAndInAFilesPlace) {
  fs::create_directories(target_ / "folder");
  fs::create_directory_symlink(outside(), target_ / "folder/deep");
  expect_refused(restore(), "folder/deep");
  fs::remove(target_ / "folder/deep");
  fs::create_symlink(outside() / "untouched", target_ / "a.txt");
  expect_refused(restore(), "a link at a.txt");
}

TEST_F(Restore, RefusesOtherKindsInTheWay) {
  write_file(target_ / "folder", "a file");
  expect_refused(restore(), "a file at folder, where the snapshot has a folder");
  fs::remove(target_ / "folder");
  fs::create_directory(target_ / "link");
  expect_refused(restore(), "a folder at link");
  fs::remove(target_ / "link");
  ::mkfifo((target_ / "a.txt").c_str(), 0600);
  expect_refused(restore(), "a.txt");
}

TEST_F(Restore, RefusesALinkWithALineBreakInItsName) {
  write_file(source_ / "fol\nder/x", "x");
  id_ = snapshot({.run = "run-2"}).result.snapshot.value().id;
  fs::create_directory(target_);
  fs::create_directory_symlink(outside(), target_ / "fol\nder");
  expect_refused(restore(), "a link at fol\nder");
}

TEST_F(Restore, RefusesATargetThatIsALink) {
  fs::create_directory_symlink(outside(), target_);
  expect_refused(restore(), "is a link");
}

TEST_F(Restore, TakesLinksThatAreInNobodysWay) {
  fs::create_directory(target_);
  fs::create_symlink("elsewhere", target_ / "link");  // the snapshot has a link there, too
  fs::create_directory_symlink(outside(), target_ / "unrelated");
  write_file(target_ / "folder/b.txt", "to be replaced");
  write_file(target_ / "lost+found/x", "the file system's");
  auto done = restore();
  ASSERT_EQ(done.status, 0) << ::testing::PrintToString(done);
  EXPECT_EQ(fs::read_symlink(target_ / "link"), "a.txt");
  EXPECT_TRUE(fs::is_symlink(target_ / "unrelated"));
  EXPECT_EQ(read_all(target_ / "folder/b.txt"), "world");
  EXPECT_EQ(tree_of(outside()), before_);
}

TEST_F(Restore, RemovesWhatTheSnapshotLacksOnlyWhenAsked) {
  write_file(target_ / "extra", "x");
  ASSERT_EQ(restore().status, 0);
  EXPECT_TRUE(fs::exists(target_ / "extra"));
  ASSERT_EQ(restore({.enable_file_deletion = true}).status, 0);
  EXPECT_FALSE(fs::exists(target_ / "extra"));
  EXPECT_TRUE(fs::exists(target_ / "a.txt"));
}

// A link that appears between the comparison and the restore: the mount namespace confines kopia.
TEST_F(Restore, AsRootCannotLeaveItsTarget) {
  ASSERT_EQ(::geteuid(), 0U) << "this test is about root";
  auto planting = root_ / "planting-kopia";
  write_file(planting,
             "#!/bin/sh\ncase \"$1\" in restore) ln -s " + outside().string() + " \"$3/folder\";; esac\nexec " + kopia_ + " \"$@\"\n");
  fs::permissions(planting, fs::perms::owner_all);
  auto stopped = restore({}, {.environment = {{"KOPIUR_KOPIA", planting}}});
  EXPECT_EQ(stopped.status, 1) << ::testing::PrintToString(stopped);
  EXPECT_EQ(stopped.failed(), PermissionDenied) << ::testing::PrintToString(stopped);
  EXPECT_TRUE(fs::is_symlink(target_ / "folder")) << "the link was there";
  EXPECT_EQ(tree_of(outside()), before_);
}

TEST_F(Restore, RefusesTheSnapshotOfAnotherSource) {
  proto::restore_work foreign{.snapshot_ID = id_, .source = {"app", "prod", "/pvc/other"}, .target = target_};
  auto refused = run(foreign);
  EXPECT_EQ(refused.failed(), SnapshotMissing) << ::testing::PrintToString(refused);
  EXPECT_NE(refused.result.failure->message.find("is of app@prod:/pvc/data, not of app@prod:/pvc/other"), std::string::npos);
  EXPECT_FALSE(fs::exists(target_));
}

TEST_F(Restore, OfOneFolderOrFileLeavesAllElse) {
  ::chmod((source_ / "folder").c_str(), 0711);
  id_ = snapshot({.run = "run-2"}).result.snapshot.value().id;
  write_file(target_ / "mine", "stays");
  auto done = restore({.enable_file_deletion = true, .path = "folder/deep"});
  ASSERT_EQ(done.status, 0) << ::testing::PrintToString(done);
  EXPECT_EQ(read_all(target_ / "folder/deep/c.txt"), "deep");
  EXPECT_EQ(done.result.restored_bytes, 4);
  EXPECT_EQ(fs::status(target_ / "folder").permissions(), fs::perms(0711)) << "a folder that was made is as in the snapshot";
  EXPECT_FALSE(fs::exists(target_ / "folder/b.txt"));
  EXPECT_EQ(read_all(target_ / "mine"), "stays") << "what is outside is not extra";
  auto one = restore({.path = "folder/b.txt"});
  ASSERT_EQ(one.status, 0) << ::testing::PrintToString(one);
  EXPECT_EQ(one.result.restored_files, 1);
  EXPECT_EQ(read_all(target_ / "folder/b.txt"), "world");
  EXPECT_FALSE(fs::exists(target_ / "a.txt"));
}

TEST_F(Restore, OfAPartRefusesWhatIsNotThereAndWhatIsInItsWay) {
  auto none = restore({.path = "folder/none"});
  EXPECT_EQ(none.failed(), InvalidWork);
  EXPECT_NE(none.result.failure->message.find("has nothing at folder/none"), std::string::npos) << none.result.failure->message;
  EXPECT_EQ(restore({.path = "a.txt/below"}).failed(), InvalidWork);
  fs::create_directory_symlink(outside(), target_ / "folder");
  expect_refused(restore({.path = "folder/deep"}), "a link at folder");
  fs::remove(target_ / "folder");
  write_file(target_ / "folder.kopia-entry", "the user's own");
  expect_refused(restore({.path = "folder"}), "folder.kopia-entry");
}

TEST_F(Restore, OverwritesNothingWhereItMustNot) {
  ASSERT_EQ(restore().status, 0);
  fs::remove(target_ / "folder/deep/c.txt");
  ASSERT_EQ(restore({.overwrite_files = false}).status, 0) << "what is the same is in nobody's way";
  EXPECT_EQ(read_all(target_ / "folder/deep/c.txt"), "deep");
  fs::remove(target_ / "folder/deep/c.txt");
  write_file(target_ / "folder/b.txt", "newer");
  auto refused = restore({.overwrite_files = false});
  EXPECT_EQ(refused.failed(), TargetConflict) << ::testing::PrintToString(refused);
  EXPECT_NE(refused.result.failure->message.find("folder/b.txt, which differs"), std::string::npos) << refused.result.failure->message;
  EXPECT_EQ(read_all(target_ / "folder/b.txt"), "newer");
  EXPECT_FALSE(fs::exists(target_ / "folder/deep/c.txt")) << "nothing was written";
}

class RestoreOwners : public Restore {
 protected:
  void SetUp() override {
    Restore::SetUp();
    ASSERT_EQ(::geteuid(), 0U) << "these tests are about owners";
    ASSERT_EQ(::lchown((source_ / "a.txt").c_str(), 1234, 5678), 0);
    ASSERT_EQ(::lchown((source_ / "link").c_str(), 1234, 5678), 0);
    id_ = snapshot({.run = "run-2"}).result.snapshot.value().id;
  }
  void run_without_chown() { wrapper_ = {"/usr/bin/setpriv", "--bounding-set", "-chown", "--inh-caps", "-chown"}; }
};

TEST_F(RestoreOwners, AreComparedWithTheSnapshots) {
  auto all = restore();
  ASSERT_TRUE(all.result.ownership) << ::testing::PrintToString(all);
  EXPECT_EQ(all.result.ownership->entries, 7) << "the root, two folders, three files, a link";
  EXPECT_EQ(all.result.ownership->lost, 0) << ::testing::PrintToString(all.result.ownership->examples);
  fs::remove_all(target_);
  run_without_chown();
  auto some = restore();
  ASSERT_EQ(some.status, 0) << ::testing::PrintToString(some);
  EXPECT_EQ(some.result.ownership->lost, 2);
  EXPECT_EQ(some.result.ignored_permission_errors, 2);
  EXPECT_EQ(some.result.ownership->examples, (std::vector<std::string>{"a.txt (1234:5678 0644 -> 0:0 0644)", "link (1234:5678 -> 0:0)"}));
  EXPECT_EQ(restore({.skip_owners = true}).result.ownership->lost, 0) << "nobody asked for them";
}

TEST_F(RestoreOwners, ThatAreRequiredAndCannotBeKeptStopItBeforeItWrites) {
  run_without_chown();
  auto refused = restore({.require_ownership = true});
  EXPECT_EQ(refused.failed(), OwnershipNotKept) << ::testing::PrintToString(refused);
  EXPECT_NE(refused.result.failure->message.find("a.txt (1234:5678 0644 -> 0:0 0644)"), std::string::npos);
  EXPECT_TRUE(fs::is_empty(target_));
}

// A file system that accepts a change of owner and does not store it, as some network file systems do.
TEST_F(RestoreOwners, ThatAreRequiredAndDoNotComeFailIt) {
  auto losing = root_ / "losing-kopia";
  write_file(losing, "#!/bin/sh\ncase \"$1\" in restore) " + kopia_ + " \"$@\" && exec chmod 0600 \"$3/a.txt\";; esac\nexec " + kopia_ +
                         " \"$@\"\n");
  fs::permissions(losing, fs::perms::owner_all);
  run_as as{.environment = {{"KOPIUR_KOPIA", losing}}};
  auto failed = restore({.require_ownership = true}, as);
  EXPECT_EQ(failed.failed(), OwnershipNotKept) << ::testing::PrintToString(failed);
  EXPECT_NE(failed.result.failure->message.find("1 of 7 entries: a.txt (1234:5678 0644 -> 1234:5678 0600)"), std::string::npos);
  EXPECT_EQ(restore({}, as).status, 0);
}

TEST_F(Restore, SaysWhatIsMissingThoughKopiaEndedWell) {
  auto losing = root_ / "losing-kopia";
  write_file(losing, "#!/bin/sh\ncase \"$1\" in restore) " + kopia_ + " \"$@\" && exec rm \"$3/folder/b.txt\";; esac\nexec " + kopia_ +
                         " \"$@\"\n");
  fs::permissions(losing, fs::perms::owner_all);
  auto failed = restore({}, {.environment = {{"KOPIUR_KOPIA", losing}}});
  EXPECT_EQ(failed.failed(), Unknown) << ::testing::PrintToString(failed);
  EXPECT_NE(failed.result.failure->message.find("not in the target, the first: folder/b.txt"), std::string::npos);
}

TEST_F(Restore, ThatCannotBeComparedStandsAndSaysNothingOfOwners) {
  auto mute = root_ / "mute-kopia";
  write_file(mute, "#!/bin/sh\ncase \"$1\" in server) echo no >&2; exit 1;; esac\nexec " + kopia_ + " \"$@\"\n");
  fs::permissions(mute, fs::perms::owner_all);
  run_as as{.environment = {{"KOPIUR_KOPIA", mute}}};
  auto done = restore({}, as);
  ASSERT_EQ(done.status, 0) << ::testing::PrintToString(done);
  EXPECT_FALSE(done.result.ownership);
  EXPECT_EQ(restore({}, as).failed(), Unknown) << "into what is there it writes nothing that was not compared";
}

class DryRun : public Restore {
 protected:
  proto::restore_preview preview(proto::restore_options options, std::string target) {
    auto said = run(proto::restore_work{
        .snapshot_ID = id_, .source = identity_, .target = std::move(target), .options = std::move(options), .dry_run = true});
    EXPECT_EQ(said.status, 0) << ::testing::PrintToString(said);
    return said.result.preview.value_or(proto::restore_preview{});
  }
};

TEST_F(DryRun, SaysWhatWouldBeWrittenAndWritesNothing) {
  for (auto target : {std::string(), target_.string()}) {
    auto plan = preview({}, target);
    EXPECT_EQ(plan.snapshot_ID, id_);
    EXPECT_EQ(plan.files, 4);
    EXPECT_EQ(plan.folders, 3);
    EXPECT_EQ(plan.bytes, 5 + 5 + 4);
    EXPECT_EQ(plan.created, 4);
    EXPECT_EQ(plan.ownership_lost, 0);
  }
  EXPECT_FALSE(fs::exists(target_));
}

TEST_F(DryRun, SaysWhatOfTheTargetWouldChange) {
  ASSERT_EQ(restore().status, 0);
  fs::remove(target_ / "a.txt");
  write_file(target_ / "folder/b.txt", "changed");
  write_file(target_ / "extra/deep/one", "x");
  write_file(target_ / "folder/two", "x");
  auto before = tree_of(target_);
  auto plan = preview({.enable_file_deletion = true}, target_);
  EXPECT_EQ(plan.created, 1);
  EXPECT_EQ(plan.replaced, 1);
  EXPECT_EQ(plan.unchanged, 2);
  EXPECT_EQ(plan.deleted, 2);
  EXPECT_EQ(preview({}, target_).deleted, 0);
  auto part = preview({.enable_file_deletion = true, .path = "folder/deep"}, target_);
  EXPECT_EQ(part.files, 1);
  EXPECT_EQ(part.deleted, 0);
  EXPECT_EQ(tree_of(target_), before);
}

TEST_F(DryRun, RefusesWhatTheRestoreWouldRefuse) {
  fs::create_directory(target_);
  fs::create_directory_symlink(outside(), target_ / "folder");
  auto refused = run(proto::restore_work{.snapshot_ID = id_, .source = identity_, .target = target_, .options = {}, .dry_run = true});
  EXPECT_EQ(refused.failed(), TargetConflict) << ::testing::PrintToString(refused);
}

/// The whole file need not be read to detect that it is not a folder.
TEST_F(Restore, OfASingleFileIsRefused) {
  auto taken = run(proto::snapshot_work{.path = source_ / "a.txt", .source = identity_}, {.run = "run-2"});
  id_ = taken.result.snapshot.value().id;
  auto refused = restore();
  EXPECT_EQ(refused.failed(), InvalidWork) << ::testing::PrintToString(refused);
  EXPECT_NE(refused.result.failure->message.find("is of a single file"), std::string::npos);
  EXPECT_FALSE(fs::exists(target_));
}

TEST_F(Restore, OfAnUnknownSnapshotSaysSo) {
  id_ = std::string(32, '0');
  EXPECT_EQ(restore().failed(), SnapshotMissing);
}

TEST_F(Restore, OntoAFullDiskSaysSo) {
  write_file(source_ / "big", std::string(20'000'000, 'x'));
  id_ = snapshot({.run = "run-2"}).result.snapshot.value().id;
  fs::create_directory(target_);
  wrapper_ = {"/usr/bin/unshare", "-m", "/bin/sh", "-c", "mount -t tmpfs -o size=4m none " + target_.string() + " && exec \"$@\"", "sh"};
  auto full = restore();
  EXPECT_EQ(full.failed(), DiskFull) << ::testing::PrintToString(full);
}

/// Trials, T7: after the first progress frame, kopia's error is in the record of the last frame; its class must not be lost.
TEST_F(Restore, OntoADiskThatFillsUpSaysSoInTheMiddle) {
  write_random(source_ / "big", 40);
  id_ = snapshot({.run = "run-2"}).result.snapshot->id;
  fs::create_directory(target_);
  wrapper_ = {"/usr/bin/unshare", "-m", "/bin/sh", "-c", "mount -t tmpfs -o size=30m none " + target_.string() + " && exec \"$@\"", "sh"};
  auto done = restore();
  EXPECT_EQ(done.failed(), DiskFull) << ::testing::PrintToString(done);
  EXPECT_TRUE(done.result.failure->stderr_tail.contains("no space left on device")) << done.result.failure->stderr_tail;
}

TEST_F(Restore, OntoWhatItMayNotWriteSaysSoAtEveryMoment) {
  ASSERT_EQ(::geteuid(), 0U) << "this test is about the files of others";
  write_random(source_ / "big", 60);
  id_ = snapshot({.run = "run-2"}).result.snapshot->id;
  become_nobody();
  for (auto const& folder : {target_, target_ / "folder/deep", target_ / "folder"}) fs::create_directories(folder);
  fs::permissions(target_, fs::perms::all);
  auto early = restore({.path = "folder/b.txt"});
  EXPECT_EQ(early.failed(), PermissionDenied) << ::testing::PrintToString(early);
  auto late = restore({.parallel = 1}, {.environment = {{"KOPIUR_KOPIA", slow_kopia(8'000'000)}}});
  EXPECT_TRUE(late.out.contains("\"restoring\"")) << "there were frames: " << late.out;
  EXPECT_EQ(late.failed(), PermissionDenied) << ::testing::PrintToString(late);
}

/// Trials, T6: with kopia's temporary suffix, a name of 246 bytes or more is too long.
TEST_F(Restore, OfALongNameIsWrittenWithoutATemporaryOne) {
  auto longest = std::string(255, 'x');
  write_file(source_ / "folder" / longest, "long");
  id_ = snapshot({.run = "run-2"}).result.snapshot->id;
  auto fresh = restore();
  EXPECT_EQ(fresh.status, 0) << ::testing::PrintToString(fresh);
  EXPECT_EQ(tree_of(target_), tree_of(source_));
  write_file(target_ / "folder" / longest, "changed");
  auto over = restore();
  EXPECT_EQ(over.status, 0) << ::testing::PrintToString(over);
  EXPECT_EQ(tree_of(target_), tree_of(source_));
}

/// Trials, T3: after restoring `folder`, kopia deletes any `folder.kopia-entry` in the target.
TEST_F(Restore, LeavesAloneWhatIsNamedAsAPlaceholder) {
  write_file(target_ / "folder/deep.kopia-entry/keep", "the user's");
  expect_refused(restore(), "folder/deep.kopia-entry");
  auto planned = run(proto::restore_work{.snapshot_ID = id_, .source = identity_, .target = target_, .dry_run = true}, {});
  EXPECT_EQ(planned.failed(), TargetConflict) << ::testing::PrintToString(planned);
  EXPECT_TRUE(fs::exists(target_ / "folder/deep.kopia-entry/keep"));
}

TEST_F(Restore, FromALossyRepositorySaysThatDataIsLost) {
  for (auto const& each : fs::recursive_directory_iterator(root_ / "repository"))
    if (each.is_regular_file() && each.path().filename().string().ends_with(".f") &&
        each.path().lexically_relative(root_ / "repository").string().starts_with("p"))
      fs::remove(each);
  auto lost = restore();
  EXPECT_EQ(lost.failed(), DataLost) << ::testing::PrintToString(lost);
}

}  // namespace
}  // namespace kopiur::mover::test
