#pragma once
#include <boost/asio.hpp>
#include <functional>

#include "common/app/system_clock.hpp"
#include "services/gateway/adapters/kubernetes/client.hpp"

/// From a Backup to its Job on a real API server, beside what a plain client reaches there.
namespace kopiur::bench {

namespace asio = boost::asio;
using gateway::kubernetes::awaitable;
using gateway::kubernetes::call;
using steady = std::chrono::steady_clock;

/// One client of the API, and its loop's clock.
struct bench_api {
  bench_api(asio::io_context& loop, std::string const& kubeconfig);
  /// Asks; throws what the API refuses.
  awaitable<json::value> must(call what);

  app::system_clock time;
  gateway::kubernetes::client client;
};

/// Calls `act(0)` to `act(count - 1)`, `clients` of them at a time.
awaitable<void> by_clients(int clients, int count, std::function<awaitable<void>(int)> act);
double seconds_since(steady::time_point from);

struct demand {
  std::string name;  ///< of the figures, and of what is made
  int count = 100, clients = 8;
  std::optional<duration> pause{};  ///< one after the other instead, so long apart
  int at_a_time() const { return pause ? 1 : clients; }
};

/// Asks for Backups `NAME-N` of the BackupConfigs `docs-0` on, in turn, until each has its Job. Prints Jobs a second, and the time from a
/// Backup to its Job; one after the other also from the event of a Backup to that of its first status.
awaitable<void> burst(bench_api& api, demand what, int configs);

/// How often a plain client writes for one Backup what we write for it.
struct writes {
  int backup_patches = 0, status_patches = 0;  ///< besides its creation
  int secrets = 0, jobs = 1;
};
/// Makes those writes in a namespace of its own, with objects, and a status, made like the first Job, its Secret and the first Backup.
/// Prints how many Backups, or Jobs alone, it comes to in a second, and how long each took. Without `each`: bare Jobs.
awaitable<void> plain(bench_api& api, demand what, std::optional<writes> each);

}  // namespace kopiur::bench
