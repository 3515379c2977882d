#pragma once
#include "services/gateway/adapters/kubernetes/client.hpp"
#include "services/gateway/adapters/mover_output.hpp"
#include "services/gateway/core/names.hpp"

namespace kopiur::gateway::kubernetes {

enum class log_end {
  Whole,   ///< it ended, as its container has
  Absent,  ///< there is no such pod
  Broken   ///< the connection was lost, or never there: to be read again, from its beginning
};
/// What the mover in a pod prints, from the beginning and as it comes.
awaitable<log_end> read_log(client& api, object_key pod, mover_output& into);

}  // namespace kopiur::gateway::kubernetes
