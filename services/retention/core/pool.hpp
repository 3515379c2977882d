#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "proto/events/status.hpp"
#include "services/controller/core/objects.hpp"
#include "services/retention/core/explain.hpp"

/// Maps the objects of a cluster to judged sets, and the verdicts back to the objects to delete. Pure.
namespace kopiur::retention {

/// A Backup to delete, and why.
struct expired {
  proto::object_ref object;
  std::string reason;
};

/// One set of a config with its verdicts.
struct judged_set {
  set_key set;
  std::vector<explained> rows;  ///< id = the Backup's name
};

/// True when the config is suspended or its manifest has vanished: then nothing of it is deleted.
bool is_paused(proto::backup_config const& config);
/// All that the retention of one config decides now. The error is a sentence (the time zone is invalid): then nothing is deleted.
std::expected<std::vector<judged_set>, std::string> judge_config(controller::objects const& all, proto::backup_config const& config,
                                                                 instant now);
/// The Backups of a config to delete now.
std::vector<expired> expired_of(controller::objects const& all, proto::backup_config const& config, std::vector<judged_set> const& sets);
/// Scheduled Held Backups of the config beyond three per source; none when it has no retention.
std::vector<expired> held_surplus(controller::objects const& all, proto::backup_config const& config, instant now);
/// Failed Backups of a schedule beyond its limit.
std::vector<expired> failed_history(controller::objects const& all, proto::backup_schedule const& schedule, instant now);

/// The config's `retention` status, from the objects alone: the last prune is derived from the Backups that are being deleted with our
/// stamp.
proto::status_fragment status_of(controller::objects const& all, proto::backup_config const& config, std::vector<judged_set> const& sets);

}  // namespace kopiur::retention
