#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "common/log/log.hpp"
#include "e2e/simulation/explain.hpp"

using namespace kopiur;

namespace {

struct options {
  std::uint64_t seed = 1, hours = 24, runs = 1, trace = 200, shrink = 60;
  bool faults = true, demand = false, rare = false, buckets = false;
};

constexpr char const* usage =
    "usage: kopiur-simulate [--hours N] [--seed S] [--runs R] [--no-faults] [--demand] [--shrink N] [--trace N] [--buckets] | --rare\n"
    "  R runs of N simulated hours each, from seed S on; prints what happened how often.\n"
    "  At a violation: the shortest story of at most `--shrink` repetitions that shows it, with its last `--trace` notes, and 1.\n"
    "  --demand: 1 too where something never came, or came too rarely.\n"
    "  --buckets: stories about Buckety, not about backups.\n"
    "  --rare: prints what is demanded of a thousand hours and more only.\n";

bool read(int argc, char** argv, options& options) {
  for (int i = 1; i < argc; ++i) {
    auto value = [&] { return i + 1 < argc ? std::strtoull(argv[++i], nullptr, 10) : 0; };
    if (!std::strcmp(argv[i], "--seed"))
      options.seed = value();
    else if (!std::strcmp(argv[i], "--hours"))
      options.hours = value();
    else if (!std::strcmp(argv[i], "--runs"))
      options.runs = value();
    else if (!std::strcmp(argv[i], "--trace"))
      options.trace = value();
    else if (!std::strcmp(argv[i], "--shrink"))
      options.shrink = value();
    else if (!std::strcmp(argv[i], "--no-faults"))
      options.faults = false;
    else if (!std::strcmp(argv[i], "--demand"))
      options.demand = true;
    else if (!std::strcmp(argv[i], "--buckets"))
      options.buckets = true;
    else if (!std::strcmp(argv[i], "--rare"))
      options.rare = true;
    else
      return false;
  }
  return options.hours > 0;
}

/// One, two or three replicas of each service: `kopiur up` has one, the chart two or more.
simulation::story_options story_of(std::uint64_t seed, options const& options) {
  return {.length = std::chrono::hours(options.hours),
          .replicas = 1 + static_cast<int>(seed % 3),
          .with_faults = options.faults,
          .buckets = options.buckets};
}

void print(simulation::tally const& told, std::uint64_t hours) {
  std::printf("%s\n", told.per_hour(hours).c_str());
  for (auto& [what, n] : told.all()) std::printf("  %-40s %llu\n", what.c_str(), static_cast<unsigned long long>(n));
}

}  // namespace

int main(int argc, char** argv) {
  options options;
  if (!read(argc, argv, options)) return std::fputs(usage, stderr), 2;
  if (options.rare) {
    for (auto& each : simulation::tally::rare()) std::printf("%s\n", each.c_str());
    return 0;
  }
  log::start({.least = log::level::error, .file = "/dev/null"});  // refusals, retries and losses are normal in a run
  simulation::summary all;
  simulation::digest digest_of_all;
  for (std::uint64_t run = 0; run < options.runs; ++run) {
    auto story = story_of(options.seed + run, options);
    simulation::story one({.seed = options.seed + run, .trace = 0}, story);
    auto violated = one.run();
    all.add(one.told()), all.steps += one.told().steps;
    digest_of_all.add({}, {std::to_string(one.told().digest)});
    if (!violated) continue;
    std::printf("%s: %s (seed %llu); looking for the shortest story of it\n", violated->rule.c_str(), violated->text.c_str(),
                static_cast<unsigned long long>(violated->seed));
    std::fflush(stdout);
    std::printf(
        "%s",
        simulation::shortest_story({.seed = options.seed + run, .trace = options.trace}, story, static_cast<int>(options.shrink)).c_str());
    return 1;
  }
  auto hours = options.hours * options.runs;
  std::printf("%llu run(s) of %llu simulated hours without a violation, %llu steps\n", static_cast<unsigned long long>(options.runs),
              static_cast<unsigned long long>(options.hours), static_cast<unsigned long long>(all.steps));
  std::printf("digest of what was done: %016llx\n", static_cast<unsigned long long>(digest_of_all.value()));
  print(all, hours);
  std::vector<std::string> missing;
  if (options.demand) missing = options.buckets ? simulation::bucket_shortfalls(all) : all.shortfalls(hours);
  for (auto& each : missing) std::printf("%s\n", each.c_str());
  return missing.empty() ? 0 : 1;
}
