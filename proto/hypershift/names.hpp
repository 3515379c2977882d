#pragma once
#include <string_view>

#include "proto/core/metadata.hpp"

/// The names of the API group hypershift.openshift.io besides its fields. The group is HyperShift's: most of its kinds are not ours.
namespace kopiur::proto {

inline constexpr std::string_view hypershift_api_version = "hypershift.openshift.io/v1beta1";

/// Completes a kind of this group from its names and columns. No status of the group has `observedGeneration`.
constexpr kind_info hypershift_kind(kind_info one) {
  one.api_version = hypershift_api_version, one.system = "hypershift";
  one.ownership = kind_ownership::Own;
  return one;
}

/// The same for a kind of HyperShift's operator, which kopiur only reads.
constexpr kind_info foreign_hypershift_kind(kind_info one) {
  one = hypershift_kind(one);
  one.ownership = kind_ownership::Foreign;
  return one;
}

namespace annotation {
/// On a HostedControlPlane: `<namespace>/<name>` of its HostedCluster.
inline constexpr std::string_view hosted_cluster = "hypershift.openshift.io/cluster";
}  // namespace annotation

namespace condition_type {
/// On both kinds of backups. Its reason says more than its status.
inline constexpr std::string_view backup_completed = "BackupCompleted";
/// On a HostedControlPlane: how its last backup ended. HyperShift copies it to the HostedCluster.
inline constexpr std::string_view etcd_backup_succeeded = "EtcdBackupSucceeded";
}  // namespace condition_type

/// Columns of both kinds of backups. `kubectl get` shows the first two and the age.
namespace etcd_column {
inline constexpr printer_column completed{"Completed", "string", R"(.status.conditions[?(@.type=="BackupCompleted")].status)"},
    url{"URL", "string", ".status.snapshotURL"},
    reason{"Reason", "string", R"(.status.conditions[?(@.type=="BackupCompleted")].reason)", 1},
    message{"Message", "string", R"(.status.conditions[?(@.type=="BackupCompleted")].message)", 1};
}  // namespace etcd_column

}  // namespace kopiur::proto
