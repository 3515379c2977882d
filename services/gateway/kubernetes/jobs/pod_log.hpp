#pragma once
#include "services/gateway/core/mover_output.hpp"
#include "services/gateway/core/names.hpp"
#include "services/gateway/kubernetes/objects/api.hpp"

namespace kopiur::gateway::kubernetes {

enum class log_end {
  Whole,    ///< it ended, as its container did
  Absent,   ///< the pod does not exist
  Broken,   ///< the connection was lost, or never established: read again from the beginning
  TooLarge  ///< the rest is not read: the mover has to be stopped
};
/// The output of the mover in a pod, from the beginning and while it is written.
awaitable<log_end> read_log(client& api, object_key pod, std::string container, mover_output& into);

}  // namespace kopiur::gateway::kubernetes
