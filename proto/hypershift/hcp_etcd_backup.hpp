#pragma once
#include <vector>

#include "proto/hypershift/etcd_storage.hpp"

/// A snapshot of the etcd of one hosted control plane, in the form that HyperShift serves, and that its OADP plugin writes.
namespace kopiur::proto {

struct hcp_etcd_backup_s3 {
  std::string bucket, region, key_prefix;
  operator_secret_ref credentials;
  std::optional<std::string> kms_key_ARN;  ///< encrypts the object in the bucket
};
KOPIUR_DESCRIBE_NOTED(hcp_etcd_backup_s3, (), (bucket, region, key_prefix, credentials, kms_key_ARN))

struct hcp_etcd_backup_azure_blob {
  std::string container, storage_account, key_prefix;
  operator_secret_ref credentials;
  std::optional<std::string> encryption_key_URL;  ///< encrypts the blob
};
KOPIUR_DESCRIBE_NOTED(hcp_etcd_backup_azure_blob, (), (container, storage_account, key_prefix, credentials, encryption_key_URL))

struct hcp_etcd_backup_storage {
  etcd_storage_type storage_type = etcd_storage_type::S3;  ///< has to be given
  std::optional<hcp_etcd_backup_s3> s3;
  std::optional<hcp_etcd_backup_azure_blob> azure_blob;
};
KOPIUR_DESCRIBE_NOTED(hcp_etcd_backup_storage, (), (storage_type, s3, azure_blob))

struct hcp_etcd_backup_spec {
  hcp_etcd_backup_storage storage;
};
KOPIUR_DESCRIBE_NOTED(hcp_etcd_backup_spec, (), (storage))

struct aws_artifact_key {
  std::string kms_key_ARN;
};
KOPIUR_DESCRIBE_NOTED(aws_artifact_key, (), (kms_key_ARN))
struct azure_artifact_key {
  std::string encryption_key_URL;
};
KOPIUR_DESCRIBE_NOTED(azure_artifact_key, (), (encryption_key_URL))

/// The key of the spec that encrypts the snapshot in its store: exactly one. How etcd's own content was encrypted is not in this kind.
struct artifact_encryption {
  std::optional<aws_artifact_key> aws;
  std::optional<azure_artifact_key> azure;
};
KOPIUR_DESCRIBE_NOTED(artifact_encryption, (), (aws, azure))

/// An API server refuses an empty one.
struct hcp_etcd_backup_status {
  static constexpr bool omit_defaults = true;
  std::vector<condition> conditions;
  std::optional<std::string> snapshot_URL;  ///< only with BackupCompleted True
  std::optional<artifact_encryption> encryption_metadata;
};
KOPIUR_DESCRIBE_NOTED(hcp_etcd_backup_status, (), (conditions, snapshot_URL, encryption_metadata))

struct hcp_etcd_backup {
  static constexpr printer_column columns[]{etcd_column::completed, etcd_column::url, column::age, etcd_column::reason,
                                            etcd_column::message};
  static constexpr kind_info info = hypershift_kind({.kind = "HCPEtcdBackup",
                                                     .plural = "hcpetcdbackups",
                                                     .singular = "hcpetcdbackup",
                                                     .short_name = "hcpetcdbk",
                                                     .columns = columns,
                                                     .other_operator = "hypershift/operator"});
  static constexpr bool omit_defaults = true;
  std::string api_version, kind;
  object_meta metadata;
  hcp_etcd_backup_spec spec;
  hcp_etcd_backup_status status;
};
KOPIUR_DESCRIBE_NOTED(hcp_etcd_backup, (), (api_version, kind, metadata, spec, status))

}  // namespace kopiur::proto
