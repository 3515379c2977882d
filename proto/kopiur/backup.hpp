#pragma once
#include "common/json/frozen.hpp"
#include "proto/describe.hpp"
#include "proto/kopiur/backup_config.hpp"

/// Backup: one kopia snapshot as an object. It both starts a run and is a row of the catalog (spec/kopiur.md).
namespace kopiur::proto {

/// History imported by `kopiur import`: a snapshot with a past time.
struct import_history {
  instant at{};
  std::string from;  ///< local adapter: a directory; in a cluster: a claim of the namespace
};
KOPIUR_DESCRIBE_NOTED(import_history, (), (at, from))

/// Empty when discovered. Once the phase has left Pending only failure_policy, deletion_policy and pin may change.
struct backup_spec {
  std::optional<local_ref> config_ref;
  std::optional<std::string> source_path;  ///< which source, if the config has several
  std::optional<import_history> import_;
  std::map<std::string, std::string> tags;
  backup_failure_policy failure_policy;
  std::optional<proto::deletion_policy> deletion_policy;  ///< no schema default: absent means the config's, pinned in status.resolved
  bool pin = false;
};
KOPIUR_DESCRIBE_NOTED(backup_spec, (), (config_ref, source_path, import_, tags, failure_policy, deletion_policy, pin))

/// Held: it holds much less than its predecessor and no user has accepted that; neither a success nor a failure (decisions.md section 13).
enum class backup_phase { Pending, Running, Succeeded, Failed, Held, Deleting, Discovered };
BOOST_DESCRIBE_ENUM(backup_phase, Pending, Running, Succeeded, Failed, Held, Deleting, Discovered)

enum class backup_origin { scheduled, manual, discovered, imported };
BOOST_DESCRIBE_ENUM(backup_origin, scheduled, manual, discovered, imported)

struct backup_snapshot {
  std::string kopia_snapshot_ID;
  proto::identity identity;
};
KOPIUR_DESCRIBE_NOTED(backup_snapshot, (), (kopia_snapshot_ID, identity))

struct backup_progress {
  std::optional<int> percent;
  std::int64_t bytes_hashed = 0, bytes_uploaded = 0, files_processed = 0;
  std::optional<instant> updated_at;
};
KOPIUR_DESCRIBE_NOTED(backup_progress, (), (percent, bytes_hashed, bytes_uploaded, files_processed, updated_at))

struct backup_job {
  std::string name;
  int attempts = 0;
};
KOPIUR_DESCRIBE_NOTED(backup_job, (), (name, attempts))

/// The version of the BackupConfig that a run froze.
struct resolved_config {
  std::string name, uid;
  std::int64_t generation = 0;
};
KOPIUR_DESCRIBE_NOTED(resolved_config, (), (name, uid, generation))

/// The BackupConfig's values, frozen at run time. A deletion reads deletion_policy, repository and identity from here, never from the
/// config.
struct backup_resolved {
  std::optional<proto::deletion_policy> deletion_policy;
  std::optional<resolved_repository> repository;
  std::optional<proto::identity> identity;
  std::optional<resolved_config> config;
  std::optional<std::string> pvc_name;
  std::optional<proto::copy_method> copy_method;
  std::optional<proto::group_by> group_by;
  std::optional<std::string> volume_snapshot_class_name;
  std::optional<backup_policy> policy;
};
KOPIUR_DESCRIBE_NOTED(backup_resolved, (),
                      (deletion_policy, repository, identity, config, pvc_name, copy_method, group_by, volume_snapshot_class_name, policy))

struct backup_status {
  std::optional<std::int64_t> observed_generation;
  std::optional<backup_phase> phase;
  std::optional<backup_origin> origin;
  std::optional<backup_snapshot> snapshot;
  std::optional<run_timing> timing;
  std::optional<snapshot_stats> stats;
  std::optional<shrinkage> shrunk;  ///< stays after it was accepted
  std::optional<proto::left_out> left_out;
  std::optional<backup_progress> progress;
  std::optional<backup_job> job;
  shared<backup_resolved> resolved;
  std::optional<run_failure> failure;
  std::optional<std::string> log_tail;  ///< the last 4 KiB of the mover's output
  std::optional<bool> orphaned;         ///< deleted with Orphan: the snapshot stays, without a look at the repository
  std::vector<condition> conditions;
};
KOPIUR_DESCRIBE_NOTED(backup_status, (),
                      (observed_generation, phase, origin, snapshot, timing, stats, shrunk, left_out, progress, job, resolved, failure,
                       log_tail, orphaned, conditions))

struct backup {
  static constexpr printer_column columns[]{column::phase,
                                            {"Origin", "string", ".status.origin"},
                                            {"Config", "string", ".spec.configRef.name"},
                                            {"Repository", "string", ".status.resolved.repository.name"},
                                            column::age,
                                            {"Snapshot", "string", ".status.snapshot.kopiaSnapshotID", 1},
                                            {"Size", "integer", ".status.stats.sizeBytes", 1, true},
                                            {"Seconds", "integer", ".status.timing.durationSeconds", 1},
                                            column::message};
  static constexpr kind_info info = kopiur_kind({.kind = "Backup", .plural = "backups", .singular = "backup", .columns = columns});
  static constexpr bool omit_defaults = true;
  std::string api_version, kind;
  object_meta metadata;
  backup_spec spec;  ///< all defaults: not written, which is the form of a discovered Backup
  backup_status status;
};
KOPIUR_DESCRIBE_NOTED(backup, (), (api_version, kind, metadata, spec, status))

/// Name of its BackupConfig. The informer cache indexes Backups by it.
inline std::optional<std::string> owner_name(backup const& one) {
  return one.spec.config_ref ? std::optional(one.spec.config_ref->name) : std::nullopt;
}
/// The source of its snapshot, in a form that is no object's name. The informer cache indexes Backups by it too.
inline std::string source_name(identity const& who) { return who.username + "@" + who.hostname + ":" + who.source_path; }
inline std::optional<std::string> source_name(backup const& one) {
  return one.status.snapshot ? std::optional(source_name(one.status.snapshot->identity)) : std::nullopt;
}
/// Drops fields that no service reads, because there are thousands of Backups. A stub (a Backup too large for the bus) keeps all the rest.
inline void drop_unread(backup& one) { one.status.conditions = {}, one.status.progress.reset(), one.status.log_tail.reset(); }

}  // namespace kopiur::proto
