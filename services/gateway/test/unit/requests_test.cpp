#include "services/gateway/core/requests.hpp"

#include "services/gateway/core/names.hpp"

namespace kopiur::gateway {
namespace {

raw_request raw(std::string verb, std::string body, std::vector<std::pair<std::string, std::string>> headers = {}) {
  return {.namespace_ = "home", .verb = std::move(verb), .body = std::move(body), .headers = std::move(headers), .sequence = 7};
}

TEST(ParseRequest, TakesTheSameRequestInFourForms) {
  raw_request const forms[] = {
      raw("backup", R"({"config":"photos"})", {{"CE-ID", "a%20b"}, {"ce-source", "argo"}, {"ce-type", "t"}, {"ce-specversion", "1.0"}}),
      raw("backup", R"({"specversion":"1.0","id":"a b","source":"argo","type":"t","data":{"config":"photos"}})",
          {{"Content-Type", "application/cloudevents+json"}}),
      raw("backup", R"({"specversion":"1.0","id":"a b","source":"argo","type":"t","data":"{\"config\":\"photos\"}"})"),
      raw("backup", R"({"config":"photos","id":"a b","source":"argo"})"),
  };
  for (auto const& form : forms) {
    auto parsed = parse_request(form);
    ASSERT_TRUE(parsed) << parsed.error().message;
    EXPECT_EQ(parsed->id, "a b");
    EXPECT_EQ(parsed->source, "argo");
    EXPECT_EQ(std::get<proto::backup_request>(parsed->request).config, "photos");
  }
}

TEST(ParseRequest, TakesTheMessageIdOrTheSequenceAsTheLastResort) {
  EXPECT_EQ(parse_request(raw("backup", R"({"config":"p"})", {{"nats-msg-id", "m"}}))->id, "m");
  EXPECT_EQ(parse_request(raw("backup", R"({"config":"p"})"))->id, "seq-7");
  EXPECT_EQ(parse_request(raw("backup", R"({"config":"p","id":12})"))->id, "12");
}

TEST(ParseRequest, TakesBooleansAndNumbersAsText) {
  auto full = parse_request(raw("maintenance", R"({"maintenance":"m","full":"true"})"));
  ASSERT_TRUE(full);
  EXPECT_TRUE(std::get<proto::maintenance_request>(full->request).full);
  auto tagged = parse_request(raw("backup", R"({"config":"p","tags":{"n":3,"b":true}})"));
  ASSERT_TRUE(tagged);
  EXPECT_EQ(std::get<proto::backup_request>(tagged->request).tags.at("n"), "3");
  EXPECT_EQ(std::get<proto::backup_request>(tagged->request).tags.at("b"), "true");
}

TEST(ParseRequest, RefusesWithTheIdAndASentence) {
  auto deep = R"({"spec":)" + std::string(64, '[') + "0" + std::string(64, ']') + "}";
  for (auto const& bad : {raw("erase", "{}"), raw("backup", "{oops"), raw("backup", R"({"config":{}})", {{"ce-id", "x"}}),
                          raw("maintenance", R"({"full":"perhaps"})"), raw("restore", deep),
                          raw("restore", R"({"specversion":"1.0","id":"a","source":"s","type":"t","data":)" + json::dump(deep) + "}")}) {
    auto parsed = parse_request(bad);
    ASSERT_FALSE(parsed);
    EXPECT_FALSE(parsed.error().id.empty());
    EXPECT_EQ(parsed.error().message.back(), '.') << parsed.error().message;
  }
}

request_plan planned(raw_request const& form, bool restore = false) {
  auto parsed = parse_request(form);
  if (!parsed) throw std::runtime_error(parsed.error().message);
  auto plan = plan_request(*parsed, form.namespace_, restore);
  if (!plan) throw std::runtime_error(plan.error().message);
  return *plan;
}

TEST(PlanRequest, ARepeatedIdIsTheSameObject) {
  auto name = [](std::string id) { return planned(raw("backup", R"({"config":"p","source":"s","id":")" + id + "\"}")).stands_for.name; };
  EXPECT_EQ(name("1"), name("1"));
  EXPECT_NE(name("1"), name("2"));
  EXPECT_TRUE(is_object_name(name("1")));
  EXPECT_TRUE(name("1").starts_with("backup-"));
}

TEST(PlanRequest, MakesABackupThatTheConfigMustAllow) {
  auto plan = planned(raw("backup", R"({"config":"photos","sourcePath":"/pvc/a","tags":{"t":"1"},"id":"1"})"));
  auto const& object = std::get<create_step>(plan.step).object;
  EXPECT_EQ(object.text("kind"), "Backup");
  EXPECT_EQ(object.text("metadata.namespace"), "home");
  EXPECT_EQ(object.text("spec.configRef.name"), "photos");
  EXPECT_EQ(object.text("spec.sourcePath"), "/pvc/a");
  EXPECT_EQ(object.text("spec.tags.t"), "1");
  EXPECT_EQ(plan.needs->name, "photos");
}

TEST(PlanRequest, RefusesRestoresUnlessSwitchedOn) {
  auto form = raw("restore", R"({"spec":{"source":{"backupRef":{"name":"b"}}},"id":"1"})");
  EXPECT_THROW(planned(form), std::runtime_error);
  EXPECT_EQ(std::get<create_step>(planned(form, true).step).object.text("spec.source.backupRef.name"), "b");
}

TEST(PlanRequest, MarksWhatIsToBeCancelledOrMaintained) {
  auto cancel = planned(raw("cancel", R"({"name":"b-1","id":"1"})"));
  EXPECT_EQ(std::get<annotate_step>(cancel.step).object.kind, "Backup");
  EXPECT_TRUE(std::get<annotate_step>(cancel.step).annotations.contains(ours("cancel-run")));
  auto maintain = planned(raw("maintenance", R"({"maintenance":"m","full":true,"id":"1"})"));
  EXPECT_TRUE(std::get<annotate_step>(maintain.step).annotations.at(ours("run-maintenance")).starts_with("full "));
}

TEST(PlanRequest, RefusesNamesThatAreNone) {
  EXPECT_THROW(planned(raw("backup", R"({"config":"../x"})")), std::runtime_error);
  EXPECT_THROW(planned(raw("cancel", R"({"name":"","id":"1"})")), std::runtime_error);
}

TEST(RequestToken, IsSafeInASubject) {
  EXPECT_EQ(request_token("a b.c>*d-1"), "a_b_c__d-1");
  EXPECT_EQ(request_token(""), "_");
}

}  // namespace
}  // namespace kopiur::gateway
