#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "proto/events/status.hpp"
#include "services/controller/core/objects.hpp"
#include "services/retention/core/explain.hpp"

/// From the objects of a cluster to the sets that are judged, and back to the objects that go. Pure.
namespace kopiur::retention {

/// A Backup that goes, and why.
struct expired {
  proto::object_ref object;
  std::string reason;
};

/// One set of a config with what is decided of it.
struct judged_set {
  set_key set;
  std::vector<explained> rows;  ///< id = the Backup's name
};

/// The config is suspended, or its manifest has vanished: nothing of it goes.
bool is_paused(proto::backup_config const& config);
/// All that the retention of one config decides now. The error is a sentence (its time zone is wrong): then nothing goes.
std::expected<std::vector<judged_set>, std::string> judge_config(controller::objects const& all, proto::backup_config const& config,
                                                                 instant now);
/// The Backups of a config that go now.
std::vector<expired> expired_of(controller::objects const& all, proto::backup_config const& config, std::vector<judged_set> const& sets);
/// Scheduled Backups of the config that are held, beyond three of a source; none where it has no retention.
std::vector<expired> held_surplus(controller::objects const& all, proto::backup_config const& config, instant now);
/// Failed Backups of a schedule beyond its limit.
std::vector<expired> failed_history(controller::objects const& all, proto::backup_schedule const& schedule, instant now);

/// The config's `retention` status, from the objects alone: the last prune is told by the Backups that go with our stamp.
proto::status_fragment status_of(controller::objects const& all, proto::backup_config const& config, std::vector<judged_set> const& sets);

}  // namespace kopiur::retention
