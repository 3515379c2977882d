#include <gmock/gmock.h>

#include "services/mover-orchestration/core/newcomers.hpp"

namespace kopiur::orchestration {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

proto::lease_holder holder(std::string run, std::uint64_t fence, std::string cluster = "here") {
  return {.cluster = std::move(cluster), .run = std::move(run), .mode = proto::lease_mode::Shared, .until = {}, .fence = fence};
}

TEST(Newcomers, AreWhoDidNotHoldAtTheLastLook) {
  newcomers all("here");
  EXPECT_THAT(all.to("key", {holder("a", 1), holder("b", 2)}), ElementsAre("a", "b"));
  EXPECT_THAT(all.to("key", {holder("b", 2), holder("c", 3)}), ElementsAre("c"));
  EXPECT_THAT(all.to("key", {holder("b", 2), holder("c", 3)}), IsEmpty());
}

TEST(Newcomers, WhoLostAPlaceAndGotAnotherIsNew) {
  newcomers all("here");
  all.to("key", {holder("a", 1)});
  EXPECT_THAT(all.to("key", {holder("a", 5)}), ElementsAre("a")) << "between two looks it had lost it";
  all.to("key", {});
  EXPECT_THAT(all.to("key", {holder("a", 5)}), ElementsAre("a"));
}

TEST(Newcomers, EachKeyHasItsOwnAndOtherClustersAreNotOurs) {
  newcomers all("here");
  all.to("one", {holder("a", 1)});
  EXPECT_THAT(all.to("two", {holder("a", 1), holder("b", 2, "there")}), ElementsAre("a"));
}

}  // namespace
}  // namespace kopiur::orchestration
