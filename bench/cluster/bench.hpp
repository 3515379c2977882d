#pragma once
#include "bench/cluster/client.hpp"

/// From a Backup to its Job on a real API server, compared with a plain client there.
namespace kopiur::bench {

struct demand {
  std::string name;  ///< names the results and the created objects
  int count = 100, clients = 8;
  std::optional<duration> pause{};  ///< instead one after the other, with this pause
  int at_a_time() const { return pause ? 1 : clients; }
};

/// Creates Backups `NAME-N` of the BackupConfigs `docs-0` onwards, in rotation, until each has its Job. Prints Jobs per second, and the
/// time from a Backup to its Job; with `pause` also from a Backup's event to that of its first status.
awaitable<void> burst(bench_api& api, demand what, int configs);

/// The number of writes of a plain client per Backup that match ours.
struct writes {
  int backup_patches = 0, status_patches = 0;  ///< besides its creation
  int secrets = 0, jobs = 1;
};
/// Makes those writes in a separate namespace. Objects and status are copies of the first Job, its Secret and the first Backup. Prints the
/// number of Backups, or of Jobs alone, per second, and how long each took. Without `each`: bare Jobs.
awaitable<void> plain(bench_api& api, demand what, std::optional<writes> each);

}  // namespace kopiur::bench
