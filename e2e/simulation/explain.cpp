#include "e2e/simulation/explain.hpp"

namespace kopiur::simulation {

std::string shortest_story(testing::world_options world, story_options options, int runs) {
  auto scenario = [options](testing::world_options const& world) { return story(world, options).run(); };
  auto found = testing::shrink(std::move(world), scenario, {.runs = runs, .orders = 1});
  if (!found) return "The run violates nothing when it is repeated: something in it depends on more than its seed.\n";
  return testing::describe(found->seen) + "  the shortest of " + std::to_string(found->runs) + " runs of " + to_text(options.length) + "\n";
}

}  // namespace kopiur::simulation
