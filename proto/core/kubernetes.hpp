#pragma once
#include "common/json/describe.hpp"
#include "proto/core/metadata.hpp"

/// The Kubernetes kinds that kopiur reads, with only the fields that it needs; unknown fields are ignored.
namespace kopiur::proto {

enum class access_mode { ReadWriteOnce, ReadOnlyMany, ReadWriteMany, ReadWriteOncePod };
BOOST_DESCRIBE_ENUM(access_mode, ReadWriteOnce, ReadOnlyMany, ReadWriteMany, ReadWriteOncePod)

struct host_path {
  std::string path;
  std::optional<std::string> type;
};
KOPIUR_DESCRIBE(host_path, (), (path, type))

/// The claim that a volume is bound to.
struct volume_claim_ref {
  static constexpr bool omit_defaults = true;
  std::string api_version, kind, namespace_, name, uid;
};
KOPIUR_DESCRIBE(volume_claim_ref, (), (api_version, kind, namespace_, name, uid))

struct persistent_volume_spec {
  std::map<std::string, std::string> capacity;  ///< `storage`: a quantity
  std::vector<access_mode> access_modes;
  std::optional<proto::host_path> host_path;
  std::optional<volume_claim_ref> claim_ref;
  std::optional<std::string> storage_class_name, persistent_volume_reclaim_policy, volume_mode;
};
KOPIUR_DESCRIBE(persistent_volume_spec, (),
                (capacity, access_modes, host_path, claim_ref, storage_class_name, persistent_volume_reclaim_policy, volume_mode))
struct volume_status {
  std::optional<std::string> phase;
};
KOPIUR_DESCRIBE(volume_status, (), (phase))
struct persistent_volume {
  static constexpr printer_column columns[]{
      column::phase, {"Claim", "string", ".spec.claimRef.name"}, {"Folder", "string", ".spec.hostPath.path"}, column::age};
  static constexpr kind_info info{.kind = "PersistentVolume",
                                  .plural = "persistentvolumes",
                                  .singular = "persistentvolume",
                                  .short_name = "pv",
                                  .scope = kind_scope::Cluster,
                                  .columns = columns};
  static constexpr bool omit_defaults = true;
  std::string api_version, kind;
  object_meta metadata;
  persistent_volume_spec spec;
  volume_status status;
};
KOPIUR_DESCRIBE(persistent_volume, (), (api_version, kind, metadata, spec, status))

struct data_source_ref {
  std::optional<std::string> api_group;
  std::string kind, name;
  std::optional<std::string> namespace_;
};
KOPIUR_DESCRIBE(data_source_ref, (), (api_group, kind, name, namespace_))
struct volume_resources {
  std::map<std::string, std::string> requests, limits;
};
KOPIUR_DESCRIBE(volume_resources, (), (requests, limits))
struct persistent_volume_claim_spec {
  std::vector<access_mode> access_modes;
  std::optional<label_selector> selector;
  volume_resources resources;
  std::optional<std::string> storage_class_name, volume_mode, volume_name;
  std::optional<proto::data_source_ref> data_source, data_source_ref;
};
KOPIUR_DESCRIBE(persistent_volume_claim_spec, (),
                (access_modes, selector, resources, storage_class_name, volume_mode, volume_name, data_source, data_source_ref))
struct persistent_volume_claim_status {
  std::optional<std::string> phase;
  std::map<std::string, std::string> capacity;
};
KOPIUR_DESCRIBE(persistent_volume_claim_status, (), (phase, capacity))
struct persistent_volume_claim {
  static constexpr printer_column columns[]{column::phase, {"Volume", "string", ".spec.volumeName"}, column::age};
  static constexpr kind_info info{.kind = "PersistentVolumeClaim",
                                  .plural = "persistentvolumeclaims",
                                  .singular = "persistentvolumeclaim",
                                  .short_name = "pvc",
                                  .columns = columns};
  static constexpr bool omit_defaults = true;
  std::string api_version, kind;
  object_meta metadata;
  persistent_volume_claim_spec spec;
  persistent_volume_claim_status status;
};
KOPIUR_DESCRIBE(persistent_volume_claim, (), (api_version, kind, metadata, spec, status))

/// Exists in a cluster only.
struct storage_class {
  static constexpr printer_column columns[]{{"Binding", "string", ".volumeBindingMode"}, column::age};
  static constexpr kind_info info{.kind = "StorageClass",
                                  .plural = "storageclasses",
                                  .singular = "storageclass",
                                  .short_name = "sc",
                                  .scope = kind_scope::Cluster,
                                  .api_version = "storage.k8s.io/v1",
                                  .columns = columns};
  static constexpr bool omit_defaults = true;
  std::string api_version, kind;
  object_meta metadata;
  std::optional<std::string> volume_binding_mode;
};
KOPIUR_DESCRIBE(storage_class, (), (api_version, kind, metadata, volume_binding_mode))

/// Exists in a cluster with the CSI snapshotter only.
struct volume_snapshot_class {
  static constexpr printer_column columns[]{{"Driver", "string", ".driver"}, column::age};
  static constexpr kind_info info{.kind = "VolumeSnapshotClass",
                                  .plural = "volumesnapshotclasses",
                                  .singular = "volumesnapshotclass",
                                  .scope = kind_scope::Cluster,
                                  .api_version = "snapshot.storage.k8s.io/v1",
                                  .ownership = kind_ownership::Foreign,
                                  .columns = columns};
  static constexpr bool omit_defaults = true;
  std::string api_version, kind;
  object_meta metadata;
  std::string driver;
};
KOPIUR_DESCRIBE(volume_snapshot_class, (), (api_version, kind, metadata, driver))

/// Read from manifests only; never sent on the bus, never mirrored.
struct secret {
  static constexpr printer_column columns[]{column::age};
  static constexpr kind_info info{.kind = "Secret", .plural = "secrets", .singular = "secret", .columns = columns};
  static constexpr bool omit_defaults = true;
  std::string api_version, kind;
  object_meta metadata;
  std::string type;
  std::map<std::string, std::string> data;         ///< base64
  std::map<std::string, std::string> string_data;  ///< plain text, wins over `data`
};
KOPIUR_DESCRIBE(secret, (), (api_version, kind, metadata, type, data, string_data))

struct config_map {
  static constexpr printer_column columns[]{column::age};
  static constexpr kind_info info{
      .kind = "ConfigMap", .plural = "configmaps", .singular = "configmap", .short_name = "cm", .columns = columns};
  static constexpr bool omit_defaults = true;
  std::string api_version, kind;
  object_meta metadata;
  std::map<std::string, std::string> data;
};
KOPIUR_DESCRIBE(config_map, (), (api_version, kind, metadata, data))

/// Its labels decide whether a ClusterRepository's selector allows it; its annotations decide whether movers may be privileged.
struct core_namespace {
  static constexpr printer_column columns[]{column::phase, column::age};
  static constexpr kind_info info{.kind = "Namespace",
                                  .plural = "namespaces",
                                  .singular = "namespace",
                                  .short_name = "ns",
                                  .scope = kind_scope::Cluster,
                                  .columns = columns};
  static constexpr bool omit_defaults = true;
  std::string api_version, kind;
  object_meta metadata;
  volume_status status;
};
KOPIUR_DESCRIBE(core_namespace, (), (api_version, kind, metadata, status))

}  // namespace kopiur::proto
