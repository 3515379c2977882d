#include <set>

#include "common/testing/folder.hpp"
#include "services/mover/test/real/lab.hpp"

namespace kopiur::mover::test {
namespace {

using enum proto::kopia_failure;

// Operations on a whole repository: deletion, sweep, maintenance, lists, browsing; and what must never be printed.
class Repository : public lab {
 protected:
  void SetUp() override {
    write_file(source_ / "a.txt", "hello");
    write_file(source_ / "folder/b.txt", "world");
    create_repository();
  }
  std::vector<std::string> take(int count) {
    std::vector<std::string> ids;
    for (int i = 0; i < count; ++i) {
      write_file(source_ / "a.txt", "version " + std::to_string(i));
      ids.push_back(snapshot({.run = "run-" + std::to_string(i)}).result.snapshot.value().id);
    }
    return ids;
  }
  std::set<std::string> listed() {
    std::set<std::string> ids;
    for (auto const& row : list()) ids.insert(row.id);
    return ids;
  }
  proto::delete_work deletion(std::vector<std::string> const& ids) {
    proto::delete_work task;
    for (auto const& id : ids) task.snapshots.push_back({.id = id, .source = identity_});
    return task;
  }
  /// A kopia that first runs `script` (shell code, with $kopia) when `condition` is true for its arguments.
  std::string meddling_kopia(std::string const& condition, std::string const& script) {
    auto path = root_ / "meddling-kopia";
    write_file(path, "#!/bin/sh\nkopia=" + kopia_ + "\nif " + condition + "; then\n" + script + "\nfi\nexec $kopia \"$@\"\n");
    fs::permissions(path, fs::perms::owner_all);
    return path;
  }
};

TEST_F(Repository, DeletesWhatIsThereThoughOneIdIsUnknown) {
  auto ids = take(3);
  auto done = run(deletion({ids[0], std::string(32, '0'), ids[1], ids[0]}));
  EXPECT_EQ(done.status, 0) << ::testing::PrintToString(done);
  EXPECT_EQ(done.result.deleted_count, 3) << "asked for and not there: two that were, one that never was";
  EXPECT_EQ(done.result.remaining_count, 0);
  EXPECT_LE(done.result.opens, 5);
  EXPECT_EQ(listed(), std::set<std::string>{ids[2]});
  auto again = run(deletion({ids[0]}));
  EXPECT_EQ(again.status, 0) << "gone is gone";
}

TEST_F(Repository, DeletesNoSnapshotThatIsAnothers) {
  auto ids = take(3);
  auto task = deletion(ids);
  task.snapshots[0].run = "run-0", task.snapshots[1].run = "run-2", task.snapshots[2].source.username = "other";
  auto done = run(task);
  EXPECT_EQ(done.failed(), SnapshotMissing) << ::testing::PrintToString(done);
  EXPECT_EQ(done.result.deleted_count, 1) << "the rest goes";
  EXPECT_EQ(done.result.remaining_count, 2);
  EXPECT_EQ(listed(), (std::set<std::string>{ids[1], ids[2]}));
}

TEST_F(Repository, DeletesTheRestWhenSomebodyElseDeletesOneInBetween) {
  auto ids = take(3);
  auto meddling =
      meddling_kopia("[ \"$1 $2\" = 'snapshot delete' ] && [ ! -e " + (root_ / "once").string() + " ]",
                     "touch " + (root_ / "once").string() + "; $kopia snapshot delete --delete " + ids[1] + " --no-auto-maintenance");
  auto done = run(deletion(ids), {.environment = {{"KOPIUR_KOPIA", meddling}}});
  EXPECT_EQ(done.status, 0) << ::testing::PrintToString(done);
  EXPECT_TRUE(fs::exists(root_ / "once"));
  EXPECT_TRUE(listed().empty());
}

TEST_F(Repository, SweepsWhatACancelledRunLeftButNotWhatIsRecorded) {
  auto ids = take(2);
  auto recorded = snapshot({.run = "run-0"}).result.snapshot.value().id;
  auto swept = run(proto::sweep_work{"run-0", {recorded}});
  EXPECT_EQ(swept.status, 0) << ::testing::PrintToString(swept);
  EXPECT_EQ(swept.result.deleted_count, 1);
  EXPECT_EQ(listed(), (std::set<std::string>{ids[1], recorded}));
}

TEST_F(Repository, IsMaintainedByItsOwnerOnly) {
  auto owner = "kopiur@" + *access_.unique_ID;
  auto quick = run(proto::maintain_work{.full = false, .owner = owner});
  EXPECT_EQ(quick.status, 0) << ::testing::PrintToString(quick);
  EXPECT_EQ(quick.result.owner, owner);
  EXPECT_EQ(run(proto::maintain_work{.full = true, .owner = owner}).status, 0);
  auto other = run(proto::maintain_work{.full = true, .owner = "nas@cellar"});
  EXPECT_EQ(other.status, 0) << "our default owner gives way: " << ::testing::PrintToString(other);
  for (auto policy : {proto::takeover_policy::Never, proto::takeover_policy::PromptCondition}) {
    auto refused = run(proto::maintain_work{.full = true, .owner = owner, .takeover = policy});
    EXPECT_EQ(refused.failed(), NotMaintenanceOwner) << ::testing::PrintToString(refused);
    EXPECT_EQ(refused.result.owner, "nas@cellar");
  }
  auto forced = run(proto::maintain_work{.full = true, .owner = owner, .takeover = proto::takeover_policy::Force});
  EXPECT_EQ(forced.status, 0) << ::testing::PrintToString(forced);
  EXPECT_EQ(forced.result.owner, owner);
  EXPECT_LE(forced.result.opens, 5);
}

TEST_F(Repository, SaysHowMuchMaintenanceFreed) {
  write_file(source_ / "big", std::string(1'000'000, 'x') + "end");
  auto id = snapshot().result.snapshot.value().id;
  ASSERT_EQ(run(deletion({id})).status, 0);
  auto unsafe = meddling_kopia("[ \"$1 $2\" = 'maintenance run' ]", "set -- \"$@\" --safety=none");
  std::int64_t freed = 0;
  for (int i = 0; i < 6 && freed == 0; ++i)
    freed = run(proto::maintain_work{.full = true, .owner = "kopiur@" + *access_.unique_ID}, {.environment = {{"KOPIUR_KOPIA", unsafe}}})
                .result.reclaimed_bytes;
  EXPECT_GT(freed, 1000);
}

TEST_F(Repository, ThatHasManySnapshotsIsListedWhole) {
  std::vector<std::string> sources{"snapshot", "create"};
  for (int i = 0; i < 300; ++i) {
    auto folder = root_ / "many" / std::to_string(i);
    write_file(folder / "f", std::to_string(i));
    sources.push_back(folder);
  }
  ASSERT_EQ(kopia(sources).status, 0);
  auto listed = run(proto::list_work{});
  EXPECT_EQ(listed.result.rows, 300);
  EXPECT_EQ(listed.rows.size(), 300U);
  EXPECT_EQ(listed.result.total_bytes, 10 + 90 * 2 + 200 * 3);
  EXPECT_LE(listed.result.opens, 5);
}

TEST_F(Repository, ShowsFoldersAndFilesOfASnapshot) {
  auto id = take(1)[0];
  auto folder = run(proto::browse_work{id, "/", false});
  EXPECT_EQ(folder.status, 0) << ::testing::PrintToString(folder);
  EXPECT_NE(folder.out.find("{\"entry\":{\"name\":\"folder\",\"type\":\"d\""), std::string::npos) << folder.out;
  auto file = run(proto::browse_work{id, "/folder/b.txt", true});
  EXPECT_EQ(file.out, "world") << "the bytes and nothing else";
  auto none = run(proto::browse_work{id, "/none", true});
  EXPECT_EQ(none.status, 1);
  EXPECT_EQ(run(proto::browse_work{id, "/a.txt", false}).failed(), InvalidWork);
}

TEST_F(Repository, KeepsItsSecretsOutOfArgumentsOutputAndFiles) {
  auto log = root_ / "arguments";
  auto noting = meddling_kopia("true", "echo \"$@\" >> " + log.string() + "; env >> " + log.string() + ".env");
  testing::folder const keys("/dev/shm");
  run_as run_as{.environment = {{"KOPIUR_KOPIA", noting}, {"NATS_PASSWORD", "of no concern to kopia"}, {"XDG_RUNTIME_DIR", keys.path()}}};
  auto done = snapshot(run_as);
  ASSERT_EQ(done.status, 0) << ::testing::PrintToString(done);
  auto const secret = environment_["KOPIA_PASSWORD"];
  EXPECT_NE(read_all(log).find("snapshot create"), std::string::npos);
  EXPECT_EQ(read_all(log).find(secret), std::string::npos);
  EXPECT_EQ(read_all(log.string() + ".env").find("NATS_PASSWORD"), std::string::npos);
  fs::remove(log.string() + ".env");
  for (auto const& text : {done.out, done.err, done.result_text}) EXPECT_EQ(text.find(secret), std::string::npos);
  for (auto const& each : fs::recursive_directory_iterator(root_))
    if (each.is_regular_file()) {
      EXPECT_EQ(read_all(each).find(secret), std::string::npos) << each;
    }
  EXPECT_NE(read_all(log).find(keys.path().string()), std::string::npos) << "the test watches the folder that the run used";
  EXPECT_TRUE(fs::is_empty(keys.path()));
}

}  // namespace
}  // namespace kopiur::mover::test
