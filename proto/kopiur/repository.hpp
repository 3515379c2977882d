#pragma once
#include <variant>

#include "proto/describe.hpp"
#include "proto/kopiur/backend.hpp"
#include "proto/kopiur/names.hpp"
#include "proto/kopiur/shared.hpp"

/// Repository and ClusterRepository: a kopia repository as an object (spec/kopiur.md).
namespace kopiur::proto {

/// A Secret is referenced; the password is never inline. An object of its own, because rotation fields will be added.
struct repository_encryption {
  secret_key_ref password_secret_ref{.name = {}, .key = "KOPIA_PASSWORD", .namespace_ = {}};
};
KOPIUR_DESCRIBE_NOTED(repository_encryption, (), (password_secret_ref))

struct catalog_retain {
  std::optional<int> per_identity, max_age_days;
};
KOPIUR_DESCRIBE_NOTED(catalog_retain, (), (per_identity, max_age_days))

/// Which snapshots get a discovered Backup, and how often the repository is listed; never deletes a snapshot.
struct catalog_options {
  std::optional<catalog_retain> retain;
  duration refresh_interval = std::chrono::hours(1);
  std::optional<std::string> fallback_namespace;  ///< ClusterRepository only
};
KOPIUR_DESCRIBE_NOTED(catalog_options, (), (retain, refresh_interval, fallback_namespace))

/// Holds a burst of deletions that kopiur's own retention did not request (decisions.md section 5).
struct deletion_protection {
  int threshold = 10;
  duration window = std::chrono::hours(1);
};
KOPIUR_DESCRIBE_NOTED(deletion_protection, (), (threshold, window))

/// The fields that both kinds share.
struct repository_spec {
  proto::backend backend;
  repository_encryption encryption;
  create_behavior create;
  std::optional<cache_options> cache_defaults;
  catalog_options catalog;
  bool suspend = false;
  proto::deletion_protection deletion_protection;
  on_owner_delete on_namespace_delete = on_owner_delete::Retain;  ///< Delete is allowed on a ClusterRepository only
};
KOPIUR_DESCRIBE_NOTED(repository_spec, (),
                      (backend, encryption, create, cache_defaults, catalog, suspend, deletion_protection, on_namespace_delete))

struct namespaces_listed {
  static constexpr std::string_view member = "list";
  static constexpr bool transparent = true;
  std::vector<std::string> names;
};
KOPIUR_DESCRIBE_NOTED(namespaces_listed, (), (names))
struct namespaces_selected {
  static constexpr std::string_view member = "selector";
  static constexpr bool transparent = true;
  label_selector labels;
};
KOPIUR_DESCRIBE_NOTED(namespaces_selected, (), (labels))
struct namespaces_all {
  static constexpr std::string_view member = "all";
  static constexpr bool transparent = true;
  bool yes = true;  ///< false is refused
};
KOPIUR_DESCRIBE_NOTED(namespaces_all, (), (yes))
/// Namespaces that may use a ClusterRepository.
using allowed_namespaces = std::variant<namespaces_listed, namespaces_selected, namespaces_all>;

/// Templates over `{{ namespace }}` and `{{ configName }}` (or `{{ .Namespace }}`, `{{ .ConfigName }}`) only.
struct identity_templates {
  std::optional<std::string> hostname_template, username_template;
};
KOPIUR_DESCRIBE_NOTED(identity_templates, (), (hostname_template, username_template))

struct cluster_repository_spec {
  static constexpr std::string_view inlined = "common";
  repository_spec common;  ///< its fields are inlined on the wire
  proto::allowed_namespaces allowed_namespaces;
  bool allow_foreign_identities = false;
  std::optional<identity_templates> identity_defaults;
};
KOPIUR_DESCRIBE_NOTED(cluster_repository_spec, (), (common, allowed_namespaces, allow_foreign_identities, identity_defaults))

enum class repository_phase { Pending, Initializing, Ready, Degraded, Failed };
BOOST_DESCRIBE_ENUM(repository_phase, Pending, Initializing, Ready, Degraded, Failed)

struct storage_stats {
  std::int64_t snapshot_count = 0;
  std::int64_t total_size = 0;  ///< bytes: the newest snapshot of each source
  std::optional<instant> last_observed_at;
};
KOPIUR_DESCRIBE_NOTED(storage_stats, (), (snapshot_count, total_size, last_observed_at))

struct catalog_status {
  std::int64_t discovered_backup_count = 0;
  std::optional<instant> last_refresh_at;  ///< changes only with the catalog
};
KOPIUR_DESCRIBE_NOTED(catalog_status, (), (discovered_backup_count, last_refresh_at))

/// Status of both kinds. Several services write it, each its own fields; a service leaves the others absent.
struct repository_status {
  std::optional<std::int64_t> observed_generation;
  std::optional<repository_phase> phase;
  std::optional<std::string> backend;    ///< S3, Azure, ...: for the printer column
  std::optional<std::string> unique_ID;  ///< kopia's id of the repository
  std::optional<proto::storage_stats> storage_stats;
  std::optional<catalog_status> catalog;
  std::optional<std::int64_t> allowed_namespace_count;  ///< ClusterRepository only
  std::optional<std::string> log_tail;                  ///< of the last failed mover, while the phase is Failed or Degraded
  std::vector<condition> conditions;
};
KOPIUR_DESCRIBE_NOTED(repository_status, (),
                      (observed_generation, phase, backend, unique_ID, storage_stats, catalog, allowed_namespace_count, log_tail,
                       conditions))

struct repository {
  static constexpr printer_column columns[]{column::phase,
                                            {"Backend", "string", ".status.backend"},
                                            {"Snapshots", "integer", ".status.storageStats.snapshotCount"},
                                            column::state,
                                            column::age,
                                            {"Size", "integer", ".status.storageStats.totalSize", 1, true},
                                            column::message};
  static constexpr kind_info info = kopiur_kind(
      {.kind = "Repository", .plural = "repositories", .singular = "repository", .short_name = "kopiarepo", .columns = columns});
  static constexpr bool omit_defaults = true;
  std::string api_version, kind;
  object_meta metadata;
  repository_spec spec;
  repository_status status;
};
KOPIUR_DESCRIBE_NOTED(repository, (), (api_version, kind, metadata, spec, status))

struct cluster_repository {
  static constexpr printer_column columns[]{column::phase,
                                            {"Backend", "string", ".status.backend"},
                                            {"Snapshots", "integer", ".status.storageStats.snapshotCount"},
                                            {"Namespaces", "integer", ".status.allowedNamespaceCount"},
                                            column::state,
                                            column::age,
                                            {"Size", "integer", ".status.storageStats.totalSize", 1, true},
                                            column::message};
  static constexpr kind_info info = kopiur_kind({.kind = "ClusterRepository",
                                                 .plural = "clusterrepositories",
                                                 .singular = "clusterrepository",
                                                 .short_name = "kopiacrepo",
                                                 .scope = kind_scope::Cluster,
                                                 .columns = columns});
  static constexpr bool omit_defaults = true;
  std::string api_version, kind;
  object_meta metadata;
  cluster_repository_spec spec;
  repository_status status;
};
KOPIUR_DESCRIBE_NOTED(cluster_repository, (), (api_version, kind, metadata, spec, status))

}  // namespace kopiur::proto
