#pragma once
#include <string>

#include "e2e/simulation/story.hpp"

namespace kopiur::simulation {

/// Repeats a run that violated a rule with fewer and fewer faults, at most `runs` times. Returns the shortest story that still shows it:
/// rule, seed and order, the faults that it needs, and the last notes before the violation.
std::string shortest_story(testing::world_options world, story_options options, int runs);

}  // namespace kopiur::simulation
