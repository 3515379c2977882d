#include "services/systems/kopiur/plans/plans.hpp"

#include "services/systems/kopiur/rules/neighbours.hpp"
#include "services/systems/kopiur/test/plans/scene.hpp"

namespace kopiur::plans {
namespace {

using namespace proto;

TEST(ConfigIdentity, IsResolvedAnewOnlyWhileNothingBearsIt) {
  scene it;
  auto put = [&](std::string_view metadata) {
    it.put(
        "BackupConfig", "photos", metadata,
        R"("spec":{"repository":{"name":"nas"},"identity":{"username":"new"},"sources":[{"pvc":{"name":"data"}}]},"status":{"resolved":{"identity":{"username":"old","hostname":"prod"}}})");
  };
  auto username = [&] {
    return std::string(it.reconcile_it("BackupConfig", "photos").statuses.at(0).fragment.status.text("resolved.identity.username"));
  };
  put("");
  EXPECT_EQ(username(), "new");
  it.put_saved("b1", "s1", "/pvc/data");
  EXPECT_EQ(username(), "old");
  put(R"("annotations":{"kopiur.home-operations.com/allow-identity-change":"true"})");
  EXPECT_EQ(username(), "new");
}

class SharedRepository : public ::testing::Test {
 protected:
  void put(std::string_view rest) {
    it.put(
        "ClusterRepository", "shared", "",
        R"("spec":{"backend":{"filesystem":{"path":"/srv/shared"}},"encryption":{"passwordSecretRef":{"name":"password","namespace":"prod"}},)" +
            std::string(rest) + "}");
  }
  bool allowed(std::string const& ns) { return rules::allows(it.objects, spec(), ns); }
  bool may_be_of(std::string user, std::string host, std::string const& ns) {
    return rules::may_be_of(spec(), {std::move(user), std::move(host), "/"}, ns);
  }
  cluster_repository_spec const& spec() { return it.objects.of<cluster_repository>().at({"", "shared"}).spec; }
  scene it;
};

TEST_F(SharedRepository, AdmitsNamespacesByTheirLabels) {
  put(R"("allowedNamespaces":{"selector":{"matchLabels":{"team":"a"}}})");
  it.put("Namespace", "one", R"("labels":{"team":"a"})", "");
  it.put("Namespace", "two", R"("labels":{"team":"b"})", "");
  EXPECT_TRUE(allowed("one"));
  EXPECT_FALSE(allowed("two"));
  EXPECT_FALSE(allowed("unknown"));
  put(R"("allowedNamespaces":{"selector":{"matchExpressions":[{"key":"kubernetes.io/metadata.name","operator":"In","values":["three"]}]}})");
  EXPECT_TRUE(allowed("three")) << "a name is a label that every namespace has";
}

/// Security review, C1: otherwise a Backup that names another tenant's snapshot would give access to its files.
TEST_F(SharedRepository, GivesNoNamespaceAnothersSnapshotByABackup) {
  it.put_claim("data");
  it.put("Restore", "r", "", R"("spec":{"source":{"backupRef":{"name":"b"}},"target":{"pvcRef":{"name":"data"}}})");
  auto put_shared = [&](std::string const& more) {
    put(R"("allowedNamespaces":{"all":true},)" + more + R"(},"status":{"phase":"Ready","uniqueID":"id-shared")");
  };
  auto restored = [&](std::string const& user, std::string const& host, bool discovered) {
    auto said_before = discovered ? R"("status":{"phase":"Discovered","origin":"discovered")"
                                  : R"("spec":{"configRef":{"name":"photos"}},"status":{"phase":"Succeeded","origin":"manual")";
    it.put("Backup", "b", "",
           std::string(said_before) + R"(,"snapshot":{"kopiaSnapshotID":"s9","identity":{"username":")" + user + R"(","hostname":")" +
               host +
               R"(","sourcePath":"/c"}},"resolved":{"repository":{"kind":"ClusterRepository","name":"shared","uniqueID":"id-shared"}}})");
    return said(it.prepare_it("restore", "Restore", "r"));
  };
  put_shared(R"("catalog":{"fallbackNamespace":"vault"})");
  EXPECT_EQ(restored("db", "prod", true), "ready");
  EXPECT_EQ(restored("db", "payroll", true), "refused AccessDenied");
  EXPECT_EQ(restored("db", "payroll", false), "refused AccessDenied") << "taken while foreign identities were allowed";
  put_shared(R"("allowForeignIdentities":true)");
  EXPECT_EQ(restored("db", "payroll", false), "ready");
  put_shared(R"("catalog":{"fallbackNamespace":"prod"})");
  EXPECT_EQ(restored("db", "payroll", true), "ready") << "where the owner shows what is nobody's";
  EXPECT_EQ(restored("db", "payroll", false), "refused AccessDenied");
  put_shared(R"("identityDefaults":{"hostnameTemplate":"all","usernameTemplate":"{{ configName }}"})");
  EXPECT_EQ(restored("photos", "all", false), "ready") << "what the owner's templates give its config";
  EXPECT_EQ(restored("db", "all", false), "refused AccessDenied");
}

/// A config may state its identity, but in a shared repository not another namespace's.
TEST_F(SharedRepository, LetsNoConfigBorrowAnothersIdentity) {
  it.put_claim("data");
  auto put_config = [&](std::string const& identity) {
    it.put("BackupConfig", "photos", "",
           R"("spec":{"repository":{"kind":"ClusterRepository","name":"shared"},"sources":[{"pvc":{"name":"data"}}])" + identity + "}");
  };
  auto backed_up = [&] {
    it.put("Backup", "b", "", R"("spec":{"configRef":{"name":"photos"}})");
    return said(it.prepare_it("backup", "Backup", "b"));
  };
  auto restored = [&] {
    it.put("Restore", "r", "", R"("spec":{"source":{"fromConfig":{"name":"photos"}},"target":{"pvcRef":{"name":"data"}}})");
    return said(it.prepare_it("restore", "Restore", "r"));
  };
  auto objection = [&] { return rules::objection_to(it.objects, it.objects.of<backup_config>().begin()->second).has_value(); };
  auto put_shared = [&](std::string const& more) {
    put(R"("allowedNamespaces":{"all":true})" + more +
        R"(},"status":{"phase":"Ready","uniqueID":"id-shared","catalog":{"lastRefreshAt":"2026-02-01T00:00:00Z"})");
  };
  put_shared("");
  it.list("shared", "listed", 1);
  put_config("");
  EXPECT_EQ(backed_up(), "ready");
  EXPECT_EQ(restored(), "wait NoSnapshot");
  EXPECT_FALSE(objection());
  put_config(R"(,"identity":{"username":"db","hostname":"payroll"})");
  EXPECT_EQ(backed_up(), "refused AccessDenied");
  EXPECT_EQ(restored(), "refused AccessDenied");
  EXPECT_TRUE(objection());
  EXPECT_EQ(it.reconcile_it("BackupConfig", "photos").statuses.at(0).fragment.conditions.at(0).reason, "NotAllowed");
  put_config(R"(},"status":{"resolved":{"identity":{"username":"db","hostname":"payroll","sources":[]}})");
  EXPECT_EQ(restored(), "refused AccessDenied") << "pinned elsewhere, or while it was allowed";
  put_config(R"(,"identity":{"username":"db"})");
  EXPECT_EQ(backed_up(), "ready") << "another name of its own namespace";
  put_shared(R"(,"allowForeignIdentities":true)");
  put_config(R"(,"identity":{"username":"db","hostname":"payroll"})");
  EXPECT_EQ(backed_up(), "ready");
  put_shared(R"(,"identityDefaults":{"hostnameTemplate":"all"})");
  EXPECT_EQ(backed_up(), "refused AccessDenied");
  put_config("");
  EXPECT_EQ(backed_up(), "ready") << "what the owner's templates say";
}

TEST_F(SharedRepository, KnowsANamespacesIdentitiesByItsTemplates) {
  put(R"("allowedNamespaces":{"all":true})");
  EXPECT_TRUE(may_be_of("any", "one", "one"));
  EXPECT_FALSE(may_be_of("any", "two", "one"));
  put(R"("allowedNamespaces":{"all":true},"identityDefaults":{"hostnameTemplate":"{{ namespace }}.example","usernameTemplate":"u-{{ configName }}"})");
  EXPECT_TRUE(may_be_of("u-photos", "one.example", "one"));
  EXPECT_FALSE(may_be_of("photos", "one.example", "one"));
  EXPECT_FALSE(may_be_of("u-photos", "two.example", "one"));
  put(R"("allowedNamespaces":{"all":true},"identityDefaults":{"hostnameTemplate":"{{ configName }}-{{ namespace }}"})");
  EXPECT_FALSE(may_be_of("x", "x-b-a", "a")) << "it may as well be x of namespace b-a";
}

TEST(Config, SaysWhatItWouldBeRefusedForToday) {
  scene it;
  auto types = [&] {
    std::string all;
    for (auto& each : it.reconcile_it("BackupConfig", "photos").statuses.at(0).fragment.conditions)
      all += each.type + "=" + each.status + " ";
    return all;
  };
  it.put_config("photos");
  EXPECT_FALSE(types().contains("SpecFit")) << types();
  it.put_config("photos", R"("policy":{"compression":{"compressor":"ZSTD"}})");
  EXPECT_TRUE(types().contains("SpecFit=False")) << types();
}

}  // namespace
}  // namespace kopiur::plans
