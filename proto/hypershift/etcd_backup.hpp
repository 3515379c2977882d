#pragma once
#include <vector>

#include "proto/hypershift/etcd_storage.hpp"

/// A snapshot of the etcd of one hosted control plane, once, into an object store.
namespace kopiur::proto {

struct etcd_backup_s3 {
  std::string bucket, region, key_prefix;
  operator_secret_ref credentials_secret_ref;
};
KOPIUR_DESCRIBE_NOTED(etcd_backup_s3, (), (bucket, region, key_prefix, credentials_secret_ref))

struct etcd_backup_azure_blob {
  std::string container, storage_account, key_prefix;
  operator_secret_ref credentials_secret_ref;
};
KOPIUR_DESCRIBE_NOTED(etcd_backup_azure_blob, (), (container, storage_account, key_prefix, credentials_secret_ref))

struct etcd_backup_spec {
  etcd_storage_type storage_type = etcd_storage_type::S3;  ///< has to be given
  std::optional<etcd_backup_s3> s3;
  std::optional<etcd_backup_azure_blob> azure_blob;
};
KOPIUR_DESCRIBE_NOTED(etcd_backup_spec, (), (storage_type, s3, azure_blob))

enum class kms_encryption_state { Enabled, Disabled };
BOOST_DESCRIBE_ENUM(kms_encryption_state, Enabled, Disabled)

/// How etcd's content was encrypted when the snapshot was taken. A restore needs the same key.
struct etcd_encryption_metadata {
  kms_encryption_state kms_encryption = kms_encryption_state::Disabled;  ///< always written
  std::optional<std::string> kms_key_ID;                                 ///< AWS: an ARN; Azure: the URL of a key
};
KOPIUR_DESCRIBE_NOTED(etcd_encryption_metadata, (), (kms_encryption, kms_key_ID))

struct etcd_backup_status {
  static constexpr bool omit_defaults = true;
  std::vector<condition> conditions;
  std::optional<std::string> snapshot_URL;  ///< only with BackupCompleted True
  std::optional<etcd_encryption_metadata> encryption_metadata;
};
KOPIUR_DESCRIBE_NOTED(etcd_backup_status, (), (conditions, snapshot_URL, encryption_metadata))

struct etcd_backup {
  static constexpr printer_column columns[]{etcd_column::completed, etcd_column::url, column::age, etcd_column::reason,
                                            etcd_column::message};
  static constexpr kind_info info = hypershift_kind(
      {.kind = "EtcdBackup", .plural = "etcdbackups", .singular = "etcdbackup", .short_name = "etcdbk", .columns = columns});
  static constexpr bool omit_defaults = true;
  std::string api_version, kind;
  object_meta metadata;
  etcd_backup_spec spec;
  etcd_backup_status status;
};
KOPIUR_DESCRIBE_NOTED(etcd_backup, (), (api_version, kind, metadata, spec, status))

}  // namespace kopiur::proto
