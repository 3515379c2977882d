#pragma once
#include <string>

namespace kopiur::executor {

/// The arguments of fetch-etcd-certs.
struct certificate_fetch {
  std::string hcp_namespace, output_dir;
  std::string service_account = "/var/run/secrets/kubernetes.io/serviceaccount";  ///< where the kubelet mounts it
};

/// The arguments of etcd-upload; those of the other storage type are empty.
struct snapshot_upload {
  std::string snapshot_path, storage_type, key_prefix, key_suffix, credentials_file, endpoint, ca_file;
  std::string aws_bucket, aws_region, aws_kms_key_arn, sts_endpoint;
  std::string azure_container, azure_storage_account, azure_auth_type, azure_encryption_scope;

  bool is_s3() const { return storage_type == "S3"; }
};

/// Why an upload must not begin: a sentence that names the argument; empty: it may.
std::string problem_of(snapshot_upload const& what);

}  // namespace kopiur::executor
