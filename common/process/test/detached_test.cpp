#include "common/process/detached.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "common/json/codec.hpp"
#include "common/testing/folder.hpp"

namespace kopiur::process {
namespace {

/// A folder, and what was started in it; ends its processes.
struct started {
  explicit started(std::string const& script) : lock(files::try_lock(home / "lock").value()) {
    who = start_detached({.arguments = {"/bin/sh", "-c", script, "mark-of-" + home.path().string()},
                          .environment = {"PATH=/usr/bin:/bin"},
                          .directory = home.path(),
                          .out = home / "out",
                          .err = home / "err",
                          .lock = lock.number()});
  }
  ~started() {
    for (auto pid : session_of(who)) ::kill(pid, SIGKILL);
    reap(who);
  }
  bool ends() {
    auto handle = watch_exit(who);
    pollfd waiting{handle.number(), POLLIN, 0};
    return !handle || ::poll(&waiting, 1, 20'000) == 1;
  }
  testing::folder home;
  files::file lock;
  identity who;
};

TEST(Detached, LeadsItsSessionAndWritesToItsFiles) {
  started it("echo out; echo err >&2; pwd; exit 3");
  ASSERT_TRUE(it.ends());
  EXPECT_EQ(files::read_file(it.home / "out"), "out\n" + it.home.path().string() + "\n");
  EXPECT_EQ(files::read_file(it.home / "err"), "err\n");
  EXPECT_EQ(reap(it.who), "exit status 3");
  EXPECT_FALSE(is_alive(it.who));
}

TEST(Detached, HoldsTheLockForItsLifetime) {
  started it("exec sleep 1000");
  it.lock = {};
  EXPECT_FALSE(files::is_free(it.home / "lock")) << "the process holds it, not its parent";
  EXPECT_EQ(reap(it.who), std::nullopt);
  send_signal(it.who, SIGTERM);
  ASSERT_TRUE(it.ends());
  EXPECT_EQ(reap(it.who), "signal 15");
  EXPECT_TRUE(files::is_free(it.home / "lock"));
}

TEST(Detached, InheritsNoOtherDescriptor) {
  int pipe[2];
  ASSERT_EQ(::pipe(pipe), 0);
  started it("ls /proc/self/fd | tr '\\n' ' '");
  ASSERT_TRUE(it.ends());
  ::close(pipe[0]), ::close(pipe[1]);
  EXPECT_EQ(files::read_file(it.home / "out"), "0 1 2 3 4 ") << "4 is the folder that ls reads";
}

TEST(Detached, IsFoundByAnArgument) {
  started it("echo ready; sleep 1000");
  auto until = std::chrono::steady_clock::now() + std::chrono::seconds(20);  // at the exec it has no arguments for a moment
  while (files::read_file(it.home / "out") != "ready\n" && std::chrono::steady_clock::now() < until) std::this_thread::yield();
  EXPECT_EQ(find_by_argument("mark-of-" + it.home.path().string()), it.who);
  EXPECT_EQ(find_by_argument("mark-of-nothing"), std::nullopt);
}

TEST(Detached, LeftProcessesBelongToItsSession) {
  started it("sleep 1000 & echo $!; exit 0");
  ASSERT_TRUE(it.ends());
  auto child = std::stoi(files::read_file(it.home / "out").value());
  EXPECT_EQ(session_of(it.who), std::vector<pid_t>{child});
}

/// Process ids are reused: a process that began at another time, or in another boot, is another one, and gets no signal.
TEST(Identity, IsNotThatOfAReusedId) {
  started it("exec sleep 1000");
  auto later = it.who, rebooted = it.who;
  later.started += 1, rebooted.boot = "another";
  for (auto const& other : {later, rebooted}) {
    EXPECT_FALSE(is_alive(other));
    EXPECT_FALSE(watch_exit(other));
    send_signal(other, SIGKILL);
    EXPECT_TRUE(session_of(other).empty());
  }
  EXPECT_TRUE(is_alive(it.who));
}

TEST(Identity, OfAProgramThatDoesNotExistIsAnErrorWithItsName) {
  testing::folder home;
  try {
    start_detached(
        {.arguments = {"/none/such"}, .environment = {}, .directory = home.path(), .out = home / "out", .err = home / "err", .lock = 0});
    FAIL() << "it was started";
  } catch (std::system_error const& failed) {
    EXPECT_NE(std::string(failed.what()).find("/none/such"), std::string::npos) << failed.what();
  }
}

}  // namespace
}  // namespace kopiur::process
