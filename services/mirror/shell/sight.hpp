#pragma once
#include <optional>

#include "services/mirror/shell/follower.hpp"
#include "services/mirror/shell/runs.hpp"

namespace kopiur::mirror {

/// What is seen of a cluster: its objects and its runs, followed on the bus. One a service; or one for all services of a process, where
/// each message is decoded, and held, once.
class sight {
 public:
  /// How much of it.
  struct extent {
    std::vector<std::string> kinds{};                          ///< of the objects; empty: all
    std::function<bool(proto::run_state const&)> whole_run{};  ///< as in mirror::runs; empty: no runs at all
  };
  /// All objects, all runs: what any service asks for.
  static extent everything();

  sight(place const& at, extent how);
  sight(sight const&) = delete;

  /// Follows for ever.
  boost::asio::awaitable<void> run();
  /// All that there was at the start is known.
  boost::asio::awaitable<void> until_filled();
  follower& objects() { return objects_; }
  /// Only where its extent has runs.
  mirror::runs& runs() { return runs_.value(); }
  /// Whoever is told of changes under that name is told no more.
  void forget(void const* who);

 private:
  log::logger log_;
  follower objects_;
  std::optional<mirror::runs> runs_;
};

}  // namespace kopiur::mirror
