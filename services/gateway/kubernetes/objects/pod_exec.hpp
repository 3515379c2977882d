#pragma once
#include "common/kubernetes/pod_command.hpp"
#include "proto/events/command.hpp"
#include "services/gateway/core/refusal.hpp"
#include "services/gateway/kubernetes/objects/api.hpp"

namespace kopiur::gateway::kubernetes {

/// A hook's result, from the end of its command. Nothing: the end is unknown. The refusal contains the last words of its output.
outcome<void> outcome_of(std::optional<kopiur::kubernetes::command_end> const& end);

/// Runs a command in a pod of a workload, to its end or `timeout_seconds`. The account needs `create pods/exec` there. A command that could
/// not be started is retried until the timeout. A command that times out may still run: nothing ends it.
awaitable<outcome<void>> exec_in(client& api, clock& time, proto::exec_in_pod command);

}  // namespace kopiur::gateway::kubernetes
