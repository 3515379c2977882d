#pragma once
#include <variant>

#include "proto/core/kubernetes.hpp"
#include "proto/describe.hpp"
#include "proto/kopiur/kopia_task.hpp"
#include "proto/kopiur/mover_options.hpp"
#include "proto/kopiur/names.hpp"
#include "proto/kopiur/shared.hpp"

/// Restore: one restore into a claim, or passive as a volume populator (spec/kopiur.md).
namespace kopiur::proto {

struct backup_ref_source {
  static constexpr std::string_view member = "backupRef";
  std::string name;
  std::optional<std::string> source_path;
};
KOPIUR_DESCRIBE_NOTED(backup_ref_source, (), (name, source_path))

/// `claimName`: the source whose path ends in the name of the filled claim; passive Restores only.
enum class source_path_from { claimName };
BOOST_DESCRIBE_ENUM(source_path_from, claimName)

/// The newest snapshot of a config, or the newest up to `as_of`, or the n-th newest (0 = newest).
struct from_config_source {
  static constexpr std::string_view member = "fromConfig";
  std::string name;
  std::optional<std::string> source_path;
  std::optional<proto::source_path_from> source_path_from;
  std::optional<instant> as_of;
  int offset = 0;
};
KOPIUR_DESCRIBE_NOTED(from_config_source, (), (name, source_path, source_path_from, as_of, offset))

/// A snapshot by its identity in kopia; at most one of snapshot_ID, as_of, offset; none: the newest. Needs `spec.repository`.
struct identity_source {
  static constexpr std::string_view member = "identity";
  std::string username, hostname, source_path;
  std::optional<std::string> snapshot_ID;
  std::optional<instant> as_of;
  std::optional<int> offset;
};
KOPIUR_DESCRIBE_NOTED(identity_source, (), (username, hostname, source_path, snapshot_ID, as_of, offset))

using restore_source = std::variant<backup_ref_source, from_config_source, identity_source>;

/// A claim that is created for the restore, and is kept when the Restore is deleted.
struct new_claim {
  static constexpr std::string_view member = "pvc";
  std::string name;
  std::optional<std::string> storage_class_name, capacity;
  std::vector<access_mode> access_modes;
};
KOPIUR_DESCRIBE_NOTED(new_claim, (), (name, storage_class_name, capacity, access_modes))
/// A claim that exists.
struct existing_claim {
  static constexpr std::string_view member = "pvcRef";
  std::string name;
};
KOPIUR_DESCRIBE_NOTED(existing_claim, (), (name))
using restore_target = std::variant<new_claim, existing_claim>;

enum class on_missing_snapshot { Fail, Continue };
BOOST_DESCRIBE_ENUM(on_missing_snapshot, Fail, Continue)

struct restore_policy {
  proto::on_missing_snapshot on_missing_snapshot = proto::on_missing_snapshot::Fail;
  /// Counted from when the repository is Ready and the claim exists. Absent: 5 minutes under Fail; under Continue a complete, fresh list
  /// without the snapshot decides immediately.
  std::optional<duration> wait_timeout;
};
KOPIUR_DESCRIBE_NOTED(restore_policy, (), (on_missing_snapshot, wait_timeout))

struct restore_spec {
  std::optional<repository_ref> repository;  ///< required with `identity`, else derived
  restore_source source;
  std::optional<restore_target> target;  ///< absent: passive, waits for a claim's dataSourceRef
  restore_options options;
  restore_policy policy;
  std::optional<mover_options> mover;  ///< absent: those of the config that made the backup, if it exists
  proto::failure_policy failure_policy;
  bool dry_run = false;  ///< reports the plan in `status.plan` and changes nothing
};
KOPIUR_DESCRIBE_NOTED(restore_spec, (), (repository, source, target, options, policy, mover, failure_policy, dry_run))

enum class restore_phase { Pending, Resolving, Restoring, Completed, Failed };
BOOST_DESCRIBE_ENUM(restore_phase, Pending, Resolving, Restoring, Completed, Failed)

/// "No snapshot" is pinned like a snapshot.
enum class restore_resolution { Snapshot, NoSnapshot };
BOOST_DESCRIBE_ENUM(restore_resolution, Snapshot, NoSnapshot)

/// Pinned once, then unchanged.
struct restore_resolved {
  restore_resolution resolution = restore_resolution::Snapshot;
  std::optional<std::string> backup_ref;
  std::optional<resolved_repository> repository;
  std::optional<proto::identity> identity;
  std::optional<std::string> snapshot_ID;
  std::vector<std::string> passed_over;
  instant pinned_at{};
};
KOPIUR_DESCRIBE_NOTED(restore_resolved, (), (resolution, backup_ref, repository, identity, snapshot_ID, passed_over, pinned_at))

struct restore_target_status {
  std::optional<std::string> pvc_prime, pvc_ref;
};
KOPIUR_DESCRIBE_NOTED(restore_target_status, (), (pvc_prime, pvc_ref))

/// Progress of an at-most-once plan; the later of this and the run fact wins (decisions.md section 3).
enum class execution_stage { Prepared, Committed, Created, TerminalObserved, FollowThroughComplete };
BOOST_DESCRIBE_ENUM(execution_stage, Prepared, Committed, Created, TerminalObserved, FollowThroughComplete)

struct execution_receipt {
  std::string run_ID;
  execution_stage stage = execution_stage::Prepared;
  int attempt = 0;
  std::optional<std::string> job_name;
};
KOPIUR_DESCRIBE_NOTED(execution_receipt, (), (run_ID, stage, attempt, job_name))

struct restore_progress {
  std::int64_t bytes_restored = 0, files_restored = 0;
  std::optional<int> percent;
};
KOPIUR_DESCRIBE_NOTED(restore_progress, (), (bytes_restored, files_restored, percent))

/// One claim that a passive Restore fills; each has its own pin.
struct served_claim {
  std::string name, uid;
  restore_phase phase = restore_phase::Pending;
  std::optional<restore_resolved> resolved;
  std::optional<std::string> pvc_prime, message;
};
KOPIUR_DESCRIBE_NOTED(served_claim, (), (name, uid, phase, resolved, pvc_prime, message))

struct restore_status {
  std::optional<std::int64_t> observed_generation;
  std::optional<restore_phase> phase;
  std::optional<restore_resolved> resolved;
  std::optional<restore_preview> plan;  ///< of a dry run
  std::optional<restore_target_status> target;
  std::optional<run_timing> timing;
  std::optional<instant> wait_started_at;
  std::optional<execution_receipt> execution;
  std::optional<restore_progress> progress;
  std::optional<ownership_report> ownership;  ///< of everything written; absent: not known (yet)
  std::optional<run_failure> failure;
  std::optional<std::string> log_tail;
  std::vector<served_claim> claims;
  std::vector<condition> conditions;
};
KOPIUR_DESCRIBE_NOTED(restore_status, (),
                      (observed_generation, phase, resolved, plan, target, timing, wait_started_at, execution, progress, ownership, failure,
                       log_tail, claims, conditions))

struct restore {
  static constexpr printer_column columns[]{
      column::phase, {"Target", "string", ".status.target.pvcRef"},         {"Snapshot", "string", ".status.resolved.snapshotID"},
      column::age,   {"Percent", "integer", ".status.progress.percent", 1}, column::message};
  static constexpr kind_info info = kopiur_kind({.kind = "Restore", .plural = "restores", .singular = "restore", .columns = columns});
  static constexpr bool omit_defaults = true;
  std::string api_version, kind;
  object_meta metadata;
  restore_spec spec;
  restore_status status;
};
KOPIUR_DESCRIBE_NOTED(restore, (), (api_version, kind, metadata, spec, status))

/// The Restore that fills a claim of namespace `ns` with this data source; empty: none. It must be in the claim's own namespace.
inline std::string filling_restore(data_source_ref const& source, std::string_view ns) {
  bool is_restore = source.kind == restore::info.kind && source.api_group.value_or("") == group_of(restore::info);
  return is_restore && source.namespace_.value_or(std::string(ns)) == ns ? source.name : std::string();
}

}  // namespace kopiur::proto
