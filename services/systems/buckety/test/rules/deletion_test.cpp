#include "services/systems/buckety/rules/deletion.hpp"

#include <gtest/gtest.h>

namespace kopiur::buckety {
namespace {

constexpr deletion_evidence proven{.confirmed = true, .lease_held = true};

TEST(Deletion, DeletesOnlyABucketThatTheObjectCreated) {
  deleted_object created{retention_policy::Delete, provenance::Created, "orders"};
  EXPECT_EQ(deletion_step_for(created, proven), deletion_step::Delete);
  EXPECT_EQ(deletion_step_for({retention_policy::Delete, provenance::Adopted, "orders"}, proven), deletion_step::ReleaseAdopted);
  EXPECT_EQ(deletion_step_for({retention_policy::Delete, std::nullopt, "orders"}, proven), deletion_step::ReleaseAdopted)
      << "its name is stamped, but nobody knows who made the bucket";
}

TEST(Deletion, ReleasesWhatIsRetainedOrNeverStamped) {
  EXPECT_EQ(deletion_step_for({retention_policy::Retain, provenance::Created, "orders"}, proven), deletion_step::Release);
  EXPECT_EQ(deletion_step_for({retention_policy::Delete, provenance::Created, ""}, proven), deletion_step::Release);
  EXPECT_EQ(deletion_step_for({}, {}), deletion_step::Release) << "no evidence is needed where nothing is deleted";
}

TEST(Deletion, NeedsALiveReadAndTheLease) {
  deleted_object created{retention_policy::Delete, provenance::Created, "orders"};
  EXPECT_EQ(deletion_step_for(created, {}), deletion_step::Prove);
  EXPECT_EQ(deletion_step_for(created, {.confirmed = true}), deletion_step::Prove);
  EXPECT_EQ(deletion_step_for(created, {.lease_held = true}), deletion_step::Prove);
}

}  // namespace
}  // namespace kopiur::buckety
