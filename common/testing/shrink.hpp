#pragma once
#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "common/testing/world.hpp"

namespace kopiur::testing {

/// Runs a world created from the options, until it ends or violates a rule. Must depend on nothing else: same options, same run.
using scenario = std::function<std::optional<violation>(world_options const&)>;

struct shrink_limits {
  int runs = 1000;           ///< of the scenario, in total
  std::uint64_t orders = 4;  ///< orders tried for each list of faults: with fewer faults the run takes another course
};
/// The shortest run that was found: the scenario with `options` reproduces `seen`.
struct shrunk {
  world_options options;
  violation seen;
  int runs = 0;
};

/// Looks for the fewest faults, then the shortest prefix, that still violate the same rule. Nothing when the given options violate none.
std::optional<shrunk> shrink(world_options options, scenario const&, shrink_limits = {});
/// Tries seeds first, first+1, and so on: returns the first violation within `seeds` of them, shrunk.
std::optional<shrunk> find_and_shrink(world_options options, std::uint64_t seeds, scenario const&, shrink_limits = {});

}  // namespace kopiur::testing
