#include "services/systems/kopiur/plans/plans.hpp"
#include "services/systems/kopiur/test/plans/scene.hpp"

namespace kopiur::plans {
namespace {

using namespace proto;

constexpr char const* asked_at = "2026-03-01T00:00:00Z";

/// Deletes a Backup of namespace `prod` with policy Delete, while the namespace exists or is being deleted.
class Erasing : public ::testing::Test {
 protected:
  void put_shared(std::string_view on_namespace_delete) {
    it.put(
        "ClusterRepository", "shared", "",
        R"("spec":{"backend":{"filesystem":{"path":"/srv/shared"}},"encryption":{"passwordSecretRef":{"name":"password","namespace":"prod"}},)"
        R"("allowedNamespaces":{"all":true},"onNamespaceDelete":")" +
            std::string(on_namespace_delete) + R"("},"status":{"phase":"Ready","uniqueID":"id-shared"})");
  }
  /// `kind` and `name` of the repository that contains the snapshot.
  void put_deleted(std::string const& kind, std::string const& name) {
    it.put("Backup", "b", meta(asked_at, R"(,"finalizers":["kopiur.home-operations.com/snapshot-cleanup"])"),
           R"("spec":{"deletionPolicy":"Delete"},"status":{"phase":"Succeeded","origin":"manual","snapshot":{"kopiaSnapshotID":"k1"},)"
           R"("resolved":{"repository":{"kind":")" +
               kind + R"(","name":")" + name + R"(","uniqueID":"id-)" + name + R"("}}})");
  }
  static std::string meta(std::string const& deleted_at, std::string const& more = "") {
    return deleted_at.empty() ? "" : R"("deletionTimestamp":")" + deleted_at + "\"" + more;
  }
  std::vector<std::string> wants() {
    it.now = *instant_from(asked_at) + duration(60'000);
    auto needs = it.reconcile_it("Backup", "b");
    auto all = asked(needs);
    for (auto& order : needs.orders) all.push_back("run " + order.order.plan);
    return all;
  }
  /// The run's preparation once both live reads are answered; `ns_deleted_at`: deletionTimestamp of the namespace.
  std::string run(std::string const& repository_kind, std::string const& repository, std::string const& ns_deleted_at) {
    auto live = [](std::string const& text) { return answer{.code = answer_code::Ok, .message = {}, .object = *json::parse(text)}; };
    it.answers["read-object r-uid-b"] = live(
        R"({"metadata":{"name":"b","namespace":"prod","uid":"uid-b","deletionTimestamp":")" + std::string(asked_at) +
        R"("},"spec":{"deletionPolicy":"Delete"},"status":{"phase":"Succeeded","origin":"manual","snapshot":{"kopiaSnapshotID":"k1","identity":{"username":"photos","hostname":"prod","sourcePath":"/d"}},"job":{"name":"backup-a-b-2","attempts":2},"resolved":{"repository":{"kind":")" +
        repository_kind + R"(","name":")" + repository + R"(","uniqueID":")" + live_in + R"("}}}})");
    it.answers["read-object r-Namespace-prod"] =
        live(R"({"metadata":{"name":"prod")" + (ns_deleted_at.empty() ? "" : "," + meta(ns_deleted_at)) + "}}");
    return said(erased(repository_kind, repository));
  }
  preparation erased(std::string const& repository_kind, std::string const& repository) {
    auto items = *json::parse(R"({"items":[{"uid":"uid-b","namespace":"prod","name":"b","snapshot":"k1","askedAt":")" +
                              std::string(asked_at) + R"(","prunedBy":""}]})");
    return it.prepare_it("delete", repository_kind, repository, std::move(items));
  }
  /// Why the Backup still exists, according to its status.
  std::string held() {
    wants();
    auto needs = it.reconcile_it("Backup", "b");
    return needs.orders.empty() && needs.statuses.size() == 1 ? needs.statuses[0].fragment.conditions.at(0).reason : "not held";
  }
  scene it;
  std::string live_in = "id-shared";  ///< the repository that the Backup's live status names
};
using Words = std::vector<std::string>;
Words const gone{"record-event", "patch-metadata -snapshot-cleanup"};

/// A repository whose protection holds more than two deletions an hour.
void put_protected_repository(scene& it) {
  it.put("Repository", "nas", "",
         R"("spec":{"backend":{"filesystem":{"path":"/srv/nas"}},"encryption":{"passwordSecretRef":{"name":"password"}},)"
         R"("deletionProtection":{"threshold":2,"window":"1h"}},"status":{"phase":"Ready","uniqueID":"id-nas"})");
}
/// A Backup in it that was deleted at that time of a day.
void put_doomed(scene& it, std::string const& name, std::string const& asked) {
  it.put("Backup", name,
         R"("deletionTimestamp":"2026-03-01T)" + asked + R"(:00Z","finalizers":["kopiur.home-operations.com/snapshot-cleanup"])",
         R"("spec":{"deletionPolicy":"Delete"},"status":{"phase":"Succeeded","snapshot":{"kopiaSnapshotID":"k"},)"
         R"("resolved":{"repository":{"kind":"Repository","name":"nas","namespace":"prod","uniqueID":"id-nas"}}})");
}
Words held_by_protection_of(scene const& it) {
  auto repository = rules::find_repository(it.objects, {.name = "nas"}, "prod");
  return held_by_protection(it.look(), *repository);
}

/// With that repository: `done` deletions were carried out under the object of uid `under`, `wait` are requested.
std::size_t held_of_a_burst(int done, std::string const& under, int wait) {
  scene it;
  put_protected_repository(it);
  for (int i = 0; i < wait; ++i) put_doomed(it, "w" + std::to_string(i), "00:00");
  for (int i = 0; i < done; ++i) {
    auto id = "d" + std::to_string(i);
    run_state run{.run = id, .order = {.plan = "delete", .object = {"Repository", "prod", "nas", under}}};
    run.order.parameters = *json::parse(R"({"items":[{"uid":")" + id + R"(","askedAt":"2026-02-28T23:30:00Z","prunedBy":""}]})");
    run.stage = run_stage::FollowThroughComplete;
    run.plan = run_plan{.body = kopia_task{.repository = repository_access{.unique_ID = "id-nas"}}};
    it.runs[id] = std::move(run);
  }
  return held_by_protection_of(it).size();
}

TEST(Protection, HoldsABurst) {
  EXPECT_EQ(held_of_a_burst(0, "", 2), 0U);
  EXPECT_EQ(held_of_a_burst(0, "", 3), 3U);
  EXPECT_EQ(held_of_a_burst(1, "uid-nas", 1), 0U);
  EXPECT_EQ(held_of_a_burst(2, "uid-nas", 1), 1U) << "what is done counts as well";
}

/// Each deletion is judged by those within an hour of it, before and after.
TEST(Protection, HoldsThoseWithEnoughOthersInTheirWindow) {
  scene it;
  put_protected_repository(it);
  for (std::string asked : {"08:00", "08:59", "09:58", "12:00", "12:30", "12:59", "15:00", "16:00", "17:00"})
    put_doomed(it, "b" + asked.substr(0, 2) + asked.substr(3), asked);
  Words held{"uid-b0859", "uid-b1200", "uid-b1230", "uid-b1259"};
  EXPECT_EQ(held_by_protection_of(it), held) << "exactly an hour apart is another burst";
}

/// A namespace that is deleted and recreated during a burst must not reset the count (simulation, seed 788).
TEST(Protection, CountsOnWhereTheRepositorysObjectIsMadeAnew) { EXPECT_EQ(held_of_a_burst(2, "uid-of-the-former", 1), 1U); }

TEST_F(Erasing, TakesTheSnapshotOfABackupThatSomebodyDeleted) {
  put_deleted("Repository", "nas");
  EXPECT_EQ(wants(), Words{"run delete"});
  it.put("Namespace", "prod", "", "");
  EXPECT_EQ(wants(), Words{"run delete"}) << "the namespace stays";
  live_in = "id-nas";
  EXPECT_EQ(run("Repository", "nas", ""), "ready");
}

/// The status may lack the snapshot for a moment; the Backup must not be released as if it had none (seed 805898030).
TEST_F(Erasing, WaitsUntilTheStatusShowsWhatItsRunHasSaved) {
  it.put("Backup", "b", meta(asked_at, R"(,"finalizers":["kopiur.home-operations.com/snapshot-cleanup"])"),
         R"("spec":{"configRef":{"name":"photos"},"deletionPolicy":"Delete"},"status":{"phase":"Running"})");
  run_state run{.run = backup_run_id(it.look(), *controller::find(it.objects.of<backup>(), "prod", "b"))};
  run.stage = run_stage::FollowThroughComplete, run.outcome = run_outcome::Succeeded;
  run.result = kopia_result{.run = run.run, .outcome = outcome::Succeeded, .snapshot = snapshot_row{.id = "k1"}};
  it.runs[run.run] = run;
  EXPECT_EQ(held(), "Cancelling");
  EXPECT_EQ(wants(), Words{});
  it.runs[run.run].result.reset();
  EXPECT_EQ(wants(), Words{"patch-metadata -snapshot-cleanup"}) << "it saved nothing";
}

/// Security review, C1: the mover refuses any other snapshot.
TEST_F(Erasing, TellsTheMoverWhatTheSnapshotHasToBe) {
  put_deleted("Repository", "nas");
  live_in = "id-nas";
  ASSERT_EQ(run("Repository", "nas", ""), "ready");
  auto what = erased("Repository", "nas");
  auto& task = std::get<delete_work>(kopia_of(std::get<ready>(what).plan).task);
  ASSERT_EQ(task.snapshots.size(), 1u);
  EXPECT_EQ(json::write(task.snapshots[0]),
            R"({"id":"k1","source":{"username":"photos","hostname":"prod","sourcePath":"/d"},"run":"backup-a-b"})");
}

TEST_F(Erasing, OnlyWhereTheSnapshotIsSaidToLie) {
  put_deleted("Repository", "nas");
  auto point_elsewhere = [&](std::string const& unique_ID) {
    it.put("Repository", "nas", "",
           R"("spec":{"backend":{"filesystem":{"path":"/srv/new"}},"encryption":{"passwordSecretRef":{"name":"password"}}},)"
           R"("status":{"phase":"Ready","uniqueID":")" +
               unique_ID + "\"}");
  };
  point_elsewhere("id-new");
  EXPECT_EQ(held(), "WrongRepository");
  EXPECT_EQ(run("Repository", "nas", ""), "nothing") << "the live status names another repository";
  point_elsewhere("id-nas");
  EXPECT_EQ(held(), "not held");
}

TEST_F(Erasing, OnlyWhereTheNamespaceIsAllowed) {
  put_shared("Delete");
  put_deleted("ClusterRepository", "shared");
  EXPECT_EQ(held(), "not held");
  it.put(
      "ClusterRepository", "shared", "",
      R"("spec":{"backend":{"filesystem":{"path":"/srv/shared"}},"encryption":{"passwordSecretRef":{"name":"password","namespace":"prod"}},)"
      R"("allowedNamespaces":{"list":["other"]},"onNamespaceDelete":"Delete"},"status":{"phase":"Ready","uniqueID":"id-shared"})");
  EXPECT_EQ(held(), "NotAllowed");
  it.put("Namespace", "prod", meta("2026-02-28T23:59:00Z"), "");
  EXPECT_EQ(wants(), gone) << "what nobody may reach holds up no namespace";
}

TEST_F(Erasing, WaitsForWhatReadsTheSnapshotWithoutARestoreThatNamesIt) {
  put_shared("Delete");
  put_deleted("ClusterRepository", "shared");
  auto& lease = it.leases["snapshot/id-shared/k1"];
  lease.holders = {{.cluster = "other", .run = "restore-1", .mode = lease_mode::Shared}};
  auto until = [&](duration from_now) { lease.holders[0].until = *instant_from(asked_at) + duration(60'000) + from_now; };
  until(duration(1'000));
  EXPECT_EQ(held(), "InUseByRestore");
  until(duration(0));
  EXPECT_EQ(held(), "not held") << "who has gone without a word is taken over";
  until(duration(1'000));
  lease.holders[0].mode = lease_mode::Exclusive;
  EXPECT_EQ(held(), "not held") << "another deletion is no reader";
}

TEST_F(Erasing, KeepsTheSnapshotsOfANamespaceThatGoes) {
  put_shared("Retain");
  put_deleted("ClusterRepository", "shared");
  it.put("Namespace", "prod", meta("2026-03-01T00:00:00Z"), "");
  EXPECT_EQ(wants(), gone);
  it.put("Namespace", "prod", meta("2026-02-28T23:59:00Z"), "");
  EXPECT_EQ(wants(), gone);
}

TEST_F(Erasing, TakesThemWhereTheSharedRepositorySaysSo) {
  put_shared("Delete");
  put_deleted("ClusterRepository", "shared");
  it.put("Namespace", "prod", meta("2026-02-28T23:59:00Z"), "");
  EXPECT_EQ(wants(), Words{"run delete"});
  EXPECT_EQ(run("ClusterRepository", "shared", "2026-02-28T23:59:00Z"), "ready");
}

TEST_F(Erasing, ABackupThatWasDeletedBeforeItsNamespaceIsNoPartOfThat) {
  put_shared("Retain");
  put_deleted("ClusterRepository", "shared");
  it.put("Namespace", "prod", meta("2026-03-01T00:00:05Z"), "");
  EXPECT_EQ(wants(), Words{"run delete"});
  EXPECT_EQ(run("ClusterRepository", "shared", "2026-03-01T00:00:05Z"), "ready");
}

TEST_F(Erasing, OfARepositoryThatGoesWithTheNamespaceIsNotTried) {
  put_deleted("Repository", "nas");
  it.put("Namespace", "prod", meta("2026-03-01T00:00:05Z"), "");
  EXPECT_EQ(wants(), gone) << "no mover starts there any more";
  it.take_away("Repository", "nas");
  EXPECT_EQ(wants(), gone) << "nobody waits for a repository that went with it";
}

TEST_F(Erasing, ARunReadsTheNamespaceItself) {
  put_shared("Retain");
  put_deleted("ClusterRepository", "shared");
  EXPECT_EQ(said(erased("ClusterRepository", "shared")), "wait ReadingLive");
  EXPECT_EQ(run("ClusterRepository", "shared", "2026-03-01T00:00:00Z"), "nothing") << "the mirror had not heard of it";
  EXPECT_EQ(run("ClusterRepository", "shared", ""), "ready");
  it.answers["read-object r-Namespace-prod"] = {.code = answer_code::Forbidden, .message = "namespaces is forbidden."};
  auto waits = erased("ClusterRepository", "shared");
  ASSERT_EQ(said(waits), "wait ReadingLive");
  EXPECT_NE(std::get<wait>(waits).why.message.find("namespaces is forbidden"), std::string::npos);
  it.answers["read-object r-Namespace-prod"] = {.code = answer_code::NotFound, .message = "No such namespace."};
  EXPECT_EQ(said(erased("ClusterRepository", "shared")), "ready") << "a host has namespaces without manifests";
}

}  // namespace
}  // namespace kopiur::plans
