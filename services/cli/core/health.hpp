#pragma once
#include <string>
#include <vector>

#include "services/cli/core/findings.hpp"
#include "services/controller/core/objects.hpp"

/// The state of the product on one screen. Overdue is red; a failed run is not, since the next one may succeed.
namespace kopiur::cli {

/// When the newest successful Backup of a config ended, imported history excluded.
std::optional<instant> newest_success(controller::objects const& all, std::string const& ns, std::string const& config);

/// The content of a repository: its newest list or the known Backups, whichever has more snapshots. A list may be an hour old, and catalog
/// bounds hide snapshots from Backups.
struct holdings {
  std::int64_t snapshots = 0;
  std::int64_t bytes = 0;  ///< of the newest snapshot of each source
};
/// Empty: it was never listed, and no Backup is known.
std::optional<holdings> held_by(controller::objects const& all, proto::repository_status const& repository);

/// A schedule is overdue when two of its slots have begun since the newest success of its config: one slot may fail or still run.
bool is_overdue(proto::backup_schedule const& schedule, std::optional<instant> newest_success, instant now);

/// All findings: problems first, then by area. `everywhere` false: only those of namespace `ns` and of cluster-scoped objects.
std::vector<finding> health(controller::objects const& all, std::string const& ns, bool everywhere, instant now);

}  // namespace kopiur::cli
