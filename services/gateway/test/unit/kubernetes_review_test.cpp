#include "services/gateway/admission/review.hpp"

#include "services/gateway/admission/borrowed_rights.hpp"
#include "services/gateway/admission/decoded_objects.hpp"

#include "services/gateway/test/folder.hpp"
#include "services/systems/systems.hpp"

namespace kopiur::gateway::kubernetes {
namespace {

json::value const good = manifest("BackupSchedule", "nightly", R"({"configRef":{"name":"photos"},"schedule":{"cron":"H 3 * * *"}})");
json::value const wrong = manifest("BackupSchedule", "nightly", R"({"configRef":{"name":"photos"},"schedule":{"cron":"61 * * * *"}})");

json::value review(json::value object, json::value before = {}, std::string operation = "", std::string subresource = "") {
  if (operation.empty()) operation = before.is_null() ? "CREATE" : "UPDATE";
  auto request = json::value(json::object{{"uid", "u-1"}, {"operation", operation}, {"object", std::move(object)}, {"oldObject", before}});
  if (!subresource.empty()) request.set("subResource", subresource);
  return json::object{{"apiVersion", "admission.k8s.io/v1"}, {"kind", "AdmissionReview"}, {"request", std::move(request)}};
}
controller::objects const nothing;
decoded_objects decoded(object_map const& there) {
  decoded_objects all;
  for (auto& [_, object] : there) all.take(object);
  return all;
}
bool allowed(json::value const& asked, object_map const& there = {}) {
  return *reviewed(asked, decoded(there).all())->at("response.allowed")->as_bool();
}
json::value with(json::value object, std::string_view member, std::string_view text) {
  object.find("metadata")->set(member, parsed_json(text));
  return object;
}

json::value recipe(std::string_view hooks) {
  return manifest("BackupConfig", "photos",
                  R"({"repository":{"name":"nas"},"sources":[{"pvc":{"name":"data"}}],"hooks":)" + std::string(hooks) + "}");
}

/// In the namespace prod.
std::string borrowed(json::value object, json::value before = {}) {
  auto asked = review(std::move(object), std::move(before));
  asked.find("request")->set("namespace", asked.text("request.object.kind") == "ClusterRepository" ? "" : "prod");
  std::string text;
  for (auto& each : borrowed_rights(asked)) text += each.field + ": " + each.text() + " " + each.scope() + "\n";
  return text;
}

TEST(Review, KnowsWhatARecipeBorrows) {
  auto const call = R"({"afterSnapshot":[{"httpRequest":{"url":"http://app/thaw"}}]})";
  auto const both =
      R"({"beforeSnapshot":[{"httpRequest":{"url":"http://app/freeze"}},{"workloadExec":{"podSelector":{},"command":["sync"]}}],)"
      R"("afterSnapshot":[{"runJob":{"jobSpec":{}}}]})";
  auto const with_secret = R"({"afterSnapshot":[{"httpRequest":{"url":"http://elsewhere","headers":[{"name":"X-Token","valueFrom":)"
                           R"({"secretKeyRef":{"name":"token","key":"t"}}}]}}]})";
  EXPECT_EQ(borrowed(recipe(call)), "") << "a call anybody may make";
  EXPECT_EQ(borrowed(recipe(with_secret)),
            "spec.hooks.afterSnapshot[0].httpRequest.headers[0].valueFrom.secretKeyRef.name: create pods or get secrets \"token\" in "
            "namespace prod\n");
  EXPECT_EQ(borrowed(recipe(both)),
            "spec.hooks.beforeSnapshot[1].workloadExec: create pods/exec in namespace prod\nspec.hooks.afterSnapshot[0].runJob: create "
            "jobs in namespace prod\n");
  EXPECT_NE(borrowed(recipe(both), recipe(call)), "");
  EXPECT_EQ(borrowed(recipe(both), recipe(both)), "") << "whoever changes something else borrows nothing";
  EXPECT_EQ(borrowed(good), "");
}

TEST(Review, TakesEveryHookAsNewWhereOneIsChanged) {
  auto with_url = [](std::string url) {
    return recipe(R"({"afterSnapshot":[{"httpRequest":{"url":")" + url + R"(","headers":[{"name":"X-Token","valueFrom":)" +
                  R"({"secretKeyRef":{"name":"token","key":"t"}}}]}}]})");
  };
  EXPECT_NE(borrowed(with_url("http://elsewhere"), with_url("http://app")), "") << "the Secret goes to another address";
  EXPECT_EQ(borrowed(with_url("http://app"), with_url("http://app")), "");
}

json::value repository(std::string backend, std::string kind = "Repository", std::string password = R"({"name":"p"})") {
  return manifest(kind, "nas", R"({"backend":)" + backend + R"(,"encryption":{"passwordSecretRef":)" + password + "}}");
}
std::string const password_of_prod = "spec.encryption.passwordSecretRef.name: create pods or get secrets \"p\" in namespace prod\n";
json::value const on_disk = repository(R"({"filesystem":{"path":"/srv"}})");

TEST(Review, KnowsEverySecretAndServiceAccountThatARepositoryNames) {
  EXPECT_EQ(borrowed(on_disk), password_of_prod);
  for (std::string backend : {"s3", "azure", "gcs", "b2", "sftp", "webDav"})
    EXPECT_EQ(
        borrowed(repository(R"({")" + backend + R"(":{"auth":{"secretRef":{"name":"keys"}}}})")),
        "spec.backend." + backend + ".auth.secretRef.name: create pods or get secrets \"keys\" in namespace prod\n" + password_of_prod);
  EXPECT_EQ(borrowed(repository(R"({"rclone":{"configSecretRef":{"name":"conf"}}})")),
            "spec.backend.rclone.configSecretRef.name: create pods or get secrets \"conf\" in namespace prod\n" + password_of_prod);
  for (std::string backend : {"s3", "azure", "gcs"})
    EXPECT_EQ(borrowed(repository(R"({")" + backend + R"(":{"auth":{"workloadIdentity":{"serviceAccountName":"cloud"}}}})")),
              "spec.backend." + backend +
                  ".auth.workloadIdentity.serviceAccountName: create pods or create serviceaccounts/token \"cloud\" in namespace prod\n" +
                  password_of_prod);
}

TEST(Review, LooksForASecretInTheNamespaceThatIsGivenBesideIt) {
  auto password = R"({"name":"p","namespace":"vault"})";
  EXPECT_EQ(borrowed(repository(R"({"s3":{"auth":{"secretRef":{"name":"keys","namespace":"cloud"}}}})", "ClusterRepository", password)),
            "spec.backend.s3.auth.secretRef.name: create pods or get secrets \"keys\" in namespace cloud\n"
            "spec.encryption.passwordSecretRef.name: create pods or get secrets \"p\" in namespace vault\n");
  auto by_identity = R"({"s3":{"auth":{"workloadIdentity":{"serviceAccountName":"cloud"}}}})";
  EXPECT_EQ(borrowed(repository(by_identity, "ClusterRepository", password),
                     repository(R"({"filesystem":{"path":"/srv"}})", "ClusterRepository", password)),
            "spec.backend.s3.auth.workloadIdentity.serviceAccountName: create pods or create serviceaccounts/token \"cloud\" in all "
            "namespaces\n")
      << "movers run in the namespaces of those who use it";
}

TEST(Review, JudgesOnlyReferencesThatAreChanged) {
  auto with_key = repository(R"({"filesystem":{"path":"/srv"}})", "Repository", R"({"name":"p","key":"other"})");
  EXPECT_EQ(borrowed(on_disk, on_disk), "");
  EXPECT_EQ(borrowed(with(on_disk, "labels", R"({"a":"b"})"), on_disk), "") << "a label";
  EXPECT_EQ(borrowed(with_key, on_disk), "") << "another key of the same Secret";
  EXPECT_EQ(borrowed(repository(R"({"s3":{"auth":{"secretRef":{"name":"keys"}}}})"), on_disk),
            "spec.backend.s3.auth.secretRef.name: create pods or get secrets \"keys\" in namespace prod\n")
      << "the password is still the same";
  EXPECT_EQ(borrowed(on_disk, repository(R"({"filesystem":{"path":"/srv"}})", "Repository", R"({"name":"former"})")), password_of_prod);
  EXPECT_EQ(borrowed(with(on_disk, "deletionTimestamp", R"("2026-11-22T08:00:00Z")")), "");
}

TEST(Review, JudgesTheSecretOfABackendAgainWhereItsAddressChanges) {
  auto web_dav = [](std::string url) { return repository(R"({"webDav":{"url":")" + url + R"(","auth":{"secretRef":{"name":"keys"}}}})"); };
  EXPECT_EQ(borrowed(web_dav("https://mine"), web_dav("https://ours")),
            "spec.backend.webDav.auth.secretRef.name: create pods or get secrets \"keys\" in namespace prod\n")
      << "the Secret goes to another address";
  EXPECT_EQ(borrowed(web_dav("https://ours"), web_dav("https://ours")), "");
}

TEST(Review, JudgesAnotherNamespaceOfTheSameNameAsAChange) {
  auto in = [](std::string ns) {
    return repository(R"({"filesystem":{"path":"/srv"}})", "ClusterRepository", R"({"name":"p","namespace":")" + ns + "\"}");
  };
  EXPECT_EQ(borrowed(in("vault"), in("prod")),
            "spec.encryption.passwordSecretRef.name: create pods or get secrets \"p\" in namespace vault\n");
}

TEST(Review, RefusesInWordsWithTheField) {
  auto said = *reviewed(review(wrong), nothing);
  EXPECT_EQ(said.text("response.uid"), "u-1");
  EXPECT_FALSE(*said.at("response.allowed")->as_bool());
  EXPECT_TRUE(said.text("response.status.message").starts_with("spec.schedule.cron: ")) << said.text("response.status.message");
  EXPECT_TRUE(allowed(review(good)));
}

TEST(Review, HoldsUpNothingThatEndsNorWhatIsNotAUsersSpec) {
  EXPECT_FALSE(allowed(review(wrong, good)));
  EXPECT_TRUE(allowed(review(wrong, wrong))) << "a finalizer or label of an object that got in while we were down";
  EXPECT_TRUE(allowed(review(with(wrong, "deletionTimestamp", R"("2026-11-22T08:00:00Z")"), good)));
  EXPECT_TRUE(allowed(review({}, wrong, "DELETE")));
  EXPECT_TRUE(allowed(review(wrong, good, "UPDATE", "status")));
  auto found =
      parsed_json(R"({"apiVersion":"kopiur.home-operations.com/v1alpha1","kind":"Backup","metadata":{"name":"found","namespace":"home",
    "labels":{"kopiur.home-operations.com/origin":"discovered"}}})");
  EXPECT_TRUE(allowed(review(found)));
}

TEST(Review, TakesAnObjectAsTheServerShowsIt) {
  auto shown = with(good, "managedFields", R"([{"manager":"kubectl"}])");
  shown = with(std::move(shown), "creationTimestamp", R"("2026-11-22T08:00:00Z")");
  EXPECT_TRUE(allowed(review(shown)));
  auto generated = with(good, "generateName", R"("nightly-")");
  generated.find("metadata")->erase("name");
  EXPECT_TRUE(allowed(review(generated)));
}

TEST(Review, LooksAtTheObjectsBeside) {
  auto recipe = [](std::string_view name, std::string_view more) {
    return manifest("BackupConfig", name, R"({"repository":{"name":"nas"},"sources":[{"pvc":{"name":"data"}}])" + std::string(more) + "}");
  };
  auto nas =
      with(manifest("Repository", "nas", R"({"backend":{"filesystem":{"path":"/srv"}},"encryption":{"passwordSecretRef":{"name":"p"}}})"),
           "uid", "\"u-nas\"");
  auto photos = with(recipe("photos", ""), "uid", "\"u-photos\"");
  object_map there{{key_of(nas), nas}, {key_of(photos), photos}};
  EXPECT_FALSE(allowed(review(recipe("pictures", R"(,"identity":{"username":"photos"})")), there));
  EXPECT_TRUE(allowed(review(recipe("pictures", "")), there));
}

TEST(Review, WarnsOfWhatIsNamedAndNotThere) {
  auto warnings = [](json::value const& object, object_map const& there) {
    auto said = *reviewed(review(object), decoded(there).all());
    EXPECT_TRUE(*said.at("response.allowed")->as_bool()) << "it may come yet";
    auto* all = said.at("response.warnings");
    return all ? json::dump(*all) : std::string();
  };
  EXPECT_EQ(warnings(good, {}), R"(["spec.configRef: BackupConfig home/photos does not exist (yet)."])");
  auto photos = with(recipe("{}"), "uid", "\"u-photos\"");
  EXPECT_EQ(warnings(good, {{key_of(photos), photos}}), "");
  EXPECT_EQ(warnings(recipe("{}"), {}), R"(["spec.repository: Repository home/nas does not exist (yet)."])");
}

TEST(Review, IsGivenToAReviewOnly) {
  EXPECT_FALSE(reviewed(good, nothing));
  EXPECT_FALSE(reviewed(parsed_json("[]"), nothing));
}

TEST(Review, JudgesByTheConfigurationOfTheSystem) {
  auto* system = *std::ranges::find(systems(), "buckety", &controller::system::name);
  auto read = system->configure(
      {.file = "f",
       .text = R"({"backends":[{"name":"s3","driver":"s3","config":{"endpoint":"http://s3","accessKeyID":"a","secretAccessKey":"s"}}]})",
       .variables = [](auto&) { return std::nullopt; }});
  ASSERT_TRUE(read) << read.error();
  controller::configurations const all{{"buckety", *read}};
  auto bucket = [](std::string const& spec, std::string const& status = "{}") {
    return parsed_json(
        R"({"apiVersion":"buckety.yolean.se/v1alpha1","kind":"Buckety","metadata":{"name":"photos","namespace":"home"},"spec":)" + spec +
        R"(,"status":)" + status + "}");
  };
  auto said = [&](json::value const& asked) { return std::string(reviewed(asked, nothing, all)->text("response.status.message")); };
  EXPECT_EQ(said(review(bucket(R"({"backend":"s3"})"))), "");
  EXPECT_TRUE(said(review(bucket(R"({"backend":"s4"})"))).starts_with("spec.backend: "));
  auto stamped = bucket(R"({"backend":"s3","name":"${label['x']}"})", R"({"backend":"s3","driver":"s3","backendResourceName":"photos"})");
  auto changed = bucket(R"({"backend":"s3","name":"${label['x']}","retentionPolicy":"Delete"})");
  EXPECT_EQ(said(review(changed, stamped)), "") << "the stamped name counts, which only the stored object has";
  EXPECT_NE(said(review(changed)), "");
}

}  // namespace
}  // namespace kopiur::gateway::kubernetes
