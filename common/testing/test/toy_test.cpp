#include "common/testing/test/toy.hpp"

#include <gtest/gtest.h>

namespace kopiur::testing::toy {
namespace {

scenario with(settings rules) {
  return [rules](world_options const& options) { return play(options, rules).seen; };
}

TEST(Toy, EachJobIsActedOnOnceAndASeedGivesOneTrace) {
  constexpr std::uint64_t seeds = 200;
  std::map<std::string, std::uint64_t, std::less<>> struck;
  std::uint64_t steps = 0;
  std::set<std::uint64_t> hashes;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    auto seen = play({.seed = seed}, {});
    ASSERT_FALSE(seen.seen) << describe(*seen.seen);
    ASSERT_EQ(seen.acted.size(), 6u) << "seed " << seed;
    if (seed % 4 == 0) {
      auto again = play({.seed = seed}, {});
      ASSERT_EQ(again.hash, seen.hash) << "seed " << seed;
      ASSERT_EQ(again.steps, seen.steps);
      ASSERT_EQ(again.acted, seen.acted);
    }
    hashes.insert(seen.hash);
    steps += seen.steps;
    for (auto const& [what, count] : seen.struck) struck[what] += count;
  }
  EXPECT_EQ(hashes.size(), seeds) << "different seeds are different runs";
  for (auto what : {"lost_before", "lost_after", "late", "twice", "crash_before", "crash_after", "crash"})
    EXPECT_GT(struck[what], seeds / 10) << what;
  RecordProperty("steps", std::to_string(steps));
}

TEST(Toy, AnotherOrderIsAnotherRunWithTheSamePlan) {
  auto one = play({.seed = 5}, {}), other = play({.seed = 5, .order = 1}, {});
  EXPECT_NE(one.hash, other.hash);
  EXPECT_EQ(one.struck.at("crash"), other.struck.at("crash"));
}

TEST(Toy, ActingBeforeTheClaimIsFoundWithoutAnyFault) {
  auto found = find_and_shrink({}, 20, with({.planted = bug::acts_before_claiming}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->seen.rule, "acted twice");
  EXPECT_TRUE(found->seen.faults.empty()) << describe(found->seen);
  EXPECT_LT(found->seen.step, 200u);
}

TEST(Toy, TrustingSilenceIsFoundAndShrunkToOneFault) {
  auto found = find_and_shrink({}, 50, with({.planted = bug::trusts_silence}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->seen.faults.size(), 1u) << describe(found->seen);
  auto again = play(found->options, {.planted = bug::trusts_silence});
  ASSERT_TRUE(again.seen) << "what was found can be seen again";
  EXPECT_EQ(again.seen->step, found->seen.step);
  EXPECT_EQ(again.seen->text, found->seen.text);
}

TEST(Shrink, FindsNothingWhereNothingIsWrong) { EXPECT_FALSE(find_and_shrink({}, 5, with({}))); }

}  // namespace
}  // namespace kopiur::testing::toy
