#include "services/gateway/adapters/kubernetes/review.hpp"

#include "services/gateway/adapters/kubernetes/borrowed_rights.hpp"

#include "services/gateway/test/folder.hpp"

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
object_map nothing() { return {}; }
bool allowed(json::value const& asked, object_map const& there = {}) {
  return *reviewed(asked, [&] { return there; })->at("response.allowed")->as_bool();
}
json::value with(json::value object, std::string_view member, std::string_view text) {
  object.find("metadata")->set(member, parsed_json(text));
  return object;
}

json::value recipe(std::string_view hooks) {
  return manifest("BackupConfig", "photos",
                  R"({"repository":{"name":"nas"},"sources":[{"pvc":{"name":"data"}}],"hooks":)" + std::string(hooks) + "}");
}

TEST(Review, KnowsWhatARecipeBorrows) {
  auto borrowed = [](json::value object, json::value before = {}) {
    auto asked = review(std::move(object), std::move(before));
    asked.find("request")->set("namespace", "prod");
    std::string text;
    for (auto& each : borrowed_rights(asked)) text += each.field + ": " + each.text() + " in " + each.namespace_ + "\n";
    return text;
  };
  auto const call = R"({"afterSnapshot":[{"httpRequest":{"url":"http://app/thaw"}}]})";
  auto const both =
      R"({"beforeSnapshot":[{"httpRequest":{"url":"http://app/freeze"}},{"workloadExec":{"podSelector":{},"command":["sync"]}}],)"
      R"("afterSnapshot":[{"runJob":{"jobSpec":{}}}]})";
  auto const with_secret = R"({"afterSnapshot":[{"httpRequest":{"url":"http://elsewhere","headers":[{"name":"X-Token","valueFrom":)"
                           R"({"secretKeyRef":{"name":"token","key":"t"}}}]}}]})";
  EXPECT_EQ(borrowed(recipe(call)), "") << "a call anybody may make";
  EXPECT_EQ(borrowed(recipe(with_secret)), "spec.hooks.afterSnapshot[0].httpRequest: get secrets \"token\" in prod\n");
  EXPECT_EQ(
      borrowed(recipe(both)),
      "spec.hooks.beforeSnapshot[1].workloadExec: create pods/exec in prod\nspec.hooks.afterSnapshot[0].runJob: create jobs in prod\n");
  EXPECT_NE(borrowed(recipe(both), recipe(call)), "");
  EXPECT_EQ(borrowed(recipe(both), recipe(both)), "") << "whoever changes something else borrows nothing";
  EXPECT_EQ(borrowed(good), "");
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
    auto said = *reviewed(review(object), [&] { return there; });
    EXPECT_TRUE(*said.at("response.allowed")->as_bool()) << "it may come yet";
    auto* all = said.at("response.warnings");
    return all ? json::dump(*all) : std::string();
  };
  EXPECT_EQ(warnings(good, {}), R"(["spec.configRef: BackupConfig home/photos is not there (yet)."])");
  auto photos = with(recipe("{}"), "uid", "\"u-photos\"");
  EXPECT_EQ(warnings(good, {{key_of(photos), photos}}), "");
  EXPECT_EQ(warnings(recipe("{}"), {}), R"(["spec.repository: Repository home/nas is not there (yet)."])");
}

TEST(Review, IsGivenToAReviewOnly) {
  EXPECT_FALSE(reviewed(good, nothing));
  EXPECT_FALSE(reviewed(parsed_json("[]"), nothing));
}

}  // namespace
}  // namespace kopiur::gateway::kubernetes
