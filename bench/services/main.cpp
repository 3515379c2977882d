#include <cstdio>
#include <exception>
#include <filesystem>
#include <string_view>

#include "bench/services/bench.hpp"

/// `services_bench [idle|scheduler_lateness|discovery_scale]`. Exits with 1 when a bar is missed, 2 when it could not measure.
int main(int count, char** words) {
  using namespace kopiur::bench;
  try {
    auto programs = std::filesystem::absolute(words[0]).parent_path().string();
    std::string_view only = count > 1 ? words[1] : "";
    auto passes = [&](std::string_view name, auto bench) { return (!only.empty() && only != name) || bench(programs); };
    bool met = passes("idle", idle);
    met = passes("scheduler_lateness", scheduler_lateness) && met;
    met = passes("discovery_scale", discovery_scale) && met;
    return met ? 0 : 1;
  } catch (std::exception const& failed) {
    std::fprintf(stderr, "services_bench cannot measure: %s\n", failed.what());
    return 2;
  }
}
