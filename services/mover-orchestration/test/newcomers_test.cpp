#include <gtest/gtest.h>

#include "services/mover-orchestration/core/newcomers.hpp"

namespace kopiur::orchestration {
namespace {

using names = std::vector<std::string>;

proto::lease_holder holder(std::string run, std::uint64_t fence, std::string cluster = "here") {
  return {.cluster = std::move(cluster), .run = std::move(run), .mode = proto::lease_mode::Shared, .until = {}, .fence = fence};
}

TEST(Newcomers, AreWhoDidNotHoldAtTheLastLook) {
  newcomers all("here");
  EXPECT_EQ(all.to("key", {holder("a", 1), holder("b", 2)}), (names{"a", "b"}));
  EXPECT_EQ(all.to("key", {holder("b", 2), holder("c", 3)}), names{"c"});
  EXPECT_EQ(all.to("key", {holder("b", 2), holder("c", 3)}), names{});
}

TEST(Newcomers, WhoLostAPlaceAndGotAnotherIsNew) {
  newcomers all("here");
  all.to("key", {holder("a", 1)});
  EXPECT_EQ(all.to("key", {holder("a", 5)}), names{"a"}) << "between two looks it had lost it";
  all.to("key", {});
  EXPECT_EQ(all.to("key", {holder("a", 5)}), names{"a"});
}

TEST(Newcomers, EachKeyHasItsOwnAndOtherClustersAreNotOurs) {
  newcomers all("here");
  all.to("one", {holder("a", 1)});
  EXPECT_EQ(all.to("two", {holder("a", 1), holder("b", 2, "there")}), names{"a"});
}

}  // namespace
}  // namespace kopiur::orchestration
