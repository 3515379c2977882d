#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "common/testing/dice.hpp"

namespace kopiur::simulation {

/// What users do in a story: in that namespace. False: there is no suitable object.
template <class Story>
struct act {
  unsigned weight;
  char const* name;
  bool (Story::*does)(std::string const& ns);
};

/// One of them, each as often as its weight says.
template <class Story>
act<Story> const& drawn(std::span<act<Story> const> all, testing::dice& luck) {
  std::uint64_t sum = 0;
  for (auto& each : all) sum += each.weight;
  auto left = luck.below(sum);
  auto* one = all.data();
  for (; left >= one->weight; ++one) left -= one->weight;
  return *one;
}

}  // namespace kopiur::simulation
