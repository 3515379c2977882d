#pragma once
#include <map>
#include <string>
#include <string_view>

#include "proto/events/run.hpp"
#include "proto/kopiur/backup.hpp"
#include "services/controller/core/objects.hpp"

/// The state of a Backup, as all services interpret it.
namespace kopiur::rules {

/// When it ended; the epoch: it has not ended.
instant end_of(proto::backup const& object);
/// Succeeded, Failed or Held: nothing of it runs any more.
bool has_ended(std::optional<proto::backup_phase> phase);
/// Succeeded or Held: its snapshot is complete.
bool is_whole(std::optional<proto::backup_phase> phase);

/// The user has accepted the shrinkage: the annotation names this snapshot, or did so before and the phase is Succeeded since.
bool is_accepted(proto::backup const& object, proto::shrinkage const& shrunk);
/// It shrank and no user has accepted that: it is no baseline for the next snapshot, and no restore chooses it as the newest. This also
/// holds while it is being deleted.
bool is_held(proto::backup const& object);
/// The same according to its run, which knows it first; nullptr: the Backup does not exist any more.
bool is_held(proto::run_state const& run, proto::backup const* object);

/// For each source with a held Backup: when its newest good snapshot ended. A held Backup that is followed by a good one stays held, but is
/// not urgent: the source is fine.
class good_times {
 public:
  explicit good_times(controller::objects const& all);
  bool follow(proto::backup const& held) const;

 private:
  std::map<std::string, instant> newest_;  ///< by repository and identity
};

}  // namespace kopiur::rules
