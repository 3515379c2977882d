#include <sys/stat.h>
#include <unistd.h>

#include "services/mover/test/real/lab.hpp"

namespace kopiur::mover::test {
namespace {

using enum proto::failure_class;

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
  ended restore(proto::restore_options options = {}, run_as how = {}) {
    return run(proto::restore_work{.snapshot_ID = id_, .source = identity_, .target = target_, .options = options}, std::move(how));
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

TEST_F(Restore, GivesBackBytesModesOwnersAndTimes) {
  write_file(source_ / "empty", "");
  write_file(source_ / "name with  blanks", "x");
  write_file(source_ / " leading", "x");
  write_file(source_ / "line\nbreak", "x");
  write_file(source_ / "caf\xc3\xa9/\xe2\x82\xac", std::string(3'000'000, '\xff'));
  fs::create_directory(source_ / "bare folder");
  ::chmod((source_ / "empty").c_str(), 04711);
  ::chmod((source_ / "bare folder").c_str(), 01777);
  if (::geteuid() == 0) ::lchown((source_ / "a.txt").c_str(), 1234, 5678);
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
  fs::create_directory(target_);
  fs::create_directory_symlink(outside(), target_ / "fol\nder");
  expect_refused(restore(), "line break");
}

TEST_F(Restore, RefusesATargetThatIsALink) {
  fs::create_directory_symlink(outside(), target_);
  expect_refused(restore(), "is a link");
}

TEST_F(Restore, TakesLinksThatAreInNobodysWay) {
  fs::create_directory(target_);
  fs::create_symlink("elsewhere", target_ / "link");  // the snapshot has a link there too
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

// A link that appears between the comparison and the restore: the walls of the mount namespace hold.
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
