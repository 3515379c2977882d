#pragma once
#include <cstdint>
#include <string_view>

#include "common/time/instant.hpp"

namespace kopiur::testing {

/// Mixes two 64-bit numbers well into one (splitmix64's finisher).
constexpr std::uint64_t mixed(std::uint64_t a, std::uint64_t b) {
  auto x = a ^ (b * 0x9e3779b97f4a7c15u + 0x632be59bd9b4e019u + (a << 6) + (a >> 2));
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}
/// FNV-1a of a text: the same on every machine and in every run.
constexpr std::uint64_t mixed(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (char each : text) hash = (hash ^ static_cast<unsigned char>(each)) * 0x100000001b3u;
  return hash;
}
/// Converts 64 random bits to a number in [0, 1).
constexpr double unit(std::uint64_t roll) { return static_cast<double>(roll >> 11) * 0x1p-53; }

/// A seeded random generator, the same on every machine.
class dice {
 public:
  explicit constexpr dice(std::uint64_t seed) : state_(mixed(seed, 0)) {}
  constexpr std::uint64_t roll() { return mixed(state_ += 0x9e3779b97f4a7c15u, 1); }
  /// 0 .. sides-1; sides > 0.
  constexpr std::uint64_t below(std::uint64_t sides) { return roll() % sides; }
  constexpr bool chance(double probability) { return unit(roll()) < probability; }
  /// From `least` to `most`, both included.
  constexpr duration between(duration least, duration most) {
    return most <= least ? least
                         : least + duration(static_cast<duration::rep>(below(static_cast<std::uint64_t>((most - least).count()) + 1)));
  }

 private:
  std::uint64_t state_;
};

}  // namespace kopiur::testing
