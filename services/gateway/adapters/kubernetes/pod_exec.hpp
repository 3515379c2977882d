#pragma once
#include "proto/events/command.hpp"
#include "services/gateway/adapters/kubernetes/client.hpp"

namespace kopiur::gateway::kubernetes {

/// What a command printed and how it ended, from the messages of a `v5.channel.k8s.io` WebSocket: the first byte names the channel, 1 its
/// output, 2 its errors, 3 (last) a Status that says how it ended.
class exec_channels {
 public:
  void take(std::string_view message);
  /// How it ended; nothing: that was never said. The refusal has the last words that it printed.
  std::optional<outcome<void>> ended() const;

 private:
  std::string printed_;  // the last of it
  std::optional<json::value> status_;
};

/// Runs a command in a pod of a workload, to its end or `timeout_seconds`: the account must be allowed to `create pods/exec` there. What
/// was not begun is tried again for as long. A command that has no answer in time may still run: nothing ends it.
awaitable<outcome<void>> exec_in(client& api, clock& time, proto::exec_in_pod command);

}  // namespace kopiur::gateway::kubernetes
