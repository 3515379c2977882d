#include "services/systems/buckety/rules/access.hpp"

#include <gtest/gtest.h>

namespace kopiur::buckety {
namespace {

driver_rules const& s3_driver() { return *find_driver(all_drivers(), "s3"); }

TEST(Roles, AreTakenInAllFourSpellings) {
  for (auto* text : {"Reader", "Writer", "ReadWrite", "ReadOnly"}) EXPECT_TRUE(json::from_text<role>(text)) << text;
  EXPECT_FALSE(json::from_text<role>("readonly"));
  EXPECT_EQ(effective_role(role::ReadOnly), role::Reader);
  EXPECT_EQ(effective_role(role::Writer), role::Writer);
}

TEST(Scope, IsMissedByEveryRoleThatTheDriverDoesNotLimit) {
  EXPECT_EQ(missing_scope(s3_driver(), role::ReadWrite, {}), std::nullopt);
  EXPECT_EQ(missing_scope(s3_driver(), role::ReadOnly, {}),
            "The driver s3 does not limit credentials to the role ReadOnly: they allow reading and writing.");
  auto scoped = s3_driver();
  scoped.scoped = true;
  EXPECT_EQ(missing_scope(scoped, role::Reader, {}), std::nullopt);
}

TEST(Scope, IsMissedByADocumentedParameterWithoutEffect) {
  access_judgement judgement{.refused = {}, .not_scoped = {"consumerGroupPrefix"}};
  EXPECT_EQ(missing_scope(s3_driver(), role::ReadWrite, judgement),
            "The driver s3 does not limit credentials: consumerGroupPrefix has no effect.");
}

}  // namespace
}  // namespace kopiur::buckety
