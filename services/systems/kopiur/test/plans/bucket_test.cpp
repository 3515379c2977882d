#include "services/systems/kopiur/test/plans/scene.hpp"

/// Repositories that have their bucket from a Buckety.
namespace kopiur::plans {
namespace {

using namespace proto;

constexpr char const* ready_text = R"("conditions":[{"type":"Ready","status":"True","reason":"R","message":"M."}])";
constexpr char const* deleted = R"("deletionTimestamp":"2026-03-01T00:00:00Z")";
constexpr char const* given = R"("backend":"objects","driver":"s3","backendResourceName":"prod-photos",)"
                              R"("connection":{"endpoint":"http://127.0.0.1:9000","bucket":"prod-photos","region":"eu"})";

class Bucket : public ::testing::Test {
 protected:
  Bucket() {
    it.put_config("photos");
    it.put_claim("data");
    it.put("Backup", "b", "", R"("spec":{"configRef":{"name":"photos"}})");
    it.put("Maintenance", "m", "", R"("spec":{"repository":{"name":"nas"}})");
  }
  /// The repository `nas`; `known`: it has been opened before.
  void put_repository(bool known, std::string const& more = "") {
    it.put("Repository", "nas", "",
           R"("spec":{"backend":{"s3":{"bucketyRef":{"name":"photos")" + more +
               R"(},"prefix":"a/"}},"encryption":{"passwordSecretRef":{"name":"password"}}})" +
               (known ? R"(,"status":{"phase":"Ready","uniqueID":"id-nas","catalog":{"lastRefreshAt":"2026-01-01T00:00:00Z"}})" : ""));
  }
  void put_buckety(std::string const& status, std::string const& metadata = "", std::string const& spec = "") {
    it.put("Buckety", "photos", metadata, R"("spec":{"backend":"objects")" + spec + R"(},"status":{)" + status + "}");
  }
  /// `name` is also that of its Secret.
  void put_access(std::string const& name, std::string const& status, std::string const& metadata = "",
                  std::string const& spec = R"("bucketyRef":{"name":"photos"})") {
    it.put("BucketyAccess", name, metadata,
           R"("spec":{"credentialsSecretName":")" + name + "\"," + spec + R"(},"status":{)" + status + "}");
  }
  void put_ready(std::string const& buckety_metadata = "") {
    put_buckety(std::string(given) + "," + ready_text, buckety_metadata, R"(,"defaultAccess":{"credentialsSecretName":"photos"})");
    put_access("photos", std::string(R"("principal":"root",)") + ready_text, implicit);
    it.put("Secret", "photos", "", "");
  }
  preparation connect() { return it.prepare_it("connect", "Repository", "nas"); }
  /// Why the repository waits: the reason, then whether the message has the text.
  std::string waits(std::string_view text) {
    auto what = connect();
    auto* one = std::get_if<wait>(&what);
    return !one ? said(what) : one->why.reason + (one->why.message.contains(text) ? "" : ", and says: " + one->why.message);
  }
  std::string backup() { return said(it.prepare_it("backup", "Backup", "b")); }
  std::vector<std::string> affected(std::string const& kind, std::string const& name) {
    std::vector<std::string> found;
    for (auto& each : affected_by(it.objects, {kind, "prod", name, ""}).at_once) found.push_back(each.kind + " " + each.name);
    return found;
  }
  static constexpr char const* implicit =
      R"("labels":{"buckety.yolean.se/implicit":"true"},"ownerReferences":[{"kind":"Buckety","name":"photos","uid":"uid-photos"}])";
  scene it;
};

constexpr char const* not_ready = "BucketyNotReady";

TEST_F(Bucket, OfANewRepositoryIsWaitedForUntilItsSecretIsThere) {
  put_repository(false);
  EXPECT_EQ(waits("Buckety prod/photos, which the repository names in spec.backend.s3.bucketyRef: it does not exist"), not_ready);
  EXPECT_EQ(backup(), "wait BucketyNotReady") << "not RepositoryNotReady: the user has to see the cause";
  put_buckety(R"("conditions":[{"type":"Ready","status":"False","reason":"InspectFailed","message":"Nobody answers."}])");
  EXPECT_EQ(waits("no bucket yet. InspectFailed: Nobody answers."), not_ready);
  put_buckety(given);
  EXPECT_EQ(waits("not Ready"), not_ready);
  put_buckety(std::string(given) + "," + ready_text);
  EXPECT_EQ(waits("no defaultAccess"), not_ready);
  put_buckety(std::string(given) + "," + ready_text, "", R"(,"defaultAccess":{"credentialsSecretName":"photos"})");
  EXPECT_EQ(waits("has not been made yet"), not_ready);
  put_access("photos", "", implicit);
  EXPECT_EQ(waits("no Secret yet"), not_ready);
  put_access("photos", std::string(R"("principal":"root",)") + ready_text, implicit);
  EXPECT_EQ(waits("Secret photos does not exist"), not_ready);
  it.put("Secret", "photos", "", "");
  EXPECT_EQ(said(connect()), "ready");
  EXPECT_EQ(backup(), "wait RepositoryNotReady");
}

TEST_F(Bucket, GivesTheMoverWhatAHandWrittenBackendGives) {
  put_repository(false);
  put_ready();
  auto plan = std::get<ready>(connect()).plan;
  EXPECT_EQ(json::write(kopia_of(plan).repository->backend),
            R"({"s3":{"bucket":"prod-photos","prefix":"a/","endpoint":"http://127.0.0.1:9000","region":"eu"}})");
  std::vector<std::string> secrets;
  for (auto& each : *plan.secrets)
    secrets.push_back(each.secret_namespace + "/" + each.secret_name + "/" + each.key + ">" + each.env.value_or(""));
  EXPECT_EQ(secrets, (std::vector<std::string>{"prod/password/KOPIA_PASSWORD>KOPIA_PASSWORD", "prod/photos/accessKeyID>AWS_ACCESS_KEY_ID",
                                               "prod/photos/secretAccessKey>AWS_SECRET_ACCESS_KEY"}));
  it.put("Repository", "twin", "",
         R"("spec":{"backend":{"s3":{"bucket":"prod-photos","prefix":"a/","endpoint":"http://127.0.0.1:9000"}},)"
         R"("encryption":{"passwordSecretRef":{"name":"password"}}})");
  EXPECT_EQ(std::get<ready>(it.prepare_it("connect", "Repository", "twin")).plan.leases.at(0).key, plan.leases.at(0).key)
      << "the same place";
}

/// spec/buckety.md 5.3 (9): trouble of the backing service leaves the Secret valid.
TEST_F(Bucket, OfAKnownRepositoryOutlivesTroubleOfItsBuckety) {
  put_repository(true);
  put_ready();
  put_buckety(std::string(given) + R"(,"conditions":[{"type":"Ready","status":"False","reason":"BackendUnavailable","message":"No."}])", "",
              R"(,"defaultAccess":{"credentialsSecretName":"photos"})");
  put_access("photos",
             R"("principal":"root","conditions":[{"type":"Ready","status":"False","reason":"BackendUnavailable","message":"No."}])",
             implicit);
  EXPECT_EQ(backup(), "ready");
  it.take_away("Secret", "photos");
  EXPECT_EQ(backup(), "wait BucketyNotReady");
}

/// Its deletion waits for the repository: what is there can be restored, and Backups can be deleted with their snapshots.
TEST_F(Bucket, ThatIsBeingDeletedGetsNothingNew) {
  put_repository(true);
  put_ready(deleted);
  put_access("photos", std::string(R"("principal":"root",)") + ready_text, std::string(implicit) + "," + deleted);
  EXPECT_EQ(waits("it is being deleted"), not_ready);
  EXPECT_EQ(backup(), "wait BucketyNotReady");
  auto config = it.reconcile_it("BackupConfig", "photos").statuses.at(0).fragment;
  EXPECT_EQ(config.conditions.at(0).reason, not_ready);
  EXPECT_EQ(said(it.prepare_it("discover", "Repository", "nas")), "ready");
  EXPECT_EQ(said(it.prepare_it("maintain", "Maintenance", "m")), "ready");
  it.put_saved("saved", "k1", "/pvc/data");
  it.put("Restore", "r1", "", R"("spec":{"source":{"backupRef":{"name":"saved"}},"target":{"pvcRef":{"name":"data"}}})");
  EXPECT_EQ(said(it.prepare_it("restore", "Restore", "r1")), "ready");
}

TEST_F(Bucket, IsUsedByTheDeletionOfABackupAndHoldsItUpWithoutCredentials) {
  put_repository(true);
  put_ready(deleted);
  it.put("Backup", "gone", std::string(deleted) + R"(,"finalizers":["kopiur.home-operations.com/snapshot-cleanup"])",
         R"("spec":{"deletionPolicy":"Delete"},"status":{"phase":"Succeeded","origin":"manual","snapshot":{"kopiaSnapshotID":"k1"},)"
         R"("resolved":{"repository":{"kind":"Repository","name":"nas","namespace":"prod","uniqueID":"id-nas"}}})");
  it.now = *instant_from("2026-03-01T00:01:00Z");
  auto needs = it.reconcile_it("Backup", "gone");
  ASSERT_EQ(needs.orders.size(), 1u);
  auto live = [](std::string const& text) { return answer{.code = answer_code::Ok, .message = {}, .object = *json::parse(text)}; };
  it.answers["read-object r-uid-gone"] = live(
      R"({"metadata":{"name":"gone","namespace":"prod","uid":"uid-gone",)" + std::string(deleted) +
      R"(},"spec":{"deletionPolicy":"Delete"},"status":{"origin":"manual","snapshot":{"kopiaSnapshotID":"k1","identity":{"username":"u","hostname":"h","sourcePath":"/d"}},)"
      R"("resolved":{"repository":{"kind":"Repository","name":"nas","uniqueID":"id-nas"}}}})");
  it.answers["read-object r-Namespace-prod"] = live(R"({"metadata":{"name":"prod"}})");
  EXPECT_EQ(said(it.prepare_it("delete", "Repository", "nas", needs.orders[0].order.parameters)), "ready");
  it.take_away("Secret", "photos");
  EXPECT_EQ(said(it.prepare_it("delete", "Repository", "nas", needs.orders[0].order.parameters)), "wait BucketyNotReady");
  needs = it.reconcile_it("Backup", "gone");
  EXPECT_TRUE(needs.orders.empty());
  EXPECT_EQ(needs.statuses.at(0).fragment.conditions.at(0).reason, not_ready);
  EXPECT_EQ(affected("BucketyAccess", "photos"), (std::vector<std::string>{"Repository nas", "BackupConfig photos", "Backup gone"}));
}

TEST_F(Bucket, IsReachedByTheNamedAccessAlone) {
  put_ready();
  put_repository(false, R"(,"access":"writer")");
  EXPECT_EQ(waits("BucketyAccess writer does not exist"), not_ready);
  put_access("writer", std::string(R"("principal":"root",)") + ready_text, "", R"("bucketyRef":{"name":"other"})");
  EXPECT_EQ(waits("belongs to Buckety other"), not_ready);
  put_access("writer", std::string(R"("principal":"root",)") + ready_text, "", R"("bucketyRef":{"name":"photos"},"role":"ReadOnly")");
  EXPECT_EQ(waits("role ReadOnly"), not_ready);
  put_access("writer",
             R"("principal":"root","conditions":[{"type":"Ready","status":"False","reason":"SecretConflict","message":"Taken."}])");
  it.put("Secret", "writer", "", "");
  EXPECT_EQ(waits("SecretConflict: Taken."), not_ready) << "that Secret is somebody else's";
  put_access("writer", std::string(R"("principal":"root",)") + ready_text);
  auto plan = std::get<ready>(connect()).plan;
  EXPECT_EQ(plan.secrets->at(1).secret_name, "writer");
  it.objects.of<buckety>().at({"prod", "photos"}).status.driver = "kadm";
  EXPECT_EQ(waits("its driver is kadm"), not_ready);
}

TEST_F(Bucket, WakesWhoWaitsForIt) {
  put_repository(false);
  using names = std::vector<std::string>;
  EXPECT_EQ(affected("Buckety", "photos"), (names{"Repository nas", "BackupConfig photos"}));
  EXPECT_EQ(affected("Buckety", "other"), names{});
  EXPECT_EQ(affected("BucketyAccess", "photos"), (names{"Repository nas", "BackupConfig photos"}));
  EXPECT_EQ(affected("BucketyAccess", "other"), names{});
  EXPECT_EQ(affected("Secret", "photos"), names{}) << "no access makes it";
  put_ready();
  EXPECT_EQ(affected("Secret", "photos"), (names{"Repository nas", "BackupConfig photos"}));
  run_state waiting{.run = "w", .order = {.plan = "connect"}};
  EXPECT_TRUE(affected_by(it.objects, {"Buckety", "prod", "photos", ""}).unblocks(waiting));
}

TEST_F(Bucket, ThatMovedOrHasOtherKeysIsConnectedAgain) {
  put_repository(true);
  put_ready();
  auto first = it.reconcile_it("Repository", "nas").orders.at(0);
  it.runs[first.id] = {.run = first.id, .order = first.order, .stage = run_stage::FollowThroughComplete};
  it.runs[first.id].outcome = run_outcome::Succeeded;
  EXPECT_TRUE(it.reconcile_it("Repository", "nas").orders.empty());
  it.put("Secret", "photos", R"("resourceVersion":"rotated")", "");
  auto second = it.reconcile_it("Repository", "nas").orders.at(0);
  it.objects.of<buckety>().at({"prod", "photos"}).status.connection["endpoint"] = "https://moved";
  EXPECT_NE(it.reconcile_it("Repository", "nas").orders.at(0).id, second.id);
}

TEST_F(Bucket, OfASharedRepositoryIsInTheNamespaceThatItNames) {
  it.put("ClusterRepository", "shared", "",
         R"("spec":{"backend":{"s3":{"bucketyRef":{"name":"photos","namespace":"prod"}}},"allowedNamespaces":{"all":true},)"
         R"("encryption":{"passwordSecretRef":{"name":"password","namespace":"vault"}}})");
  put_ready();
  it.objects.of<controller::secret_metadata>()[{"vault", "password"}] = {};
  auto what = it.prepare_it("connect", "ClusterRepository", "shared");
  ASSERT_EQ(said(what), "ready");
  auto& plan = std::get<ready>(what).plan;
  EXPECT_EQ(plan.namespace_ + " " + plan.secrets->at(1).secret_namespace, "vault prod");
}

}  // namespace
}  // namespace kopiur::plans
