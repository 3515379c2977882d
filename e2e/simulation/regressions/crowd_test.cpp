#include <algorithm>

#include "e2e/simulation/regressions/scenario.hpp"

/// Thousands of runs at once: they wait for a few places in two repositories, and each of them is known to every replica.
namespace kopiur::simulation {
namespace {

constexpr int crowd = 5'000, configs = 100;
constexpr std::string_view tenants[] = {"ada", "bob"};

/// The Backups of the crowd that are in one of these phases.
std::ptrdiff_t count_in(script acts, std::initializer_list<std::string_view> phases) {
  auto belongs = [&](json::value const* one) {
    return one->text("metadata.name").starts_with("crowd-") && std::ranges::find(phases, one->text("status.phase")) != phases.end();
  };
  std::ptrdiff_t all = 0;
  for (auto ns : tenants) all += std::ranges::count_if(acts.objects("Backup", ns), belongs);
  return all;
}

/// Its Backups are kept, so that the crowd stays.
json::value config_for(std::string const& ns, int number) {
  auto one = config_of_claims(ns, "crowd-" + std::to_string(number), {"one"});
  one.find("spec")->erase("retention");
  return one;
}

/// M7, H4: a queue of thousands costs each of its runs no more than a short one, every run has its turn, and all rules hold meanwhile.
TEST(Crowd, FiveThousandRunsAreOpenForAnHourAndAllHaveTheirTurn) {
  std::ptrdiff_t open = 0, saved = 0;
  auto scenario = [&](script acts) {
    for (int i = 0; i < configs; ++i)
      for (auto ns : tenants) acts.at(1min + i * 100ms, [acts, ns, i] { acts.create(config_for(std::string(ns), i)); });
    for (int i = 0; i < crowd; ++i)
      acts.at(5min + i * 200ms, [acts, i] {
        auto number = std::to_string(i), config = "crowd-" + std::to_string(i / 2 % configs);
        acts.create(manual_backup(std::string(tenants[i % 2]), "crowd-" + number, config, "/pvc/one"));
      });
    acts.at(1h + 5min, [&open, acts] { open = count_in(acts, {"Pending", "Running"}); });
    acts.at(4h - 1min, [&saved, acts] { saved = count_in(acts, {"Succeeded"}); });
  };
  expect_no_violation(4h, scenario, 1, 1);  // one replica of each: another would only repeat the work
  EXPECT_GT(open, 0) << "the crowd is over before the hour";
  EXPECT_EQ(saved, crowd);
}

}  // namespace
}  // namespace kopiur::simulation
