#include "common/files/files.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <thread>

#include "common/files/modes.hpp"
#include "common/testing/folder.hpp"

namespace kopiur::files {
namespace {

using testing::folder;

mode_t mode_of(fs::path const& path) {
  struct stat found{};
  EXPECT_EQ(::stat(path.c_str(), &found), 0) << path;
  return found.st_mode & 07777;
}

TEST(Files, AreReplacedWithContentAndMode) {
  folder home;
  write_file(home / "a", "one", 0600);
  write_file(home / "a", std::string("t\0wo", 4), 0640);
  EXPECT_EQ(read_file(home / "a"), std::string("t\0wo", 4));
  EXPECT_EQ(mode_of(home / "a"), 0640u) << "of the last write, whatever the umask";
  EXPECT_EQ(read_file(home / "none"), std::nullopt);
  EXPECT_EQ(read_file(home / "a/below"), std::nullopt) << "nothing is below a file";
  remove_file(home / "a");
  remove_file(home / "a");
  EXPECT_FALSE(fs::exists(home / "a"));
}

TEST(Files, HavePlainNames) {
  EXPECT_TRUE(is_plain_name("tls.crt"));
  for (auto* each : {"", ".", "..", ".hidden", "a/b", "/a"}) EXPECT_FALSE(is_plain_name(each)) << each;
}

TEST(Files, SayWhichPathFailed) {
  folder home;
  try {
    write_file(home / "none/a", "x");
    FAIL() << "there is no such folder";
  } catch (std::system_error const& failed) {
    EXPECT_NE(std::string(failed.what()).find("none/.a"), std::string::npos) << failed.what();
    EXPECT_EQ(failed.code(), std::errc::no_such_file_or_directory);
  }
}

[[noreturn]] void write_until_killed(fs::path const& path) {
  for (char c = 'a';; c = c == 'z' ? 'a' : static_cast<char>(c + 1)) write_file(path, std::string(200'000, c));
}

TEST(Files, AreWholeAfterAKill) {
  folder home;
  for (int kill = 0; kill < 10; ++kill) {
    fs::remove(home / "a");
    auto child = ::fork();
    if (child == 0) write_until_killed(home / "a");
    while (!fs::exists(home / "a")) std::this_thread::yield();
    ASSERT_EQ(::kill(child, SIGKILL), 0);
    ASSERT_EQ(::waitpid(child, nullptr, 0), child);
    auto content = read_file(home / "a").value();
    ASSERT_EQ(content, std::string(200'000, content.front()));
  }
}

TEST(Files, DraftsOfInterruptedWritesAreRemovedAndNothingElse) {
  folder home;
  make_folder(home / "deep/er", 0700);
  EXPECT_EQ(mode_of(home / "deep/er"), 0700u);
  write_file(home / "deep/er/kept", "x");
  write_file(home / "deep/er/.kept.unfinished", "half");
  write_file(home / ".other.unfinished", "half");
  sweep_unfinished(home.path());
  EXPECT_TRUE(fs::exists(home / "deep/er/kept"));
  EXPECT_FALSE(fs::exists(home / "deep/er/.kept.unfinished"));
  EXPECT_FALSE(fs::exists(home / ".other.unfinished"));
}

TEST(Files, FoldersOfKilledProcessesAreRemovedAndNothingElse) {
  folder home;
  for (auto* each : {"work.dead/deep", "work.alive", "other.dead", "target"}) make_folder(home / each);
  write_file(home / "work.dead/deep/key", "secret");
  write_file(home / "work.file", "x");
  fs::create_directory_symlink(home / "target", home / "work.link");
  file held(::open((home / "work.alive").c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  ASSERT_EQ(::flock(held.number(), LOCK_EX), 0);
  sweep_unlocked(home.path(), "work.");
  EXPECT_TRUE(fs::exists(home / "work.dead")) << "its process may not have locked it yet";
  sweep_unlocked(home.path(), "work.", std::chrono::seconds(0));
  EXPECT_FALSE(fs::exists(home / "work.dead"));
  for (auto* each : {"work.alive", "other.dead", "work.file", "work.link", "target"}) EXPECT_TRUE(fs::exists(home / each)) << each;
  sweep_unlocked(home / "none", "work.");
}

TEST(Modes, ArePrivateExceptWhereTheUserIsAsked) {
  folder home;
  auto before = ::umask(027);
  make_folder(home / "old");
  create_private();
  create_private();
  make_folder(home / "mine");
  {
    std::ofstream(home / "log") << "x";
  }
  {
    user_modes modes;
    make_folder(home / "shared/below", 0777);
  }
  {
    std::ofstream(home / "log-2") << "x";
  }
  EXPECT_EQ(user_modes::umask(), 027u) << "that of the user, also after a second call";
  ::umask(before);
  EXPECT_EQ(mode_of(home / "mine"), 0700u);
  EXPECT_EQ(mode_of(home / "log"), 0600u);
  EXPECT_EQ(mode_of(home / "log-2"), 0600u) << "the guard ended";
  EXPECT_EQ(mode_of(home / "shared"), 0750u);
  EXPECT_EQ(mode_of(home / "shared/below"), 0750u);
  EXPECT_EQ(mode_of(home / "old"), 0750u) << "what exists keeps its mode";
}

TEST(Lock, IsHeldUntilItsFileIsClosed) {
  folder home;
  EXPECT_TRUE(is_free(home / "lock")) << "a file that does not exist is not locked";
  auto held = try_lock(home / "lock");
  ASSERT_TRUE(held);
  EXPECT_FALSE(try_lock(home / "lock"));
  EXPECT_FALSE(is_free(home / "lock"));
  held.reset();
  EXPECT_TRUE(is_free(home / "lock"));
  EXPECT_TRUE(try_lock(home / "lock"));
}

}  // namespace
}  // namespace kopiur::files
