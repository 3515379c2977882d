#include "e2e/simulation/explain.hpp"

namespace kopiur::simulation {

std::string shortest_story(testing::world_options world, story_options how, int runs) {
  auto scenario = [how](testing::world_options const& options) { return story(options, how).run(); };
  auto found = testing::shrink(std::move(world), scenario, {.runs = runs, .orders = 1});
  if (!found) return "The run violates nothing when it is repeated: something in it depends on more than its seed.\n";
  return testing::describe(found->seen) + "  the shortest of " + std::to_string(found->runs) + " runs of " + to_text(how.length) + "\n";
}

}  // namespace kopiur::simulation
