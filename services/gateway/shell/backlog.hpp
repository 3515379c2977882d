#pragma once
#include <optional>
#include <string>

#include "common/time/instant.hpp"

namespace kopiur::gateway {

/// How far the mirror is behind the cluster.
struct backlog {
  std::optional<instant> since;  ///< when the oldest unpublished change arrived; nothing: all changes are published
  std::string what;              ///< the object of that change, for a sentence
};

/// Why services may not rely on the mirror now, as a sentence; empty: they may.
std::string why_behind(backlog const& behind, instant now);

}  // namespace kopiur::gateway
