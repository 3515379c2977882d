#include "common/process/child.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/asio.hpp>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "common/app/async.hpp"
#include "common/app/system_clock.hpp"
#include "common/files/modes.hpp"
#include "common/testing/folder.hpp"
#include "common/testing/run.hpp"

namespace kopiur::process {
namespace {

struct heard {
  std::string out, err;
  ending ending;
};

asio::awaitable<heard> hear(asio::io_context& loop, command command) {
  heard result;
  child process(loop.get_executor(), command);
  app::nursery readers(loop.get_executor());
  readers.spawn(drain(process.out(), [&](std::string_view bytes) { result.out += bytes; }));
  readers.spawn(drain(process.err(), [&](std::string_view bytes) { result.err += bytes; }));
  co_await readers.join();
  result.ending = co_await process.wait();
  co_return result;
}

heard shell(std::string script, command command = {}) {
  command.arguments = {"/bin/sh", "-c", std::move(script)};
  heard result;
  testing::run([&](asio::io_context& loop) -> asio::awaitable<void> { result = co_await hear(loop, command); });
  return result;
}

TEST(Child, GivesBothStreamsAndTheExitStatus) {
  auto result = shell("echo out; echo err >&2; exit 3");
  EXPECT_EQ(result.out, "out\n");
  EXPECT_EQ(result.err, "err\n");
  EXPECT_EQ(result.ending, (ending{3, 0}));
}

TEST(Child, SaysWhichSignalEndedIt) { EXPECT_EQ(shell("kill -KILL $$").ending, (ending{0, SIGKILL})); }

TEST(Child, SeesExactlyTheEnvironmentAndFolderGiven) {
  auto result = shell("echo $A; pwd; env | grep -c HOME", {.environment = {"A=1"}, .directory = "/proc"});
  EXPECT_EQ(result.out, "1\n/proc\n0\n");
}

TEST(Child, HasTheUmaskOfTheUserIfItIsAProgramOfTheUser) {
  auto before = ::umask(022);
  files::create_private();
  auto own = shell("umask"), users = shell("umask", {.with_user_modes = true});
  ::umask(before);
  EXPECT_EQ(own.out, "0077\n");
  EXPECT_EQ(users.out, "0022\n");
}

TEST(Child, InheritsOnlyTheDescriptorsNamed) {
  int stray = ::fcntl(0, F_DUPFD, 100), kept = ::fcntl(0, F_DUPFD, 101), stray_too = ::fcntl(0, F_DUPFD, 102);  // ls opens low numbers
  auto result = shell("ls /proc/self/fd", {.environment = {"PATH=/bin:/usr/bin"}, .inherited = {kept}});
  EXPECT_NE(result.out.find("\n" + std::to_string(kept) + "\n"), std::string::npos) << result.out;
  for (int fd : {stray, stray_too}) EXPECT_EQ(result.out.find("\n" + std::to_string(fd) + "\n"), std::string::npos) << result.out;
  for (int fd : {stray, kept, stray_too}) ::close(fd);
}

TEST(Child, ThatCannotStartSaysWhy) {
  asio::io_context loop;
  try {
    child never(loop.get_executor(), {.arguments = {"/no/such/program"}});
    FAIL() << "it started";
  } catch (not_started const& why) {
    EXPECT_EQ(why.error, ENOENT);
    EXPECT_STREQ(why.what(), "/no/such/program could not be started (execute): No such file or directory");
  }
}

TEST(Child, ThatIgnoresTermIsKilledAfterTheGrace) {
  testing::run([](asio::io_context& loop) -> asio::awaitable<void> {
    app::system_clock time(loop.get_executor());
    child deaf(loop.get_executor(), {.arguments = {"/bin/sh", "-c", "trap '' TERM; echo ready; while :; do read x < /dev/zero; done"}});
    char first = 0;
    co_await asio::async_read(deaf.out(), asio::buffer(&first, 1), asio::use_awaitable);
    EXPECT_EQ(co_await deaf.stop(time, duration(50)), (ending{0, SIGKILL}));
    EXPECT_EQ(co_await deaf.wait(), (ending{0, SIGKILL}));
  });
}

TEST(Child, ThatListensToTermEndsWithItsOwnStatus) {
  testing::run([](asio::io_context& loop) -> asio::awaitable<void> {
    app::system_clock time(loop.get_executor());
    child polite(loop.get_executor(),
                 {.arguments = {"/bin/sh", "-c", "trap 'exit 7' TERM; echo ready; while :; do read x </dev/null; done"}});
    char first = 0;
    co_await asio::async_read(polite.out(), asio::buffer(&first, 1), asio::use_awaitable);
    EXPECT_EQ(co_await polite.stop(time, duration(10'000)), (ending{7, 0}));
  });
}

TEST(Child, TakesItsWholeGroupAlongWhenDestroyed) {
  pid_t grandchild = 0;
  testing::run([&](asio::io_context& loop) -> asio::awaitable<void> {
    child parent(loop.get_executor(), {.arguments = {"/bin/sh", "-c", "/bin/sleep 1000 & echo $!; wait"}});
    std::string line;
    co_await asio::async_read_until(parent.out(), asio::dynamic_buffer(line), '\n', asio::use_awaitable);
    grandchild = static_cast<pid_t>(std::stol(line));
  });
  auto gone = [&] {  // or dead and not yet reaped by init
    std::ifstream state("/proc/" + std::to_string(grandchild) + "/stat");
    std::string text((std::istreambuf_iterator<char>(state)), {});
    return text.empty() || text.find(") Z ") != std::string::npos;
  };
  for (int i = 0; i < 5000 && !gone(); ++i) ::usleep(1000);
  EXPECT_TRUE(gone());
}

TEST(ConfinedChild, WritesItsFoldersAndNothingElse) {
  testing::folder own;
  auto const root = own.path().string();
  for (auto* name : {"/open", "/closed"}) std::filesystem::create_directory(root + name);
  std::filesystem::create_symlink(root + "/closed", root + "/open/escape");
  auto result = shell("echo x > open/a; echo x > closed/a; echo x > open/escape/b; chmod 700 open/escape; echo x > /dev/null && echo null",
                      {.environment = {"PATH=/bin:/usr/bin"}, .directory = root, .only_writable = {{{root + "/open"}}}});
  EXPECT_EQ(result.out, "null\n") << result.err;
  EXPECT_TRUE(std::filesystem::exists(root + "/open/a"));
  EXPECT_TRUE(std::filesystem::is_empty(root + "/closed"));
  EXPECT_NE(std::filesystem::status(root + "/closed").permissions(), std::filesystem::perms::owner_all);
}

TEST(ConfinedChild, FindsAFolderAtAnotherPlaceOnly) {
  testing::folder own;
  auto const root = own.path().string();
  for (auto* name : {"/data", "/seen"}) std::filesystem::create_directory(root + name);
  auto result = shell("echo x > data/a; echo x > seen/b", {.directory = root, .only_writable = {{{root + "/data", root + "/seen"}}}});
  EXPECT_FALSE(std::filesystem::exists(root + "/data/a")) << result.err;
  EXPECT_TRUE(std::filesystem::exists(root + "/data/b")) << result.err;
}

TEST(FindProgram, LooksThroughThePathOrTakesAPathAsItIs) {
  EXPECT_EQ(find_program("sh", "/nowhere:/bin"), "/bin/sh");
  EXPECT_EQ(find_program("/bin/sh", ""), "/bin/sh");
  EXPECT_EQ(find_program("sh", "/nowhere"), std::nullopt);
  EXPECT_EQ(find_program("/bin/none", "/bin"), std::nullopt);
}

}  // namespace
}  // namespace kopiur::process
