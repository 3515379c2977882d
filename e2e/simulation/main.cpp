#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "e2e/simulation/story.hpp"

using namespace kopiur;

/// kopiur-simulate [--hours N] [--seed S] [--runs R] [--no-faults]: runs of N simulated hours; 1 and the shortest trace at a violation.
int main(int argc, char** argv) {
  std::uint64_t seed = 1, hours = 24, runs = 1, trace = 200;
  bool faults = true;
  for (int i = 1; i < argc; ++i) {
    auto value = [&] { return i + 1 < argc ? std::strtoull(argv[++i], nullptr, 10) : 0; };
    if (!std::strcmp(argv[i], "--seed")) seed = value();
    else if (!std::strcmp(argv[i], "--hours")) hours = value();
    else if (!std::strcmp(argv[i], "--runs")) runs = value();
    else if (!std::strcmp(argv[i], "--trace")) trace = value();
    else if (!std::strcmp(argv[i], "--no-faults")) faults = false;
    else return std::fprintf(stderr, "usage: kopiur-simulate [--hours N] [--seed S] [--runs R] [--no-faults]\n"), 2;
  }
  std::map<std::string, std::uint64_t> counts;
  std::uint64_t steps = 0;
  for (std::uint64_t run = 0; run < runs; ++run) {
    simulation::story one({.seed = seed + run, .trace = trace}, {.length = std::chrono::hours(hours), .with_faults = faults});
    auto violated = one.run();
    for (auto& [what, n] : one.told().counts) counts[what] += n;
    steps += one.told().steps;
    if (!violated) continue;
    std::printf("%s\n", testing::describe(*violated).c_str());
    return 1;
  }
  std::printf("%llu run(s) of %llu simulated hours without a violation, %llu steps\n", static_cast<unsigned long long>(runs), static_cast<unsigned long long>(hours),
              static_cast<unsigned long long>(steps));
  for (auto& [what, n] : counts) std::printf("  %-40s %llu\n", what.c_str(), static_cast<unsigned long long>(n));
  return 0;
}
