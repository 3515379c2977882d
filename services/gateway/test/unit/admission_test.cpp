#include "services/gateway/admission/admission.hpp"

#include "services/gateway/admission/decoded_objects.hpp"
#include "services/gateway/test/folder.hpp"

namespace kopiur::gateway {
namespace {

TEST(Admission, NamesTheFieldAndTheWayOut) {
  auto wrong =
      admission(manifest("BackupSchedule", "nightly", R"({"configRef":{"name":"photos"},"schedule":{"cron":"61 * * * *"}})"), nullptr);
  ASSERT_EQ(wrong.size(), 1u);
  EXPECT_EQ(wrong[0].field, "spec.schedule.cron");
  EXPECT_TRUE(
      admission(manifest("BackupSchedule", "nightly", R"({"configRef":{"name":"photos"},"schedule":{"cron":"H 3 * * *"}})"), nullptr)
          .empty());
  EXPECT_FALSE(admission(manifest("Backupp", "x"), nullptr).empty());
}

TEST(Admission, LetsOtherGroupsPass) {
  EXPECT_TRUE(admission(parsed_json(R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"},"data":{}})"), nullptr).empty());
  EXPECT_TRUE(admission(parsed_json(R"({"apiVersion":"kopiur.home-operations.community/v1","kind":"X","metadata":{"name":"c"}})"), nullptr)
                  .empty());
}

/// The group hypershift.openshift.io is HyperShift's: what its other kinds may contain is its own affair.
TEST(Admission, LetsKindsOfOthersInASharedGroupPass) {
  auto of_hypershift = [](std::string const& kind) {
    return parsed_json(R"({"apiVersion":"hypershift.openshift.io/v1beta1","kind":")" + kind + R"(","metadata":{"name":"c"},"spec":{}})");
  };
  for (auto* theirs : {"HostedCluster", "HostedControlPlane", "NodePool"}) EXPECT_TRUE(admission(of_hypershift(theirs), nullptr).empty());
  for (auto* ours : {"EtcdBackup", "HCPEtcdBackup"}) EXPECT_FALSE(admission(of_hypershift(ours), nullptr).empty()) << ours;
}

TEST(Admission, HoldsTheRulesAboutChanges) {
  auto before = manifest("Backup", "b", R"({"configRef":{"name":"photos"}})");
  before.set("status", parsed_json(R"({"phase":"Succeeded"})"));
  EXPECT_FALSE(admission(manifest("Backup", "b", R"({"configRef":{"name":"music"}})"), &before).empty());
  EXPECT_TRUE(admission(manifest("Backup", "b", R"({"configRef":{"name":"photos"},"pin":true})"), &before).empty());
}

verdict beside(json::value const& manifest, object_map const& there) {
  decoded_objects all;
  for (auto& [_, object] : there) all.take(object);
  return gateway::beside(manifest, all.all());
}
object_map beside_each_other(std::vector<json::value> const& manifests) {
  object_map there;
  for (auto each : manifests) {
    each.find("metadata")->set("uid", "uid-" + std::string(each.text("metadata.name")));
    there.emplace(key_of(each), each);
  }
  return there;
}
json::value recipe(std::string_view name, std::string_view more = "") {
  return manifest("BackupConfig", name, R"({"repository":{"name":"nas"},"sources":[{"pvc":{"name":"data"}}])" + std::string(more) + "}");
}
json::value const nas =
    manifest("Repository", "nas", R"({"backend":{"filesystem":{"path":"/srv"}},"encryption":{"passwordSecretRef":{"name":"p"}}})");

TEST(Beside, TwoConfigsOfOneIdentityAndSourceCollide) {
  auto there = beside_each_other({nas, recipe("photos")});
  auto said = beside(recipe("pictures", R"(,"identity":{"username":"photos"})"), there).faults;
  ASSERT_EQ(said.size(), 1U);
  EXPECT_EQ(said[0].field, "spec.identity");
  EXPECT_NE(said[0].message.find("home/photos"), std::string::npos) << said[0].message;
  EXPECT_TRUE(beside(recipe("pictures"), there).faults.empty());
  EXPECT_TRUE(beside(recipe("photos"), there).faults.empty()) << "it does not collide with itself";
}

TEST(Beside, AnIdentityThatBackupsBearStays) {
  auto taken = recipe("photos");
  taken.set("status", parsed_json(R"({"resolved":{"identity":{"username":"photos","hostname":"home"}}})"));
  auto there = beside_each_other({nas, taken, manifest("Backup", "b", R"({"configRef":{"name":"photos"}})")});
  auto changed = recipe("photos", R"(,"identity":{"username":"other"})");
  EXPECT_EQ(beside(changed, there).faults.size(), 1U);
  changed.find("metadata")->set("annotations", parsed_json(R"({"kopiur.home-operations.com/allow-identity-change":"true"})"));
  EXPECT_TRUE(beside(changed, there).faults.empty());
  there.erase(object_key{"Backup", "home", "b"});
  EXPECT_TRUE(beside(recipe("photos", R"(,"identity":{"username":"other"})"), there).faults.empty()) << "nothing bears it yet";
}

/// A ClusterRepository may be used by the namespaces that its owner names; a Repository only by its own namespace.
TEST(Beside, ARepositoryIsForWhoMayUseIt) {
  auto shared = manifest("ClusterRepository", "nas",
                         R"({"backend":{"filesystem":{"path":"/srv"}},"encryption":{"passwordSecretRef":)"
                         R"({"name":"p","namespace":"vault"}},"allowedNamespaces":{"list":["office"]}})");
  shared.find("metadata")->erase("namespace");
  auto there = beside_each_other({shared, nas});
  auto fault = [&](char const* kind, std::string_view ns, std::string_view ref, std::string_view more) {
    auto object = manifest(kind, "mine", R"({"repository":)" + std::string(ref) + std::string(more) + "}");
    object.find("metadata")->set("namespace", ns);
    auto said = beside(object, there).faults;
    return said.empty() ? std::string() : said[0].field + ": " + said[0].message;
  };
  constexpr auto the_shared = R"({"kind":"ClusterRepository","name":"nas"})", another_s = R"({"name":"nas","namespace":"home"})";
  constexpr auto source = R"(,"sources":[{"pvc":{"name":"data"}}])",
                 snapshot = R"(,"source":{"identity":{"username":"a","hostname":"b","sourcePath":"/c"}})";
  constexpr auto not_admitted =
      "spec.repository: ClusterRepository nas does not allow namespace garage; its owner adds it to spec.allowedNamespaces.";
  EXPECT_EQ(fault("BackupConfig", "garage", the_shared, source), not_admitted);
  EXPECT_EQ(fault("Restore", "garage", the_shared, snapshot), not_admitted);
  EXPECT_EQ(fault("BackupConfig", "office", the_shared, source), "");
  for (auto* tenant : {"garage", "office"})
    EXPECT_EQ(fault("Maintenance", tenant, the_shared, ""),
              "spec.repository: ClusterRepository nas is maintained from namespace vault alone, where its password is "
              "(spec.encryption.passwordSecretRef): make the Maintenance there. This one has no effect.");
  EXPECT_EQ(fault("Maintenance", "vault", the_shared, ""), "") << "where its own movers run";
  EXPECT_EQ(fault("Maintenance", "office", another_s, ""),
            "spec.repository: Repository nas belongs to namespace home; only a ClusterRepository is shared over namespaces.");
}

TEST(Beside, ARepositoryHasOneMaintenanceOfAUser) {
  auto upkeep = [](std::string_view name) { return manifest("Maintenance", name, R"({"repository":{"name":"nas"}})"); };
  auto by_default = upkeep("default-nas");
  by_default.find("metadata")->set("labels", parsed_json(R"({"kopiur.home-operations.com/default":"true"})"));
  EXPECT_TRUE(beside(upkeep("mine"), beside_each_other({nas, by_default})).faults.empty());
  EXPECT_EQ(beside(upkeep("second"), beside_each_other({nas, by_default, upkeep("mine")})).faults.size(), 1U);
}

}  // namespace
}  // namespace kopiur::gateway
