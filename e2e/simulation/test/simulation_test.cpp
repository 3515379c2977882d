#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>

#include "common/log/log.hpp"
#include "e2e/simulation/explain.hpp"

/// The same seed gives the same run, a failing one is reported as its shortest story, and each planted bug is found. kopiur-simulate runs
/// the thousands of hours without a violation (CMakeLists.txt).
namespace kopiur::simulation {
namespace {

using namespace std::chrono_literals;

std::optional<testing::violation> run(std::uint64_t seed, story_options options, summary* told = nullptr) {
  static bool const quiet =
      (log::start({.least = log::level::error, .file = "/dev/null"}), true);  // refusals, retries and losses are normal in a run
  EXPECT_TRUE(quiet);
  story one({.seed = seed}, options);
  auto seen = one.run();
  if (told) *told = one.told();
  return seen;
}

/// First seed of the search for a planted bug. It is fixed, so the verdict depends on the program alone; `./dev soak` sets seeds from the
/// clock.
std::uint64_t first_seed() {
  auto* given = std::getenv("KOPIUR_FIRST_SEED");
  return given ? std::strtoull(given, nullptr, 10) : 1;
}

TEST(Simulation, TheSameSeedIsTheSameRun) {
  summary one, two;
  EXPECT_FALSE(run(3, {.length = 2h}, &one));
  EXPECT_FALSE(run(3, {.length = 2h}, &two));
  EXPECT_EQ(one.hash, two.hash);
  EXPECT_EQ(one.digest, two.digest);
  EXPECT_GT(one.steps, 10'000u);
}

/// The digest changes with another act or another moment, not with other texts for users.
TEST(Digest, IsOfActsAndNotOfTexts) {
  auto object = [](std::string const& reason, std::string const& message) {
    return json::parse(R"({"status":{"phase":"Pending","conditions":[{"type":"Ready","status":"False","reason":")" + reason +
                       R"(","message":")" + message + "\"}]}}")
        .value();
  };
  EXPECT_EQ(facts_of(object("Waits", "one text")), facts_of(object("Waits", "another")));
  EXPECT_NE(facts_of(object("Waits", "one text")), facts_of(object("Runs", "one text")));
  auto value = [](instant time, std::initializer_list<std::string_view> what) {
    digest one;
    one.add(time, what);
    return one.value();
  };
  EXPECT_NE(value({}, {"start", "run-1"}), value({}, {"start", "run-2"}));
  EXPECT_NE(value({}, {"start", "run-1"}), value(instant{1ms}, {"start", "run-1"}));
  EXPECT_NE(value({}, {"a", "bc"}), value({}, {"ab", "c"}));
}

TEST(Simulation, TellsTheShortestStoryOfAViolation) {
  story_options options{.length = 3h, .with_faults = true, .bug = planted::restores_any};
  auto first = first_seed();
  for (auto seed = first; seed < first + 10; ++seed) {
    auto seen = run(seed, options);
    if (!seen || !seen->rule.starts_with("6 ") || seen->faults.empty()) continue;
    auto told = shortest_story({.seed = seed}, options, 30);
    EXPECT_NE(told.find(seen->rule), told.npos);
    auto index = told.find("faults before it: ");
    ASSERT_NE(index, told.npos) << told;
    EXPECT_LT(std::stoul(told.substr(index + 18)), seen->faults.size()) << "this bug needs no fault at all";
    EXPECT_NE(told.find(": create job"), told.npos) << "the notes are missing: " << told;
    return;
  }
  ADD_FAILURE() << "ten seeds from " << first << " on did not show it";
}

/// The invariant that a bug violates.
std::string rule_of(planted bug) {
  switch (bug) {
    case planted::none:
      return "";
    case planted::trusts_stale_reads:
      return "1 ";
    case planted::deletes_foreign:
      return "2 ";
    case planted::doubles_slots:
      return "3 ";
    case planted::grants_everything:
      return "4 ";
    case planted::submits_twice:
      return "5 ";
    case planted::restores_any:
      return "6 ";
    case planted::acts_without_bus:
      return "7 ";
    case planted::says_nothing:
      return "8 ";
    case planted::chatters:
      return "9 ";
    case planted::leaks_secrets:
      return "10 ";
    case planted::cascades:
      return "11 ";
    case planted::tears_groups:
    case planted::thaws_early:
    case planted::captures_late:
    case planted::freezes_for_good:
      return "12 ";
    case planted::believes_marks:
      return "13 ";
    case planted::yields_runs:
    case planted::starves_schedules:
      return "3 ";
    case planted::waits_for_room:
      return "8 ";
    case planted::lists_ours_alone:
      return "6 ";
    case planted::waits_for_good:
      return "8 ";
    case planted::does_dry_runs:
      return "5 ";
    case planted::renews_lists:
      return "6 ";
    case planted::misses_shrinking:
    case planted::forgets_baselines:
      return "14 ";
    case planted::contradicts:
      return "15 ";
    case planted::takes_foreign:
      return "B1 ";
    case planted::overwrites_secrets:
      return "B3 ";
    case planted::shares_names:
      return "B4 ";
  }
  __builtin_unreachable();
}

class Planted : public ::testing::TestWithParam<planted> {};

TEST_P(Planted, IsFound) {
  auto first = first_seed();
  // Two objects have to want one name within milliseconds: one story of ten has that. A wait of 20 minutes that no user ends: one of four.
  std::uint64_t const most = GetParam() == planted::shares_names ? 80 : GetParam() == planted::waits_for_good ? 40 : 12;
  for (auto seed = first; seed < first + most; ++seed)
    if (auto seen = run(seed, {.length = 6h, .with_faults = false, .bug = GetParam()})) {
      EXPECT_TRUE(seen->rule.starts_with(rule_of(GetParam()))) << "another rule was broken: " << testing::describe(*seen);
      std::printf("found by seed %llu at step %llu: %s: %s\n", static_cast<unsigned long long>(seed),
                  static_cast<unsigned long long>(seen->step), seen->rule.c_str(), seen->text.c_str());
      return;
    }
  ADD_FAILURE() << most << " seeds from " << first << " on did not find it";
}

INSTANTIATE_TEST_SUITE_P(Bugs, Planted, ::testing::ValuesIn(all_planted),
                         [](auto const& info) { return "bug" + std::to_string(static_cast<int>(info.param)); });

}  // namespace
}  // namespace kopiur::simulation
