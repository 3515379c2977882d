#pragma once
#include <optional>
#include <string>
#include <vector>

#include "proto/hypershift/names.hpp"

/// HyperShift's own kinds, with only the fields that kopiur reads. They are written by its operator, and a cluster may lack them.
/// Enumerations are texts: a later version may have other values.
namespace kopiur::proto {

struct aws_kms_key {
  std::string arn;
};
KOPIUR_DESCRIBE(aws_kms_key, (), (arn))
struct aws_kms {
  aws_kms_key active_key;
};
KOPIUR_DESCRIBE(aws_kms, (), (active_key))
struct azure_kms_key {
  std::string key_vault_name, key_name, key_version;
};
KOPIUR_DESCRIBE(azure_kms_key, (), (key_vault_name, key_name, key_version))
struct azure_kms {
  azure_kms_key active_key;
};
KOPIUR_DESCRIBE(azure_kms, (), (active_key))
/// The key that encrypts the keys of etcd's content.
struct hosted_kms {
  std::string provider;  ///< IBMCloud, AWS, Azure
  std::optional<aws_kms> aws;
  std::optional<azure_kms> azure;
};
KOPIUR_DESCRIBE(hosted_kms, (), (provider, aws, azure))
struct secret_encryption {
  std::string type;  ///< kms, aescbc
  std::optional<hosted_kms> kms;
};
KOPIUR_DESCRIBE(secret_encryption, (), (type, kms))

/// Another etcd, which holds some resources of the cluster: the StatefulSet etcd-NAME.
struct etcd_shard {
  std::string name;
};
KOPIUR_DESCRIBE(etcd_shard, (), (name))
struct managed_etcd {
  std::vector<etcd_shard> shards;  ///< besides the etcd of everything else
};
KOPIUR_DESCRIBE(managed_etcd, (), (shards))
struct hosted_etcd {
  std::string management_type;  ///< Managed: it runs in the namespace of the control plane; Unmanaged: somewhere else
  std::optional<managed_etcd> managed;
};
KOPIUR_DESCRIBE(hosted_etcd, (), (management_type, managed))
struct hosted_control_plane_spec {
  hosted_etcd etcd;
  std::optional<proto::secret_encryption> secret_encryption;  ///< absent: etcd's content is not encrypted
};
KOPIUR_DESCRIBE(hosted_control_plane_spec, (), (etcd, secret_encryption))

/// The control plane of one hosted cluster, in a namespace of its own. Its annotation `hosted_cluster` names the HostedCluster.
struct hosted_control_plane {
  static constexpr printer_column columns[]{column::age};
  static constexpr kind_info info = foreign_hypershift_kind({.kind = "HostedControlPlane",
                                                             .plural = "hostedcontrolplanes",
                                                             .singular = "hostedcontrolplane",
                                                             .short_name = "hcp",
                                                             .columns = columns});
  static constexpr bool omit_defaults = true;
  std::string api_version, kind;
  object_meta metadata;
  hosted_control_plane_spec spec;
};
KOPIUR_DESCRIBE(hosted_control_plane, (), (api_version, kind, metadata, spec))

struct hosted_cluster_status {
  std::optional<std::string> last_successful_etcd_backup_URL;
};
KOPIUR_DESCRIBE(hosted_cluster_status, (), (last_successful_etcd_backup_URL))
/// A hosted cluster as its owner asks for it; in another namespace than its control plane.
struct hosted_cluster {
  static constexpr printer_column columns[]{column::age};
  static constexpr kind_info info = foreign_hypershift_kind(
      {.kind = "HostedCluster", .plural = "hostedclusters", .singular = "hostedcluster", .short_name = "hc", .columns = columns});
  static constexpr bool omit_defaults = true;
  std::string api_version, kind;
  object_meta metadata;
  hosted_cluster_status status;
};
KOPIUR_DESCRIBE(hosted_cluster, (), (api_version, kind, metadata, status))

}  // namespace kopiur::proto
