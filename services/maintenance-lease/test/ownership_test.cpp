#include "services/maintenance-lease/core/ownership.hpp"

#include <gtest/gtest.h>

#include "proto/codec.hpp"

namespace kopiur::maintenance_lease {
namespace {

using namespace proto;

run_state ended(std::string const& owner, instant time) {
  run_state run{.run = "r", .stage = run_stage::FollowThroughComplete};
  run.order.object = {"Maintenance", "ns", "m", "u"};
  run.plan = run_plan{.work = {.task = maintain_work{.owner = "kopiur@id"}}};
  run.result = work_result{.owner = owner};
  run.changed_at = time;
  return run;
}
std::string status_of(status_fragment const& claim, std::string_view type) {
  for (auto& each : claim.conditions)
    if (each.type == type) return each.status;
  return "absent";
}

TEST(Ownership, IsClaimedSinceTheFirstRunAsTheOwner) {
  instant first{std::chrono::hours(1)}, later{std::chrono::hours(2)};
  auto claim = ownership_of(ended("kopiur@id", first), {});
  ASSERT_TRUE(claim);
  EXPECT_EQ(claim->status.text("ownership.claimedAt"), to_text(first));
  EXPECT_EQ(status_of(*claim, "OwnershipClaimed"), "True");
  EXPECT_EQ(status_of(*claim, "OwnershipConflict"), "False");
  auto again = ownership_of(ended("kopiur@id", later), maintenance_owner{"kopiur@id", first});
  EXPECT_EQ(again->status.text("ownership.claimedAt"), to_text(first));
  auto back = ownership_of(ended("kopiur@id", later), maintenance_owner{"other@host", {}});
  EXPECT_EQ(back->status.text("ownership.claimedAt"), to_text(later));
}

TEST(Ownership, OfAnotherIsAConflictThatNamesIt) {
  auto claim = ownership_of(ended("root@laptop", instant{std::chrono::hours(1)}), {});
  ASSERT_TRUE(claim);
  EXPECT_EQ(status_of(*claim, "OwnershipClaimed"), "False");
  EXPECT_EQ(status_of(*claim, "OwnershipConflict"), "True");
  EXPECT_NE(claim->conditions[0].message.find("root@laptop"), std::string::npos);
}

TEST(Ownership, IsNotKnownFromARunThatNeverAskedKopia) {
  EXPECT_FALSE(ownership_of(ended("", {}), {}));
  auto running = ended("kopiur@id", {});
  running.stage = run_stage::Created;
  EXPECT_FALSE(ownership_of(running, {}));
}

}  // namespace
}  // namespace kopiur::maintenance_lease
