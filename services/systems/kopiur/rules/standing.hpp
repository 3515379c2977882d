#pragma once
#include <map>
#include <string>
#include <string_view>

#include "proto/events/run.hpp"
#include "proto/kopiur/backup.hpp"
#include "services/controller/core/objects.hpp"

/// How a Backup stands, as every service reads it.
namespace kopiur::rules {

/// When it ended; the epoch: not yet.
instant end_of(proto::backup const& object);
/// Succeeded, Failed or Held: nothing of it runs any more.
bool has_ended(std::optional<proto::backup_phase> phase);
/// Succeeded or Held: its snapshot is whole.
bool is_whole(std::optional<proto::backup_phase> phase);

/// The user has accepted what shrank: the annotation names that very snapshot, or did so before, since when it is told as Succeeded.
bool is_accepted(proto::backup const& object, proto::shrinkage const& shrunk);
/// It shrank and nobody has accepted that: the next one is not compared with it, and no restore takes it for the newest. Of one that is
/// being deleted too.
bool is_held(proto::backup const& object);
/// The same by its run, which knows it first; nullptr: the Backup is gone.
bool is_held(proto::run_state const& run, proto::backup const* object);

/// When the newest good snapshot of each source ended that has a held one. A held Backup that one follows is still held, and nobody has to
/// hurry: the source is well.
class good_times {
 public:
  explicit good_times(controller::objects const& all);
  bool follow(proto::backup const& held) const;

 private:
  std::map<std::string, instant> newest_;  ///< by repository and identity
};

}  // namespace kopiur::rules
