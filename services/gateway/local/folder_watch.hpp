#pragma once
#include <boost/asio/posix/stream_descriptor.hpp>
#include <vector>

#include "common/files/files.hpp"
#include "common/time/clock.hpp"
#include "services/gateway/shell/cluster.hpp"

namespace kopiur::gateway::local {

namespace fs = std::filesystem;

/// Wakes up when files in folders change, by inotify; where that does not work (network file systems, no watches left), by timeout only.
class folder_watch {
 public:
  folder_watch(asio::any_io_executor const& loop, clock& time);

  /// Adds folders; watched ones stay watched.
  void watch(std::vector<fs::path> const& folders);
  /// Returns soon after a change (so that a writer may finish), or after `at_most`.
  awaitable<void> changed(duration at_most);

 private:
  awaitable<void> event();

  clock& time_;
  asio::posix::stream_descriptor events_;  // closed when inotify is not available
};

}  // namespace kopiur::gateway::local
