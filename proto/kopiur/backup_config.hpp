#pragma once
#include <variant>

#include "proto/describe.hpp"
#include "proto/kopiur/hooks.hpp"
#include "proto/kopiur/kopia_task.hpp"
#include "proto/kopiur/mover_options.hpp"
#include "proto/kopiur/names.hpp"
#include "proto/kopiur/shared.hpp"

/// BackupConfig: the recipe, that is what to back up and how. It runs nothing by itself (spec/kopiur.md).
namespace kopiur::proto {

/// Defaults: the config's name as user and its namespace as host, or the templates of a ClusterRepository that has them.
struct identity_override {
  std::optional<std::string> username, hostname;
};
KOPIUR_DESCRIBE_NOTED(identity_override, (), (username, hostname))

struct pvc_source {
  static constexpr std::string_view member = "pvc";
  std::string name;
};
KOPIUR_DESCRIBE_NOTED(pvc_source, (), (name))

/// `/pvc/<name>` or `/pvc/<namespace>/<name>`.
enum class source_path_strategy { PVCName, PVCNamespacedName };
BOOST_DESCRIBE_ENUM(source_path_strategy, PVCName, PVCNamespacedName)

struct pvc_selector_source {
  static constexpr std::string_view member = "pvcSelector";
  proto::label_selector label_selector;
  std::optional<proto::label_selector> namespace_selector;  ///< refused in v1alpha1: a Job cannot mount another namespace's claim
  proto::source_path_strategy source_path_strategy = proto::source_path_strategy::PVCName;
};
KOPIUR_DESCRIBE_NOTED(pvc_selector_source, (), (label_selector, namespace_selector, source_path_strategy))

struct backup_source {
  static constexpr std::string_view inlined = "from";
  std::variant<pvc_source, pvc_selector_source> from;
  std::optional<std::string> source_path_override;  ///< recorded by kopia instead of `/pvc/<name>`
};
KOPIUR_DESCRIBE_NOTED(backup_source, (), (from, source_path_override))

enum class copy_method { Snapshot, Clone, Direct };
BOOST_DESCRIBE_ENUM(copy_method, Snapshot, Clone, Direct)
enum class group_by { VolumeGroupSnapshot, None };
BOOST_DESCRIBE_ENUM(group_by, VolumeGroupSnapshot, None)

/// Grandfather-father-son (spec/kopiur.md, Retention).
struct retention_policy {
  std::optional<int> keep_latest, keep_hourly, keep_daily, keep_weekly, keep_monthly, keep_annual;
  std::string timezone = "UTC";  ///< time zone of the buckets' calendar
};
KOPIUR_DESCRIBE_NOTED(retention_policy, (), (keep_latest, keep_hourly, keep_daily, keep_weekly, keep_monthly, keep_annual, timezone))

struct compression_policy {
  std::optional<std::string> compressor;
  std::vector<std::string> never_compress;
};
KOPIUR_DESCRIBE_NOTED(compression_policy, (), (compressor, never_compress))

struct ignore_policy {
  std::vector<std::string> paths;
  bool cache_dirs = true;
  bool file_errors = false, dir_errors = false;
  bool ignore_identical_snapshots = false;
};
KOPIUR_DESCRIBE_NOTED(ignore_policy, (), (paths, cache_dirs, file_errors, dir_errors, ignore_identical_snapshots))

/// Options passed to kopia for a source.
struct backup_policy {
  std::optional<compression_policy> compression;
  std::optional<std::string> splitter;
  ignore_policy ignore;
  int shrink_hold = 50;  ///< percent: a snapshot with less than this of its predecessor's files or bytes is held; 0: never
  std::vector<std::string> extra_args;
};
KOPIUR_DESCRIBE_NOTED(backup_policy, (), (compression, splitter, ignore, shrink_hold, extra_args))

struct backup_config_spec {
  repository_ref repository;
  std::optional<identity_override> identity;
  std::vector<backup_source> sources;
  std::optional<proto::copy_method> copy_method;  ///< no schema default: depends on what the adapter supports
  std::optional<std::string> volume_snapshot_class_name;
  std::optional<proto::group_by> group_by;    ///< no schema default, as above
  std::optional<retention_policy> retention;  ///< absent: nothing is pruned
  std::optional<deletion_policy> default_deletion_policy;
  on_owner_delete on_config_delete = on_owner_delete::Retain;
  backup_policy policy;
  std::optional<hook_lists> hooks;
  std::optional<mover_options> mover;
  std::optional<backup_failure_policy> failure_policy;  ///< default for its Backups
  bool suspend = false;
};
KOPIUR_DESCRIBE_NOTED(backup_config_spec, (),
                      (repository, identity, sources, copy_method, volume_snapshot_class_name, group_by, retention, default_deletion_policy,
                       on_config_delete, policy, hooks, mover, failure_policy, suspend))

/// A resolved source: a claim, and the path that kopia records for it.
struct resolved_source {
  std::string pvc_name, source_path;
};
KOPIUR_DESCRIBE_NOTED(resolved_source, (), (pvc_name, source_path))

/// Written once, never rendered again (decisions.md section 7).
struct resolved_identity {
  std::string username, hostname;
  std::vector<resolved_source> sources;
};
KOPIUR_DESCRIBE_NOTED(resolved_identity, (), (username, hostname, sources))

struct backup_config_resolved {
  std::optional<resolved_identity> identity;
  std::optional<resolved_repository> repository;
  std::optional<proto::copy_method> copy_method;
  std::optional<proto::group_by> group_by;
};
KOPIUR_DESCRIBE_NOTED(backup_config_resolved, (), (identity, repository, copy_method, group_by))

struct retention_status {
  std::int64_t active_backup_count = 0;
  std::optional<instant> last_prune_at;
  std::optional<std::int64_t> last_prune_deleted;
};
KOPIUR_DESCRIBE_NOTED(retention_status, (), (active_backup_count, last_prune_at, last_prune_deleted))

/// A Backup, and when it ended.
struct backup_mark {
  instant at{};
  std::string backup_ref;
};
KOPIUR_DESCRIBE_NOTED(backup_mark, (), (at, backup_ref))

struct backup_config_status {
  std::optional<std::int64_t> observed_generation;
  std::optional<backup_config_resolved> resolved;
  std::optional<retention_status> retention;
  std::optional<backup_mark> last_successful_backup;
  std::vector<condition> conditions;
};
KOPIUR_DESCRIBE_NOTED(backup_config_status, (), (observed_generation, resolved, retention, last_successful_backup, conditions))

struct backup_config {
  static constexpr printer_column columns[]{{"Repository", "string", ".spec.repository.name"},
                                            {"Last Success", "date", ".status.lastSuccessfulBackup.at"},
                                            {"Backups", "integer", ".status.retention.activeBackupCount"},
                                            column::state,
                                            column::age,
                                            column::message};
  static constexpr kind_info info = kopiur_kind(
      {.kind = "BackupConfig", .plural = "backupconfigs", .singular = "backupconfig", .acts_by_itself = true, .columns = columns});
  static constexpr bool omit_defaults = true;
  std::string api_version, kind;
  object_meta metadata;
  backup_config_spec spec;
  backup_config_status status;
};
KOPIUR_DESCRIBE_NOTED(backup_config, (), (api_version, kind, metadata, spec, status))

}  // namespace kopiur::proto
