#pragma once
#include "proto/events/command.hpp"
#include "services/gateway/adapters/kubernetes/client.hpp"
#include "services/gateway/core/refusal.hpp"

namespace kopiur::gateway::kubernetes {

/// The output and the end of a command, from the messages of a `v5.channel.k8s.io` WebSocket. The first byte names the channel: 1 stdout, 2
/// stderr, 3 (last) a Status with the result.
class exec_channels {
 public:
  void take(std::string_view message);
  /// How it ended; nothing: that was never reported. The refusal contains the end of its output.
  std::optional<outcome<void>> ended() const;

 private:
  std::string printed_;  // the end of it
  std::optional<json::value> status_;
};

/// Runs a command in a pod of a workload, to its end or `timeout_seconds`. The account needs `create pods/exec` there. A command that could
/// not be started is retried until the timeout. A command that times out may still run: nothing ends it.
awaitable<outcome<void>> exec_in(client& api, clock& time, proto::exec_in_pod command);

}  // namespace kopiur::gateway::kubernetes
