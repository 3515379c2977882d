#include "services/gateway/local/secrets_folder.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "services/gateway/local/event_files.hpp"
#include "services/gateway/test/folder.hpp"

namespace kopiur::gateway::local {
namespace {

/// The memory of a host, and the data folders of two gateways.
struct host {
  test_folder memory, disk;
  host() { ::setenv("XDG_RUNTIME_DIR", memory.path().c_str(), 1); }
  ~host() { ::unsetenv("XDG_RUNTIME_DIR"); }

  fs::path data(char const* name) const {
    fs::create_directories(disk / name);
    return disk / name;
  }
  std::size_t folders() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(memory.path()), fs::directory_iterator()));
  }
  /// Another gateway wrote a secret and was killed.
  void killed_gateway(fs::path const& data) const {
    auto child = ::fork();
    if (child == 0) {
      secrets_folder secrets(data);
      secrets.own();
      secrets.write("backup-1", "key", "secret");
      ::kill(::getpid(), SIGKILL);
    }
    ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  }
};

TEST(Secrets, OfAKilledGatewayAreRemovedWhenItsDataFolderIsGone) {
  host it;
  it.killed_gateway(it.data("other"));
  it.memory.write("kopiur-0123456789abcdef/key", "nobody says whose it is");
  secrets_folder mine(it.data("mine"));
  mine.own();
  mine.sweep_others();
  EXPECT_EQ(it.folders(), 3u) << "the other gateway may start again";
  fs::remove_all(it.disk / "other");
  mine.sweep_others();
  EXPECT_EQ(it.folders(), 2u);
  EXPECT_TRUE(fs::exists(it.memory / "kopiur-0123456789abcdef/key"));
}

TEST(Secrets, OfALiveGatewayStayAlsoWithoutItsDataFolder) {
  host it;
  secrets_folder other(it.data("other")), mine(it.data("mine"));
  other.own(), other.write("backup-1", "key", "secret");
  fs::remove_all(it.disk / "other");
  mine.sweep_others();
  EXPECT_EQ(files::read_file(other.folder_of("backup-1") / "key"), "secret");
}

TEST(Secrets, OfAnotherMountNamespaceStay) {
  host it;
  it.killed_gateway(it.data("other"));
  secrets_folder mine(it.data("mine"));
  for (auto const& entry : fs::directory_iterator(it.memory.path()))
    if (auto text = files::read_file(entry.path() / ".owner")) {
      auto owner = parsed_json(*text);
      owner.set("mounts", "mnt:[1]");
      files::write_file(entry.path() / ".owner", json::dump(owner));
    }
  fs::remove_all(it.disk / "other");
  mine.sweep_others();
  EXPECT_EQ(it.folders(), 2u) << "that gateway's data folder may exist where it ran";
}

TEST(Secrets, AreRemovedAtTheEndUnlessAMoverNeedsThem) {
  host it;
  {
    secrets_folder mine(it.data("mine"));
    mine.own();
    mine.write("backup-1", "key", "secret");
  }
  EXPECT_EQ(it.folders(), 1u) << "the mover goes on";
  {
    secrets_folder mine(it.data("mine"));
    mine.own();
    mine.sweep({});
    secrets_folder reader(it.data("mine"));
  }
  EXPECT_EQ(it.folders(), 0u);
}

TEST(Secrets, OfReadersStayAsLongAsTheyLive) {
  host it;
  secrets_folder mine(it.data("mine"));
  mine.own();
  auto reader = secrets_folder::name_of_reader();
  for (auto const& name : {reader, reader + "0", std::string("reading-1"), std::string("reading-x"), std::string("backup-1")})
    mine.write(name, "key", "secret");
  mine.sweep({"backup-1"});
  for (auto const& name : {reader, std::string("backup-1")}) EXPECT_TRUE(fs::exists(mine.folder_of(name))) << name;
  for (auto const& name : {reader + "0", std::string("reading-1"), std::string("reading-x")})
    EXPECT_FALSE(fs::exists(mine.folder_of(name))) << name;
}

TEST(EventFiles, StayForAWeekAfterTheirObject) {
  test_folder home;
  event_files events(home / "events");
  auto add = [&](char const* name) {
    events.add({"Backup", "home", name}, {.object = {}, .type = "Normal", .reason = "R", .message = "M"}, instant{});
    return home / "events/Backup/home" / (std::string(name) + ".json");
  };
  auto live = add("live"), gone = add("gone"), fresh = add("fresh");
  for (auto const& each : {live, gone}) fs::last_write_time(each, fs::file_time_type::clock::now() - std::chrono::hours(8 * 24));
  events.sweep({{object_key{"Backup", "home", "live"}, json::value()}});
  EXPECT_TRUE(fs::exists(live) && fs::exists(fresh));
  EXPECT_FALSE(fs::exists(gone));
}

}  // namespace
}  // namespace kopiur::gateway::local
