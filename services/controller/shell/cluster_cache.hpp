#pragma once
#include <optional>

#include "services/controller/shell/informer.hpp"
#include "services/controller/shell/run_index.hpp"

namespace kopiur::controller {

/// The cache of one cluster: its objects and its runs, followed on the bus. Each service has one, or all services of a process share one,
/// so that each message is decoded and stored once.
class cluster_cache {
 public:
  /// What the cache contains.
  struct extent {
    std::vector<std::string> kinds{};                          ///< of objects; empty: all
    std::function<bool(proto::run_state const&)> whole_run{};  ///< as in run_index; empty: no runs at all
  };
  /// All objects and all runs, whole.
  static extent everything();

  cluster_cache(service_context const& context, extent what);
  cluster_cache(cluster_cache const&) = delete;

  /// Follows the bus; ends only by cancellation or failure.
  boost::asio::awaitable<void> run();
  /// Returns when all that existed at the start is known.
  boost::asio::awaitable<void> until_filled();
  informer& objects() { return objects_; }
  /// Only when its extent has runs.
  run_index& runs() { return runs_.value(); }
  /// Removes all listeners that were added under this name.
  void forget(void const* listener);

 private:
  log::logger log_;
  informer objects_;
  std::optional<run_index> runs_;
};

}  // namespace kopiur::controller
