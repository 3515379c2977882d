#pragma once
#include "proto/events/run.hpp"

namespace kopiur::mirror {

/// Was the one ordered before the other? By the order of their first facts on the bus, for clocks differ and are stepped; by the clock only
/// where a release wrote them that did not say it.
inline bool is_older(proto::run_state const& one, proto::run_state const& than) {
  bool both = one.ordered_as && than.ordered_as;
  return both ? one.ordered_as < than.ordered_as : one.ordered_at < than.ordered_at;
}

}  // namespace kopiur::mirror
