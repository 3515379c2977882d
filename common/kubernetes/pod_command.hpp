#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/kubernetes/client.hpp"

namespace kopiur::kubernetes {

/// A command in a container of a running pod, as `kubectl exec` starts it, without stdin and terminal.
struct pod_command {
  std::string namespace_, pod;
  std::string container;             ///< empty: the pod's only one, or its default one
  std::vector<std::string> command;  ///< program and arguments; no shell is involved
  std::size_t kept = 64 << 10;       ///< bytes of its output that are kept: the last ones
};

/// How a command ended.
struct command_end {
  bool succeeded = false;
  std::string message;  ///< of the server, when it failed: `command terminated with exit code 3`
  std::string printed;  ///< the end of stdout and stderr together, up to twice `kept` bytes
};

/// The output and the end of a command, from the messages of a `v5.channel.k8s.io` WebSocket. The first byte names the channel: 1 stdout, 2
/// stderr, 3 (last) a Status with the result.
class exec_channels {
 public:
  explicit exec_channels(std::size_t kept) : kept_(kept) {}
  void take(std::string_view message);
  /// Nothing: the end was not reported yet, or never will be.
  std::optional<command_end> ended() const;

 private:
  std::size_t kept_;
  std::string printed_;  // the end of it
  std::optional<json::value> status_;
};

/// A command that was started. Destroying it closes the connection, which does not end the command.
class running_command {
 public:
  running_command(std::unique_ptr<connection> link, std::size_t kept) : link_(std::move(link)), said_(kept) {}
  /// Waits for its end. Nothing: the connection ended before the command did, and its result is unknown. Throws
  /// boost::system::system_error when the connection breaks; can be cancelled, after which the command may still run.
  awaitable<std::optional<command_end>> wait();

 private:
  std::unique_ptr<connection> link_;
  exec_channels said_;
};

/// Starts the command; not repeated: after an error it was not started. The account needs `create` on `pods/exec`, and `get` for the
/// WebSocket.
awaitable<result<running_command>> start_command(client& api, pod_command what);

}  // namespace kopiur::kubernetes
