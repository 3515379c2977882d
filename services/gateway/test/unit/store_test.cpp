#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <boost/asio.hpp>
#include <cerrno>
#include <thread>

#include "common/app/system_clock.hpp"
#include "services/gateway/local/object_store.hpp"
#include "services/gateway/local/volumes.hpp"
#include "services/gateway/test/folder.hpp"

namespace {
bool folders_cannot_be_synced = false;
}

/// Replaces that of the C library in this program: a disk that fails when a folder is synced.
extern "C" int fsync(int descriptor) {
  struct stat about{};
  if (folders_cannot_be_synced && ::fstat(descriptor, &about) == 0 && S_ISDIR(about.st_mode)) {
    errno = EIO;
    return -1;
  }
  return static_cast<int>(::syscall(SYS_fsync, descriptor));
}

namespace kopiur::gateway::local {
namespace {

using namespace std::chrono_literals;

struct store_fixture {
  test_folder folder;
  boost::asio::io_context loop;
  app::system_clock time{loop.get_executor()};
  std::unique_ptr<object_store> store = std::make_unique<object_store>(folder.path(), time);
  seals marks{"of this installation"};

  void reopen() {
    store.reset();
    store = std::make_unique<object_store>(folder.path(), time);
  }
};

object_key const photos{"BackupConfig", "home", "photos"};

TEST(Store, KeepsObjectsOverARestart) {
  store_fixture it;
  auto made = it.store->create(manifest("BackupConfig", "photos", R"({"x":1})"));
  ASSERT_TRUE(made);
  auto before = *it.store->find(photos);
  it.reopen();
  ASSERT_NE(it.store->find(photos), nullptr);
  EXPECT_EQ(*it.store->find(photos), before);
}

TEST(Store, KeepsAnAnnotationOverARestartAndItsRemovalToo) {
  store_fixture it;
  ASSERT_TRUE(it.store->create(manifest("BackupConfig", "photos", R"({"x":1})")));
  proto::object_ref ref{"BackupConfig", "home", "photos", ""};
  ASSERT_TRUE(it.store->patch({.object = ref, .annotations = {{"a", "1"}}}));
  it.reopen();
  EXPECT_EQ(annotation(*it.store->find(photos), "a"), "1");
  ASSERT_TRUE(it.store->patch({.object = ref, .remove_annotations = {"a"}}));
  it.reopen();
  EXPECT_EQ(annotation(*it.store->find(photos), "a"), "");
}

TEST(Store, NeverGivesAVersionTwice) {
  store_fixture it;
  auto last = [&] { return std::stoll(std::string(version_of(*it.store->create(manifest("Backup", "b"))))); };
  auto first = last();
  it.store->remove({.object = {"Backup", "home", "b", ""}, .annotations = {}});
  it.reopen();
  EXPECT_GT(last(), first) << "the object with the highest version is gone, and its version with it";
}

TEST(Store, ASecondOneIsRefusedWithThePidOfTheFirst) {
  store_fixture it;
  try {
    object_store second(it.folder.path(), it.time);
    FAIL() << "two stores on one folder";
  } catch (std::runtime_error const& refused) {
    EXPECT_NE(std::string(refused.what()).find(std::to_string(::getpid())), std::string::npos) << refused.what();
  }
}

TEST(Store, ApplyWritesNothingWhenNothingChanges) {
  store_fixture it;
  int told = 0;
  it.store->on_change([&](auto const&, auto const&, auto const*) { ++told; });
  ASSERT_TRUE(it.store->apply(manifest("BackupConfig", "photos", R"({"x":1})")));
  auto version = std::string(version_of(*it.store->find(photos)));
  ASSERT_TRUE(it.store->apply(manifest("BackupConfig", "photos", R"({"x":1})")));
  EXPECT_EQ(version_of(*it.store->find(photos)), version);
  EXPECT_EQ(told, 1);
}

TEST(Store, CreateProvesOrRefuses) {
  store_fixture it;
  auto backup = manifest("Backup", "b");
  backup.find("metadata")->set("labels", json::object{{ours("run"), "r-1"}});
  auto first = it.store->create(backup);
  auto again = it.store->create(backup);
  ASSERT_TRUE(again);
  EXPECT_EQ(uid_of(*again), uid_of(*first));
  auto other = it.store->create(manifest("Backup", "b"));
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, proto::answer_code::AlreadyExists);
}

TEST(Store, FinalizersHoldAnObjectUntilTheLastOneGoes) {
  store_fixture it;
  auto uid = std::string(uid_of(*it.store->create(manifest("Backup", "b"))));
  proto::object_ref ref{"Backup", "home", "b", uid};
  ASSERT_TRUE(it.store->patch({.object = ref, .add_finalizers = {"f"}, .remove_finalizers = {}, .labels = {}, .annotations = {}}));
  ASSERT_TRUE(it.store->remove({.object = ref, .annotations = {{"why", "test"}}}));
  auto* held = it.store->find({"Backup", "home", "b"});
  ASSERT_NE(held, nullptr);
  EXPECT_TRUE(is_terminating(*held));
  auto late = it.store->patch({.object = ref, .add_finalizers = {"g"}, .remove_finalizers = {}, .labels = {}, .annotations = {}});
  EXPECT_FALSE(late) << "an object that is being deleted takes no new finalizer";
  std::string gone;
  it.store->on_change([&](auto const&, std::string const& uid, auto const* now) { gone = now ? "" : uid; });
  ASSERT_TRUE(it.store->patch({.object = ref, .add_finalizers = {}, .remove_finalizers = {"f"}, .labels = {}, .annotations = {}}));
  EXPECT_EQ(gone, uid);
  it.reopen();
  EXPECT_EQ(it.store->find({"Backup", "home", "b"}), nullptr);
}

TEST(Store, ActsOnTheNamedUidOnly) {
  store_fixture it;
  it.store->create(manifest("Backup", "b"));
  proto::object_ref other{"Backup", "home", "b", "another"};
  EXPECT_TRUE(it.store->remove({.object = other, .annotations = {}})) << "that one is gone, which was asked for";
  EXPECT_NE(it.store->find({"Backup", "home", "b"}), nullptr);
  EXPECT_FALSE(it.store->patch({.object = other, .add_finalizers = {"f"}, .remove_finalizers = {}, .labels = {}, .annotations = {}}));
  auto recreated = *it.store->find({"Backup", "home", "b"});
  recreated.find("metadata")->set("uid", "another");
  auto wrong = it.store->write_status(recreated, json::value(json::object{{"phase", "Running"}}));
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, proto::answer_code::NotFound);
}

TEST(Store, AStatusThatIsWrittenLateCoversNothingNewer) {
  store_fixture it;
  auto read = *it.store->create(manifest("Backup", "b"));
  ASSERT_TRUE(it.store->write_status(read, json::value(json::object{{"phase", "Succeeded"}})));
  auto late = it.store->write_status(read, json::value(json::object{{"phase", "Running"}}));
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, proto::answer_code::Conflict);
  EXPECT_EQ(it.store->find({"Backup", "home", "b"})->text("status.phase"), "Succeeded");
}

TEST(Store, TakesNamesLongerThanAFileName) {
  store_fixture it;
  std::string name(253, 'a');
  ASSERT_TRUE(it.store->create(manifest("Backup", name)));
  it.reopen();
  EXPECT_NE(it.store->find({"Backup", "home", name}), nullptr);
}

TEST(Store, RefusesNamesThatLeaveTheFolder) {
  store_fixture it;
  for (auto* name : {"../x", "a/b", "..", ""}) EXPECT_FALSE(it.store->create(manifest("Backup", name))) << name;
}

/// What the folder says, as the next start would read it.
bool agrees(store_fixture const& it) { return read_objects(it.folder.path()) == it.store->all(); }

TEST(Store, AgreesWithItsFolderWhenADiskFailsAtTheEndOfAWrite) {
  store_fixture it;
  std::vector<std::string> told;
  it.store->on_change([&](object_key const& key, std::string const&, json::value const* now) {
    told.push_back((now ? "+" : "-") + key.name + (now ? std::string(now->text("spec.x")) : ""));
  });
  ASSERT_TRUE(it.store->create(manifest("BackupConfig", "photos", R"({"x":"1"})")));
  folders_cannot_be_synced = true;
  EXPECT_THROW(it.store->apply(manifest("BackupConfig", "photos", R"({"x":"2"})")), files::not_durable);
  EXPECT_TRUE(agrees(it));
  EXPECT_THROW(it.store->apply(manifest("BackupConfig", "photos", R"({"x":"2"})")), files::not_durable) << "it is not on the disk yet";
  EXPECT_THROW(it.store->create(manifest("BackupConfig", "music")), files::not_durable);
  EXPECT_THROW(it.store->remove({.object = {"BackupConfig", "home", "photos", ""}, .annotations = {}}), files::not_durable);
  EXPECT_TRUE(agrees(it));
  EXPECT_EQ(told, (std::vector<std::string>{"+photos1"}));
  folders_cannot_be_synced = false;
  ASSERT_TRUE(it.store->apply(manifest("BackupConfig", "photos", R"({"x":"2"})")));
  EXPECT_EQ(told, (std::vector<std::string>{"+photos1", "+photos2"}));
  EXPECT_TRUE(agrees(it));
}

TEST(Store, AgreesWithItsFolderWhenADiskFailsAtTheEndOfARemoval) {
  store_fixture it;
  int gone = 0;
  ASSERT_TRUE(it.store->create(manifest("BackupConfig", "photos")));
  it.store->on_change([&](object_key const&, std::string const& uid, json::value const* now) { gone += !now && !uid.empty(); });
  proto::delete_object command{.object = {"BackupConfig", "home", "photos", ""}, .annotations = {}};
  folders_cannot_be_synced = true;
  EXPECT_THROW(it.store->remove(command), files::not_durable);
  EXPECT_TRUE(agrees(it) && it.store->all().empty());
  EXPECT_THROW(it.store->remove(command), std::system_error) << "a crash could bring it back";
  EXPECT_EQ(gone, 0);
  folders_cannot_be_synced = false;
  ASSERT_TRUE(it.store->remove(command));
  EXPECT_EQ(gone, 1);
}

TEST(Store, CreatesNoFolderThatIsNotDurable) {
  store_fixture it;
  ASSERT_TRUE(it.store->create(manifest("Backup", "first"))) << "it reserves versions for the next";
  folders_cannot_be_synced = true;
  EXPECT_THROW(it.store->create(manifest("BackupConfig", "photos")), std::system_error);
  folders_cannot_be_synced = false;
  EXPECT_FALSE(fs::exists(it.folder / "objects/BackupConfig")) << "the next attempt would not sync it";
  EXPECT_TRUE(agrees(it));
}

TEST(Store, KeepsFilesToItself) {
  store_fixture it;
  auto secret = parsed_json(R"({"apiVersion":"v1","kind":"Secret","metadata":{"name":"s","namespace":"home"},"stringData":{"k":"v"}})");
  ASSERT_TRUE(it.store->create(secret));
  struct stat about{};
  ASSERT_EQ(::stat((it.folder / "objects/Secret/home/s.json").c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777, 0600u);
}

// A child process writes as fast as it can until it is killed.
[[noreturn]] void write_until_killed(fs::path const& folder) {
  boost::asio::io_context loop;
  app::system_clock time(loop.get_executor());
  object_store store(folder, time);
  for (int round = 0;; ++round)
    for (auto* name : {"a", "b", "c"}) {
      auto spec = json::value(
          json::object{{"round", round}, {"filler", std::string(static_cast<std::size_t>(round % 50) * 1000, 'x')}, {"end", round}});
      auto object = manifest("BackupConfig", name);
      object.set("spec", std::move(spec));
      if (!store.apply(std::move(object))) ::_exit(1);
      if (round % 7 == 3) (void)store.remove({.object = {"BackupConfig", "home", name, ""}, .annotations = {}});
    }
}

TEST(Store, HoldsWholeVersionsAfterKills) {
  test_folder folder;
  int found = 0;
  for (int kill = 0; kill < 15; ++kill) {
    auto child = ::fork();
    if (child == 0) write_until_killed(folder.path());
    std::this_thread::sleep_for(std::chrono::milliseconds(60 + 13 * kill));
    ASSERT_EQ(::kill(child, SIGKILL), 0);
    int shape = 0;
    ASSERT_EQ(::waitpid(child, &shape, 0), child);
    ASSERT_TRUE(WIFSIGNALED(shape)) << "the child gave up by itself";
    boost::asio::io_context loop;
    app::system_clock time(loop.get_executor());
    object_store store(folder.path(), time);
    for (auto const& [key, object] : store.all()) {
      ++found;
      EXPECT_EQ(*object.at("spec.round")->as_int(), *object.at("spec.end")->as_int());
      EXPECT_LE(std::stoll(std::string(version_of(object))), store.next_version());
    }
    for (auto const& entry : fs::recursive_directory_iterator(folder / "objects"))
      EXPECT_FALSE(entry.path().filename().string().ends_with(".unfinished")) << entry.path();
  }
  EXPECT_GT(found, 0) << "nothing was ever written, so nothing was shown";
}

json::value claim(std::string_view name,
                  std::string_view spec = R"({"accessModes":["ReadWriteOnce"],"resources":{"requests":{"storage":"1Gi"}}})") {
  return parsed_json(R"({"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":")" + std::string(name) +
                     R"(","namespace":"home"},"spec":)" + std::string(spec) + "}");
}

TEST(Volumes, AClaimGetsAFolderOfItsOwn) {
  store_fixture it;
  volume_binder binder(*it.store, it.marks, it.folder.path());
  it.store->create(claim("data"));
  binder.settle();
  auto* bound = it.store->find({"PersistentVolumeClaim", "home", "data"});
  EXPECT_EQ(bound->text("status.phase"), "Bound");
  EXPECT_EQ(*binder.folder_of("home", "data"), it.folder / "volumes/home/data");
  EXPECT_TRUE(fs::is_directory(it.folder / "volumes/home/data"));
  auto version = std::string(version_of(*bound));
  binder.settle();
  EXPECT_EQ(version_of(*it.store->find({"PersistentVolumeClaim", "home", "data"})), version) << "what is in order is not written";
}

TEST(Volumes, TheBytesOfAFormerClaimAreNotTheNextOnes) {
  store_fixture it;
  volume_binder binder(*it.store, it.marks, it.folder.path());
  it.store->create(claim("data"));
  binder.settle();
  it.folder.write("volumes/home/data/file", "old");
  it.store->remove({.object = {"PersistentVolumeClaim", "home", "data", ""}, .annotations = {}});
  binder.settle();
  it.store->create(claim("data"));
  binder.settle();
  EXPECT_TRUE(fs::is_empty(*binder.folder_of("home", "data")));
  int kept = 0;
  for (auto const& entry : fs::recursive_directory_iterator(it.folder / "volumes")) kept += entry.path().filename() == "file";
  EXPECT_EQ(kept, 1) << "nothing is ever deleted";
}

TEST(Volumes, AClaimOfARestoreStartsEmptyAndWaits) {
  store_fixture it;
  volume_binder binder(*it.store, it.marks, it.folder.path());
  it.folder.write("volumes/home/data/file", "somebody's");
  auto uid = std::string(uid_of(
      *it.store->create(claim("data", R"({"dataSourceRef":{"apiGroup":"kopiur.home-operations.com","kind":"Restore","name":"r"}})"))));
  binder.settle();
  EXPECT_EQ(it.store->find({"PersistentVolumeClaim", "home", "data"})->text("status.phase"), "Pending");
  EXPECT_TRUE(fs::is_empty(*binder.folder_of("home", "data")));
  proto::patch_metadata filled{.object = {"PersistentVolumeClaim", "home", "data", uid}, .annotations = {{ours("restored-by"), "r"}}};
  it.store->patch(filled);
  binder.settle();
  EXPECT_EQ(it.store->find({"PersistentVolumeClaim", "home", "data"})->text("status.phase"), "Pending") << "anybody may write that";
  it.marks.put(filled);
  it.store->patch(filled);
  binder.settle();
  EXPECT_EQ(it.store->find({"PersistentVolumeClaim", "home", "data"})->text("status.phase"), "Bound");
}

TEST(Volumes, AVolumeServesOneClaim) {
  store_fixture it;
  volume_binder binder(*it.store, it.marks, it.folder.path());
  auto path = it.folder / "disk";
  fs::create_directory(path);
  it.store->create(parsed_json(R"({"apiVersion":"v1","kind":"PersistentVolume","metadata":{"name":"disk"},"spec":{"hostPath":{"path":")" +
                               path.string() + "\"}}}"));
  it.store->create(claim("first", R"({"volumeName":"disk"})"));
  binder.settle();
  it.store->create(claim("second", R"({"volumeName":"disk"})"));
  binder.settle();
  EXPECT_EQ(*binder.folder_of("home", "first"), path);
  EXPECT_EQ(it.store->find({"PersistentVolumeClaim", "home", "first"})->text("status.phase"), "Bound");
  EXPECT_EQ(it.store->find({"PersistentVolumeClaim", "home", "second"})->text("status.phase"), "Pending");
  it.store->remove({.object = {"PersistentVolumeClaim", "home", "first", ""}, .annotations = {}});
  binder.settle();
  binder.settle();
  EXPECT_EQ(it.store->find({"PersistentVolumeClaim", "home", "second"})->text("status.phase"), "Bound");
}

}  // namespace
}  // namespace kopiur::gateway::local
