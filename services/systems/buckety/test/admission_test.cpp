#include "services/systems/buckety/admission.hpp"

#include <gtest/gtest.h>

#include "services/systems/buckety/system.hpp"

namespace kopiur::buckety {
namespace {

constexpr std::string_view file = R"(
backends:
- name: objects
  driver: s3
  config: {endpoint: "http://s3:9000", accessKeyID: a, secretAccessKey: s}
  defaults: {zone: local}
- name: cloud
  driver: s3
  config: {endpoint: "https://r2", accessKeyID: a, secretAccessKey: s, implementation: r2}
- name: kafka
  driver: kadm
  config: {seedBrokers: ["kafka:9092"]}
  parameters: {partitions: 3}
)";

json::value object(std::string const& kind, std::string const& spec, std::string const& status = "{}", std::string const& more = "") {
  return *json::parse(R"({"apiVersion":"buckety.yolean.se/v1alpha1","kind":")" + kind +
                      R"(","metadata":{"name":"photos","namespace":"team")" + more + R"(},"spec":)" + spec + R"(,"status":)" + status +
                      "}");
}
json::value buckety(std::string const& spec, std::string const& status = "{}", std::string const& more = "") {
  return object("Buckety", spec, status, more);
}

/// All findings as one text.
std::string said(json::value const& manifest, json::value const* current = nullptr) {
  static auto const config =
      *buckety_system.configure({.file = "f", .text = std::string(file), .variables = [](auto&) { return std::nullopt; }});
  controller::objects none;
  auto all = buckety_system.judge({.manifest = manifest, .current = current, .beside = none, .config = config.get()});
  std::string text;
  for (auto const& [field, message] : all.faults) text += field + ": " + message + "\n";
  for (auto const& [field, message] : all.warnings) text += "warning " + field + ": " + message + "\n";
  return text;
}

TEST(BucketyAdmission, ABackendThatThereIsNotIsNamedWithThoseThatThereAre) {
  EXPECT_EQ(said(buckety(R"({"backend":"objects"})")), "");
  EXPECT_EQ(said(buckety(R"({"backend":"objekts"})")),
            "spec.backend: The controller's configuration has no backend objekts. It has: objects, cloud, kafka.\n");
  auto before = buckety(R"({"backend":"gone"})", R"({"backend":"gone","backendResourceName":"photos"})");
  EXPECT_EQ(said(buckety(R"({"backend":"gone","retentionPolicy":"Delete"})"), &before), "") << "an update does not need the backend";
}

TEST(BucketyAdmission, ATemplateHasToResolveToAGoodName) {
  EXPECT_TRUE(said(buckety(R"({"backend":"objects","name":"x-${label['tier']}"})")).starts_with("spec.name: ${label['tier']}"));
  EXPECT_EQ(said(buckety(R"({"backend":"objects","name":"x-${label['tier']}"})", "{}", R"(,"labels":{"tier":"gold"})")), "");
  EXPECT_EQ(said(buckety(R"({"backend":"objects","name":"${namespace}-${name}-${backend.zone}"})")), "");
  EXPECT_TRUE(said(buckety(R"({"backend":"objects","name":"Photos"})")).contains("lowercase"));
}

TEST(BucketyAdmission, AStampedNameIsNotResolvedAgain) {
  constexpr auto spec = R"({"backend":"objects","name":"x-${label['tier']}"})";
  auto before = buckety(spec, R"({"backend":"objects","driver":"s3","backendResourceName":"x-gold"})", R"(,"labels":{"tier":"gold"})");
  EXPECT_EQ(said(buckety(spec), &before), "") << "the label is gone";
  auto unstamped = buckety(spec, "{}", R"(,"labels":{"tier":"gold"})");
  EXPECT_NE(said(buckety(spec), &unstamped), "");
}

TEST(BucketyAdmission, EachWrongParameterIsNamed) {
  auto text = said(buckety(R"({"backend":"objects","parameters":{"versioning":"yes","colour":"red","jurisdiction":"eu"}})"));
  for (auto key : {"spec.parameters: versioning: ", "spec.parameters: colour: ", "spec.parameters: jurisdiction: "})
    EXPECT_TRUE(text.contains(key)) << key << text;
}

TEST(BucketyAdmission, AParameterThatCannotChangeStays) {
  auto before = buckety(R"({"backend":"cloud","parameters":{"jurisdiction":"eu"}})");
  EXPECT_TRUE(said(buckety(R"({"backend":"cloud"})"), &before).starts_with("spec.parameters: jurisdiction: "));
  EXPECT_EQ(said(buckety(R"({"backend":"cloud","parameters":{"jurisdiction":"eu","versioning":"true"}})"), &before), "");
}

TEST(BucketyAdmission, TopicsHaveNamesAndParametersOfTheirOwn) {
  EXPECT_EQ(said(buckety(R"({"backend":"kafka","name":"Orders_${name}","parameters":{"config.retention.ms":"1"}})")), "");
  EXPECT_TRUE(
      said(buckety(R"({"backend":"kafka","name":"__${name}"})")).starts_with("spec.name: \"__photos\" is not a valid topic name: "));
  EXPECT_TRUE(said(buckety(R"({"backend":"kafka","parameters":{"versioning":"true"}})")).contains("versioning: unknown parameter"));
  auto before = buckety(R"({"backend":"kafka"})");
  EXPECT_TRUE(said(buckety(R"({"backend":"kafka","parameters":{"replicationFactor":"3"}})"), &before)
                  .starts_with("spec.parameters: replicationFactor: replicationFactor is immutable: "));
  EXPECT_EQ(said(buckety(R"({"backend":"kafka","parameters":{"partitions":"1"}})"), &before), "") << "the broker refuses fewer partitions";
}

TEST(BucketyAdmission, AnAccessWithoutItsBucketyIsOnlyWarnedAbout) {
  EXPECT_EQ(said(object("BucketyAccess", R"({"bucketyRef":{"name":"photos"},"credentialsSecretName":"s"})")),
            "warning spec.bucketyRef: There is no Buckety photos yet.\n");
}

TEST(BucketyAdmission, WithoutAConfigurationNothingIsRefused) {
  controller::objects none;
  auto wanted = buckety(R"({"backend":"objects"})");
  EXPECT_TRUE(buckety_system.judge({.manifest = wanted, .current = nullptr, .beside = none, .config = nullptr}).faults.empty());
}

}  // namespace
}  // namespace kopiur::buckety
