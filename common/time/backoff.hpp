#pragma once
#include <string_view>

#include "common/time/instant.hpp"

namespace kopiur {

/// Pauses between attempts: doubling from `first` up to `limit`.
struct backoff_policy {
  duration first = std::chrono::seconds{1};
  duration limit = std::chrono::minutes{5};
};

/// The pause before retry number `attempt` (1 = after the first failure). With a key, hash(key, attempt) spreads the pause over its upper
/// half, so that callers that failed together do not retry together. The same key and attempt give the same pause.
duration backoff(unsigned attempt, backoff_policy const&, std::string_view key = {});

}  // namespace kopiur
