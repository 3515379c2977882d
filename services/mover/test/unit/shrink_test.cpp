#include "services/mover/core/shrink.hpp"

#include <gtest/gtest.h>

namespace kopiur::mover {
namespace {

manifest of(std::string id, std::int64_t files, std::int64_t bytes, std::optional<std::string> run = "r") {
  manifest one;
  one.row = {.id = std::move(id), .size_bytes = bytes, .files = files, .run = std::move(run)};
  one.root = "k1";
  return one;
}

class Shrink : public ::testing::Test {
 protected:
  /// The id of the predecessor by comparison with which the new snapshot shrank; empty: it did not shrink.
  std::string held_against(std::vector<manifest> const& older, std::int64_t files, std::int64_t bytes) {
    predecessor before(watch);
    for (auto& each : older) before.meet(each);
    auto found = before.compare(of("new", files, bytes).row);
    return found ? found->predecessor : "";
  }
  proto::shrink_watch watch{.percent = 50};
};

TEST_F(Shrink, IsHalfOfTheFilesOrOfTheBytes) {
  EXPECT_EQ(held_against({of("a", 100, 1000)}, 49, 1000), "a");
  EXPECT_EQ(held_against({of("a", 100, 1000)}, 100, 499), "a");
  EXPECT_EQ(held_against({of("a", 100, 1000)}, 50, 500), "");
  EXPECT_EQ(held_against({of("a", 100, 0)}, 100, 0), "");
  watch.percent = 90;
  EXPECT_EQ(held_against({of("a", 100, 1000)}, 89, 1000), "a");
  watch.percent = 0;
  EXPECT_EQ(held_against({of("a", 100, 1000)}, 0, 0), "") << "nobody looks";
}

TEST_F(Shrink, MeansNothingOfLittle) {
  EXPECT_EQ(held_against({}, 0, 0), "") << "a fresh deployment is not red";
  EXPECT_EQ(held_against({of("a", 19, (10 << 20) - 1)}, 0, 0), "");
  EXPECT_EQ(held_against({of("a", 20, 0)}, 0, 0), "a");
  EXPECT_EQ(held_against({of("a", 1, 10 << 20)}, 0, 0), "a");
  EXPECT_EQ(held_against({of("a", 1'000'000'000'000, INT64_MAX)}, 1'000'000'000'000, INT64_MAX / 4), "a") << "no overflow";
}

TEST_F(Shrink, IsComparedWithTheNewestThatIsGood) {
  EXPECT_EQ(held_against({of("a", 100, 1), of("b", 1000, 1)}, 60, 1), "b");
  EXPECT_EQ(held_against({of("b", 1000, 1), of("a", 100, 1)}, 60, 1), "b") << "a shrank, and no Backup is left of it";
  watch.last_good = "a";
  EXPECT_EQ(held_against({of("b", 1000, 1), of("a", 100, 1)}, 60, 1), "") << "that a shrank was accepted";
  watch.held = {"c"};
  EXPECT_EQ(held_against({of("b", 1000, 1), of("a", 100, 1), of("c", 60, 1)}, 40, 1), "a") << "held though the threshold was lowered";
  EXPECT_EQ(held_against({of("b", 1000, 1), of("d", 30, 1, {})}, 20, 1), "") << "what others have saved is as they want it";
}

TEST_F(Shrink, IsNotComparedWithWhatIsPartialOrIncomplete) {
  auto partial = of("b", 20, 1), incomplete = of("c", 20, 1), nothing = of("d", 20, 1);
  partial.failed = 80, incomplete.incomplete = "canceled", nothing.root = "";
  EXPECT_EQ(held_against({of("a", 100, 1), partial, incomplete, nothing}, 30, 1), "a");
}

TEST_F(Shrink, StaysWhereNothingHasChangedSince) {
  predecessor before(watch);
  before.meet(of("a", 100, 1));
  EXPECT_FALSE(before.unchanged());
  before.meet(of("b", 0, 0));
  ASSERT_TRUE(before.unchanged());
  EXPECT_EQ(before.unchanged()->snapshot, "b");
  EXPECT_EQ(before.unchanged()->predecessor, "a");
  before.meet(of("c", 100, 1));
  EXPECT_FALSE(before.unchanged());
}

TEST_F(Shrink, IsTakenForAcceptedOnceALaterOneWasComparedWithIt) {
  auto later = of("c", 9, 1), other = of("c", 9, 1);
  later.row.baseline = proto::baseline{"b", 50}, other.row.baseline = proto::baseline{"a", 50};
  EXPECT_EQ(held_against({of("a", 100, 1), of("b", 10, 1), later}, 8, 1), "");
  EXPECT_EQ(held_against({of("a", 100, 1), of("b", 30, 1), later}, 8, 1), "b") << "b is good, c is held against it";
  EXPECT_EQ(held_against({of("a", 100, 1), of("b", 10, 1), other}, 8, 1), "a");
}

TEST_F(Shrink, NamesWhatANewOneIsComparedWith) {
  predecessor before(watch);
  EXPECT_FALSE(before.baseline());
  before.meet(of("a", 100, 1));
  before.meet(of("b", 10, 1));
  EXPECT_EQ(before.baseline(), (proto::baseline{"a", 50}));
  watch.percent = 0;
  EXPECT_FALSE(before.baseline()) << "nobody looks";
}

}  // namespace
}  // namespace kopiur::mover
