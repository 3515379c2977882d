#pragma once
#include <string>

#include "services/controller/core/objects.hpp"

/// Objects of namespace `default`, as the tests of the cores use them.
namespace kopiur::cli {

inline instant at(char const* text) { return *instant_from(text); }

/// A Backup of the BackupConfig `photos` that succeeded.
inline proto::backup made_backup(std::string name, instant ended, proto::backup_origin origin = proto::backup_origin::scheduled) {
  proto::backup one;
  one.metadata.name = std::move(name), one.metadata.namespace_ = "default", one.metadata.uid = "u-" + one.metadata.name;
  one.metadata.creation_timestamp = ended;
  one.spec.config_ref = proto::local_ref{"photos"};
  one.status.phase = proto::backup_phase::Succeeded, one.status.origin = origin;
  one.status.timing = proto::run_timing{.start_time = ended, .end_time = ended, .duration_seconds = 1};
  proto::identity who{"photos", "default", "/pvc/photos"};
  one.status.snapshot = proto::backup_snapshot{"0123456789abcdef", who};
  one.status.resolved =
      proto::backup_resolved{.repository = proto::resolved_repository{.name = "repo", .unique_ID = "id"}, .identity = who};
  return one;
}

/// Puts an object into the table of its kind, in place of one of its name.
template <class T>
T& add(controller::objects& all, T one) {
  return all.of<T>()[{one.metadata.namespace_, one.metadata.name}] = std::move(one);
}

inline proto::backup_config config(std::optional<proto::retention_policy> keep = {}) {
  proto::backup_config one;
  one.metadata.name = "photos", one.metadata.namespace_ = "default", one.metadata.uid = "u-config";
  one.spec.repository.name = "repo";
  one.spec.sources.push_back({proto::pvc_source{"photos"}, {}});
  one.spec.retention = std::move(keep);
  return one;
}

/// The BackupSchedule `nightly` of `photos`.
inline proto::backup_schedule schedule(std::string cron, instant created) {
  proto::backup_schedule one;
  one.metadata.name = "nightly", one.metadata.namespace_ = "default", one.metadata.uid = "u-schedule";
  one.metadata.creation_timestamp = created;
  one.spec.config_ref.name = "photos", one.spec.schedule.cron = std::move(cron);
  return one;
}

inline proto::condition condition(std::string_view type, bool holds, std::string message) {
  return {.type = std::string(type),
          .status = holds ? proto::condition_status::True : proto::condition_status::False,
          .reason = "Reason",
          .message = std::move(message)};
}
/// A condition Ready that is False.
inline proto::condition not_ready(std::string message) { return condition(proto::condition_type::ready, false, std::move(message)); }

}  // namespace kopiur::cli
