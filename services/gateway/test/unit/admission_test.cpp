#include "services/gateway/adapters/admission.hpp"

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

TEST(Admission, HoldsTheRulesAboutChanges) {
  auto before = manifest("Backup", "b", R"({"configRef":{"name":"photos"}})");
  before.set("status", parsed_json(R"({"phase":"Succeeded"})"));
  EXPECT_FALSE(admission(manifest("Backup", "b", R"({"configRef":{"name":"music"}})"), &before).empty());
  EXPECT_TRUE(admission(manifest("Backup", "b", R"({"configRef":{"name":"photos"},"pin":true})"), &before).empty());
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
  auto said = beside(recipe("pictures", R"(,"identity":{"username":"photos"})"), there);
  ASSERT_EQ(said.size(), 1U);
  EXPECT_EQ(said[0].field, "spec.identity");
  EXPECT_NE(said[0].message.find("home/photos"), std::string::npos) << said[0].message;
  EXPECT_TRUE(beside(recipe("pictures"), there).empty());
  EXPECT_TRUE(beside(recipe("photos"), there).empty()) << "it does not collide with itself";
}

TEST(Beside, AnIdentityThatBackupsBearStays) {
  auto taken = recipe("photos");
  taken.set("status", parsed_json(R"({"resolved":{"identity":{"username":"photos","hostname":"home"}}})"));
  auto there = beside_each_other({nas, taken, manifest("Backup", "b", R"({"configRef":{"name":"photos"}})")});
  auto changed = recipe("photos", R"(,"identity":{"username":"other"})");
  EXPECT_EQ(beside(changed, there).size(), 1U);
  changed.find("metadata")->set("annotations", parsed_json(R"({"kopiur.home-operations.com/allow-identity-change":"true"})"));
  EXPECT_TRUE(beside(changed, there).empty());
  there.erase(object_key{"Backup", "home", "b"});
  EXPECT_TRUE(beside(recipe("photos", R"(,"identity":{"username":"other"})"), there).empty()) << "nothing bears it yet";
}

TEST(Beside, ARepositoryHasOneMaintenanceOfAUser) {
  auto upkeep = [](std::string_view name) { return manifest("Maintenance", name, R"({"repository":{"name":"nas"}})"); };
  auto by_default = upkeep("default-nas");
  by_default.find("metadata")->set("labels", parsed_json(R"({"kopiur.home-operations.com/default":"true"})"));
  EXPECT_TRUE(beside(upkeep("mine"), beside_each_other({nas, by_default})).empty());
  EXPECT_EQ(beside(upkeep("second"), beside_each_other({nas, by_default, upkeep("mine")})).size(), 1U);
}

}  // namespace
}  // namespace kopiur::gateway
