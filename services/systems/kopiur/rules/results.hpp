#pragma once
#include "proto/events/run.hpp"

namespace kopiur::rules {

/// What kopia's mover said of the run's last attempt; nullptr: it has said nothing.
inline proto::kopia_result const* result_of(proto::run_state const& run) {
  return run.result ? run.result->as<proto::kopia_result>() : nullptr;
}

}  // namespace kopiur::rules
