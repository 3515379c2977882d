#pragma once
#include <map>
#include <string>

#include "common/testing/call.hpp"
#include "common/testing/shrink.hpp"

/// A toy to test the kernel with: three workers that crash, over a compare-and-set store. Each claims a job for its name, then acts on it;
/// a second act under the same name has no effect. The rule: no worker acts on a job that another worker acted on.
namespace kopiur::testing::toy {

enum class bug {
  none,
  acts_before_claiming,  ///< found by interleaving alone
  trusts_silence,        ///< treats a lost answer as a success: needs a lost call
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
  std::map<int, std::string> acted;  ///< job -> worker
  std::uint64_t hash = 0, steps = 0;
  std::map<std::string, std::uint64_t, std::less<>> struck;
};

outcome play(world_options const&, settings const&);

}  // namespace kopiur::testing::toy
