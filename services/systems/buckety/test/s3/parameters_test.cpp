#include "services/systems/buckety/s3/parameters.hpp"

#include <gtest/gtest.h>

namespace kopiur::buckety::s3 {
namespace {

backend_config backend_of(std::optional<std::string> implementation) {
  return {.endpoint = "http://s3", .implementation = std::move(implementation)};
}
std::string refusal(parameters const& wanted, std::optional<std::string> implementation = {}) {
  return text_of(validate_parameters(backend_of(std::move(implementation)), wanted));
}
std::string refusal_of_update(parameters const& old, parameters const& wanted) {
  return text_of(validate_update(backend_of("r2"), old, wanted));
}

TEST(BucketParameters, BecomeTheWantedState) {
  auto wanted = parse_parameters(backend_of("r2"), {{"versioning", "false"}, {"lifecycle", R"({"rule":[]})"}, {"jurisdiction", "eu"}});
  ASSERT_TRUE(wanted) << text_of(wanted.error());
  EXPECT_EQ(wanted->versioning, false);
  EXPECT_EQ(wanted->lifecycle, lifecycle_rules{});
  EXPECT_EQ(wanted->jurisdiction, "eu");
  auto nothing = parse_parameters(backend_of({}), {});
  ASSERT_TRUE(nothing);
  EXPECT_FALSE(nothing->versioning || nothing->lifecycle || nothing->jurisdiction) << "what is absent is not managed";
}

/// Bug 5.3(8): "1", "T" and others that Go reads as a boolean were accepted.
TEST(BucketParameters, TakeExactlyTrueOrFalseForVersioning) {
  EXPECT_EQ(refusal({{"versioning", "true"}}), "");
  for (auto* text : {"1", "0", "t", "T", "TRUE", "True", "f", "FALSE", "yes", "", " true", "true ", "Enabled"})
    EXPECT_EQ(refusal({{"versioning", text}}), "versioning: must be exactly true or false.") << text;
}

TEST(BucketParameters, TakeAJurisdictionOnR2Only) {
  EXPECT_EQ(refusal({{"jurisdiction", "eu"}}, "r2"), "");
  for (auto* other : {"aws", "minio", "versitygw"})
    EXPECT_TRUE(refusal({{"jurisdiction", "eu"}}, other).contains("jurisdiction: jurisdiction needs a backend with `implementation: r2`"))
        << other;
  EXPECT_TRUE(refusal({{"jurisdiction", "eu"}}).contains("and this one has none"));
  for (auto* text : {"", "EU", "us", "fedramp"})
    EXPECT_TRUE(refusal({{"jurisdiction", text}}, "r2").contains("jurisdiction must be eu")) << text;
}

TEST(BucketParameters, KeepTheirJurisdiction) {
  constexpr auto expected = "jurisdiction is immutable";
  EXPECT_EQ(refusal_of_update({{"jurisdiction", "eu"}}, {{"jurisdiction", "eu"}, {"versioning", "true"}}), "");
  EXPECT_EQ(refusal_of_update({}, {}), "");
  EXPECT_TRUE(refusal_of_update({{"jurisdiction", "eu"}}, {}).contains(expected));
  EXPECT_TRUE(refusal_of_update({}, {{"jurisdiction", "eu"}}).contains(expected));
  EXPECT_TRUE(refusal_of_update({{"jurisdiction", "eu"}}, {{"jurisdiction", "us"}}).contains(expected));
  EXPECT_TRUE(refusal_of_update({}, {{"versioning", "1"}}).contains("versioning: ")) << "an update is validated as a whole";
}

TEST(BucketParameters, NameAnUnknownKeyAndTheNearestKnownOne) {
  EXPECT_EQ(
      refusal({{"versionning", "true"}}),
      "versionning: unknown parameter \"versionning\"; did you mean `versioning`? The driver s3 has: versioning, lifecycle, jurisdiction.");
  EXPECT_TRUE(refusal({{"bogus", ""}, {"Versioning", "true"}}).contains("bogus: unknown parameter \"bogus\"; The driver"));
  EXPECT_TRUE(refusal({{"Versioning", "true"}}).contains("unknown parameter \"Versioning\""));
  EXPECT_TRUE(refusal({{"region", "x"}}).contains("region: unknown parameter")) << "region belongs to the backend's configuration";
}

}  // namespace
}  // namespace kopiur::buckety::s3
