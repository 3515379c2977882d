#pragma once
#include <string>
#include <vector>

#include "services/cli/core/table.hpp"
#include "services/controller/core/objects.hpp"

/// How things stand, for one screen. Overdue is red; a run that once failed is not: the next one makes it good.
namespace kopiur::cli {

enum class mood { good, waiting, attention, bad };
BOOST_DESCRIBE_ENUM(mood, good, waiting, attention, bad)

/// One line of the screen.
struct finding {
  cli::mood mood = mood::good;
  std::string area;     ///< repository, schedule, backup, restore, maintenance, manifests
  std::string subject;  ///< `namespace/name`
  std::string text;     ///< a sentence
};

/// When the newest Backup of a config that succeeded ended, history that was brought in apart.
std::optional<instant> newest_success(controller::objects const& all, std::string const& ns, std::string const& config);

/// What a repository holds: as it was listed last, or as Backups say, whichever is more. A list is an hour old, and bounds of the catalog
/// hide snapshots from Backups.
struct holdings {
  std::int64_t snapshots = 0;
  std::int64_t bytes = 0;  ///< of the newest snapshot of each source
};
/// Nothing: it was never listed, and no Backup is known.
std::optional<holdings> held_by(controller::objects const& all, proto::repository_status const& repository);

/// A schedule is overdue when two of its slots have begun since the newest success of its config: one slot may fail, or still run.
bool is_overdue(proto::backup_schedule const& schedule, std::optional<instant> newest_success, instant now);

/// All findings: what is wrong first, then by area. `everywhere` false: those of namespace `ns` and of the cluster's own objects.
std::vector<finding> health(controller::objects const& all, std::string const& ns, bool everywhere, instant now);
mood worst(std::vector<finding> const& of);
table health_table(std::vector<finding> const& of);

}  // namespace kopiur::cli
