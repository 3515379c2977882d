#pragma once
#include <map>
#include <string>

#include "common/testing/call.hpp"
#include "common/testing/shrink.hpp"

/// A toy to try the kernel on: three workers that crash, over a compare-and-set store. Each claims a job for its name and then acts on it;
/// a second act under the same name is absorbed. The rule: nobody acts on a job that another one acted on.
namespace kopiur::testing::toy {

enum class bug {
  none,
  acts_before_claiming,  ///< shows by mere interleaving
  trusts_silence,        ///< takes a lost answer for a success: needs a lost call
};

struct settings {
  int jobs = 6;
  int crashes = 2;  ///< per worker, planned
  bug planted = bug::none;
  call_faults calls{.lost_before = 0.02,
                    .lost_after = 0.02,
                    .late = 0.01,
                    .twice = 0.02,
                    .crash_before = 0.01,
                    .crash_after = 0.01,
                    .lateness = duration(5000)};
};

struct outcome {
  std::optional<violation> seen;
  std::map<int, std::string> acted;  ///< job -> who
  std::uint64_t hash = 0, steps = 0;
  std::map<std::string, std::uint64_t, std::less<>> struck;
};

outcome play(world_options const&, settings const&);

}  // namespace kopiur::testing::toy
