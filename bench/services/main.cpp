#include <cstdio>
#include <exception>
#include <filesystem>
#include <string_view>

#include "bench/services/bench.hpp"

/// `services_bench [scheduler_lateness|idle]`. Exits with 1 when a bar is missed, 2 when it could not measure.
int main(int count, char** words) {
  using namespace kopiur::bench;
  try {
    auto programs = std::filesystem::absolute(words[0]).parent_path().string();
    std::string_view only = count > 1 ? words[1] : "";
    bool met = only == "scheduler_lateness" || idle(programs);
    met = (only == "idle" || scheduler_lateness(programs)) && met;
    return met ? 0 : 1;
  } catch (std::exception const& failed) {
    std::fprintf(stderr, "services_bench cannot measure: %s\n", failed.what());
    return 2;
  }
}
