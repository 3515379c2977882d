#pragma once
#include "proto/core/metadata.hpp"
#include "proto/describe.hpp"

/// Types that several kinds share: repository references, policies, the mover's cache.
namespace kopiur::proto {

enum class repository_kind { Repository, ClusterRepository };
BOOST_DESCRIBE_ENUM(repository_kind, Repository, ClusterRepository)

/// Reference to a repository; `namespace_` only with Repository, and then it must be the referrer's own (v1alpha1).
struct repository_ref {
  repository_kind kind = repository_kind::Repository;
  std::string name;
  std::optional<std::string> namespace_;
};
KOPIUR_DESCRIBE_NOTED(repository_ref, (), (kind, name, namespace_))

/// A repository as a run resolved it: the object, and kopia's own id, which identifies its snapshots (decisions.md section 7).
struct resolved_repository {
  repository_kind kind = repository_kind::Repository;
  std::string name;
  std::optional<std::string> namespace_, unique_ID;
};
KOPIUR_DESCRIBE_NOTED(resolved_repository, (), (kind, name, namespace_, unique_ID))

/// What happens to the snapshot of a deleted Backup.
enum class deletion_policy { Delete, Retain, Orphan };
BOOST_DESCRIBE_ENUM(deletion_policy, Delete, Retain, Orphan)

/// What happens to Backups when their owner is deleted (`onNamespaceDelete`, `onConfigDelete`, `onScheduleDelete`).
enum class on_owner_delete { Retain, Delete };
BOOST_DESCRIBE_ENUM(on_owner_delete, Retain, Delete)

/// Number of retries and deadlines. The defaults are for Restore; Maintenance has others.
struct failure_policy {
  int backoff_limit = 2;
  std::int64_t active_deadline_seconds = 172800;
  std::optional<std::int64_t> pod_start_deadline_seconds;  ///< absent: the operator's default, 300
};
KOPIUR_DESCRIBE_NOTED(failure_policy, (), (backoff_limit, active_deadline_seconds, pod_start_deadline_seconds))

/// The same for a Backup. Absent fields are read from its config, then from the defaults below.
struct backup_failure_policy {
  std::optional<int> backoff_limit;                           ///< 2
  std::optional<std::int64_t> active_deadline_seconds;        ///< 172800
  std::optional<std::int64_t> precondition_deadline_seconds;  ///< 900
  std::optional<std::int64_t> pod_start_deadline_seconds;     ///< the operator's default, 300
};
KOPIUR_DESCRIBE_NOTED(backup_failure_policy, (),
                      (backoff_limit, active_deadline_seconds, precondition_deadline_seconds, pod_start_deadline_seconds))

/// kopia's cache of a mover; absent fields are inherited (config, then repository, then operator).
struct cache_options {
  std::optional<std::string> capacity;  ///< a quantity: 8Gi
  std::optional<std::string> storage_class_name;
  std::optional<std::int64_t> metadata_cache_size_MB, content_cache_size_MB;
};
KOPIUR_DESCRIBE_NOTED(cache_options, (), (capacity, storage_class_name, metadata_cache_size_MB, content_cache_size_MB))

/// Start and end of a run.
struct run_timing {
  std::optional<instant> start_time, end_time;
  std::optional<std::int64_t> duration_seconds;
};
KOPIUR_DESCRIBE_NOTED(run_timing, (), (start_time, end_time, duration_seconds))

}  // namespace kopiur::proto
