#pragma once
#include <boost/asio/posix/stream_descriptor.hpp>
#include <vector>

#include "common/time/clock.hpp"
#include "services/gateway/adapters/local/files.hpp"
#include "services/gateway/shell/cluster.hpp"

namespace kopiur::gateway::local {

/// Wakes up when something happens in folders, by inotify; where that does not work (network file systems, no watches left), by time alone.
class folder_watch {
 public:
  folder_watch(asio::any_io_executor const& loop, clock& time);

  /// Adds folders; those that are watched already stay so.
  void watch(std::vector<fs::path> const& folders);
  /// Returns soon after something happened (so that a writer may finish), or after `at_most`.
  awaitable<void> changed(duration at_most);

 private:
  awaitable<void> event();

  clock& time_;
  asio::posix::stream_descriptor events_;  // closed where the system gave us none
};

}  // namespace kopiur::gateway::local
