#include "common/time/backoff.hpp"

#include <algorithm>

#include "common/hash/stable_hash.hpp"

namespace kopiur {

duration backoff(unsigned attempt, backoff_policy const& policy, std::string_view key) {
  auto pause = std::min(policy.first, policy.limit);
  for (unsigned i = 1; i < attempt && pause < policy.limit; ++i) pause = pause > policy.limit / 2 ? policy.limit : pause * 2;
  if (key.empty() || pause < duration{2}) return pause;
  auto half = static_cast<std::uint64_t>(pause.count() / 2);
  return pause - duration{static_cast<std::int64_t>(hash::stable_hash({"backoff", key, std::to_string(attempt)}) % (half + 1))};
}

}  // namespace kopiur
