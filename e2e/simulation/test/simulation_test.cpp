#include <gtest/gtest.h>

#include <cstdlib>

#include "e2e/simulation/story.hpp"

/// The whole product under faults, and each planted bug found. KOPIUR_SIMULATED_HOURS: how long the runs are together.
namespace kopiur::simulation {
namespace {

using namespace std::chrono_literals;

std::optional<testing::violation> run(std::uint64_t seed, story_options how, summary* told = nullptr) {
  story one({.seed = seed}, how);
  auto seen = one.run();
  if (told) *told = one.told();
  return seen;
}

TEST(Simulation, HoldsTheInvariantsUnderFaults) {
  auto* set = std::getenv("KOPIUR_SIMULATED_HOURS");
  auto hours = set ? std::strtoull(set, nullptr, 10) : 48;
  constexpr std::uint64_t each = 8;
  std::map<std::string, std::uint64_t> counts;
  for (std::uint64_t seed = 1; seed <= std::max<std::uint64_t>(1, hours / each); ++seed) {
    summary told;
    auto seen = run(seed, {.length = std::chrono::hours(each)}, &told);
    ASSERT_FALSE(seen) << testing::describe(*seen);
    for (auto& [what, n] : told.counts) counts[what] += n;
  }
  for (auto* what : {"snapshots", "snapshots deleted", "restores", "maintenances", "lists", "jobs Lost", "process ends", "user: backup", "user: restore",
                     "user: delete", "user: pin", "user: foreign snapshot", "fault: crash", "fault: leader gap", "fault: cut off", "fault: repository away",
                     "fault: stall", "fault: lost_before", "fault: lost_after", "fault: late", "fault: twice", "fault: redelivered", "fault: settle_lost",
                     "fault: feed_restarted", "fault: blind_conflict", "checked: deletion", "checked: restore", "checked: slot", "checked: leases"})
    EXPECT_GT(counts[what], 0u) << what << " never happened, so nothing was shown about it";
}

TEST(Simulation, TheSameSeedIsTheSameRun) {
  summary one, two;
  EXPECT_FALSE(run(3, {.length = 2h}, &one));
  EXPECT_FALSE(run(3, {.length = 2h}, &two));
  EXPECT_EQ(one.hash, two.hash);
  EXPECT_GT(one.steps, 10'000u);
}

/// The invariant that a bug breaks.
std::string rule_of(planted bug) {
  switch (bug) {
    case planted::none: return "";
    case planted::trusts_stale_reads: return "1 ";
    case planted::doubles_slots: return "3 ";
    case planted::grants_everything: return "4 ";
    case planted::submits_twice: return "5 ";
    case planted::restores_any: return "6 ";
    case planted::acts_without_bus: return "7 ";
    case planted::says_nothing: return "8 ";
    case planted::chatters: return "9 ";
    case planted::leaks_secrets: return "10 ";
    case planted::cascades: return "11 ";
  }
  __builtin_unreachable();
}

class Planted : public ::testing::TestWithParam<planted> {};

TEST_P(Planted, IsFound) {
  for (std::uint64_t seed = 100; seed < 112; ++seed)
    if (auto seen = run(seed, {.length = 6h, .with_faults = false, .bug = GetParam()})) {
      EXPECT_TRUE(seen->rule.starts_with(rule_of(GetParam()))) << "another rule was broken: " << testing::describe(*seen);
      std::printf("found by seed %llu at step %llu: %s: %s\n", static_cast<unsigned long long>(seed), static_cast<unsigned long long>(seen->step), seen->rule.c_str(),
                  seen->text.c_str());
      return;
    }
  ADD_FAILURE() << "twelve seeds did not find it";
}

INSTANTIATE_TEST_SUITE_P(Bugs, Planted, ::testing::ValuesIn(all_planted), [](auto const& info) { return "bug" + std::to_string(static_cast<int>(info.param)); });

}  // namespace
}  // namespace kopiur::simulation
