#pragma once
#include <string_view>

#include "common/time/instant.hpp"

namespace kopiur {

/// How long to wait between attempts: doubling from `first` up to `limit`.
struct backoff_policy {
  duration first = std::chrono::seconds{1};
  duration limit = std::chrono::minutes{5};
};

/// The pause before retry number `attempt` (1 = after the first failure). With a key, the pause is spread over its upper half by
/// hash(key, attempt), so that many that failed together do not come back together; the same key and attempt give the same pause.
duration backoff(unsigned attempt, backoff_policy const&, std::string_view key = {});

}  // namespace kopiur
