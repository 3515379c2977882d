#include <gtest/gtest.h>

#include "services/mover-orchestration/core/new_grants.hpp"

namespace kopiur::mover_orchestration {
namespace {

using names = std::vector<std::string>;

proto::lease_holder holder(std::string run, std::uint64_t fence, std::string cluster = "here") {
  return {.cluster = std::move(cluster), .run = std::move(run), .mode = proto::lease_mode::Shared, .until = {}, .fence = fence};
}

TEST(Newcomers, AreWhoDidNotHoldAtTheLastLook) {
  new_grants all("here");
  EXPECT_EQ(all.among("key", {holder("a", 1), holder("b", 2)}), (names{"a", "b"}));
  EXPECT_EQ(all.among("key", {holder("b", 2), holder("c", 3)}), names{"c"});
  EXPECT_EQ(all.among("key", {holder("b", 2), holder("c", 3)}), names{});
}

TEST(Newcomers, WhoLostAPlaceAndGotAnotherIsNew) {
  new_grants all("here");
  all.among("key", {holder("a", 1)});
  EXPECT_EQ(all.among("key", {holder("a", 5)}), names{"a"}) << "between two looks it had lost it";
  all.among("key", {});
  EXPECT_EQ(all.among("key", {holder("a", 5)}), names{"a"});
}

TEST(Newcomers, EachKeyHasItsOwnAndOtherClustersAreNotOurs) {
  new_grants all("here");
  all.among("one", {holder("a", 1)});
  EXPECT_EQ(all.among("two", {holder("a", 1), holder("b", 2, "there")}), names{"a"});
}

}  // namespace
}  // namespace kopiur::mover_orchestration
