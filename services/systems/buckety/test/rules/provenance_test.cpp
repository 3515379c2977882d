#include "services/systems/buckety/rules/provenance.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace kopiur::buckety {
namespace {

TEST(Provenance, DependsOnWhatIsThere) {
  EXPECT_EQ(first_step_for({}, adoption::AdoptEmpty, "b"), first_step::Create);
  EXPECT_EQ(first_step_for({}, adoption::Adopt, "b"), first_step::Create);
  EXPECT_EQ(first_step_for({.exists = true, .empty = true}, adoption::AdoptEmpty, "b"), first_step::Adopt);
  EXPECT_EQ(first_step_for({.exists = true}, adoption::Adopt, "b"), first_step::Adopt);
  auto refused = first_step_for({.exists = true}, adoption::AdoptEmpty, "orders");
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().starts_with("orders exists already and is not empty."));
}

/// Bug 5.3(2): Created was stamped before the create call, and a later deletion removed a bucket of somebody else.
TEST(Provenance, IsCreatedOnlyAfterTheObjectsOwnCreateCall) {
  EXPECT_EQ(provenance_after(first_step::Create, create_result::Made), provenance::Created);
  EXPECT_EQ(provenance_after(first_step::Create, create_result::Failed), std::nullopt);
  EXPECT_EQ(provenance_after(first_step::Create, create_result::ExistsAlready), std::nullopt) << "somebody was faster: inspect again";
  EXPECT_EQ(provenance_after(first_step::Adopt, create_result::Made), provenance::Adopted);
}

}  // namespace
}  // namespace kopiur::buckety
