#pragma once
#include <string_view>

#include "proto/core/metadata.hpp"

/// The names of the API group openbao.org besides its fields. The group is that of OpenBao's operator.
namespace kopiur::proto {

inline constexpr std::string_view openbao_api_version = "openbao.org/v1alpha1";

/// Completes a kind of this group from its names and columns. No status of the group has `observedGeneration`.
constexpr kind_info openbao_kind(kind_info one) {
  one.api_version = openbao_api_version, one.system = "openbao";
  one.ownership = kind_ownership::Own;
  return one;
}

/// The same for a kind of OpenBao's operator, which kopiur only reads.
constexpr kind_info foreign_openbao_kind(kind_info one) {
  one = openbao_kind(one);
  one.ownership = kind_ownership::Foreign;
  return one;
}

namespace annotation {
/// On an OpenBaoCluster: each new value takes one backup.
inline constexpr std::string_view trigger_backup = "openbao.org/trigger-backup";
}  // namespace annotation

namespace finalizer {
/// On an OpenBaoRestore: its deletion waits until its Job is over and the lock is released.
inline constexpr std::string_view openbao_restore = "openbao.org/openbaorestore-finalizer";
}  // namespace finalizer

namespace label {
/// On Jobs' pods. The network policies of OpenBao's operator let pods with these in.
inline constexpr std::string_view openbao_cluster = "openbao.org/cluster", openbao_component = "openbao.org/component";
}  // namespace label

namespace condition_type {
inline constexpr std::string_view restore_complete = "RestoreComplete", operation_lock_override = "OperationLockOverride";
}  // namespace condition_type

}  // namespace kopiur::proto
