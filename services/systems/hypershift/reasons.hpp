#pragma once
#include <string_view>

/// The reasons of the condition BackupCompleted (spec/etcd-backup.md B1.1, B1.2). Only the reason of a backup that was refused because of
/// another one differs between the kinds.
namespace kopiur::hypershift::reason {

inline constexpr std::string_view succeeded = "BackupSucceeded", in_progress = "BackupInProgress", failed = "BackupFailed",
                                  unhealthy = "EtcdUnhealthy", rejected = "BackupRejected", already_in_progress = "BackupAlreadyInProgress";

}  // namespace kopiur::hypershift::reason

namespace kopiur::hypershift {

/// Whether a backup that is not completed stays so. EtcdUnhealthy does not say so: etcd may recover until the time is up.
constexpr bool is_final(std::string_view word) {
  return word == reason::failed || word == reason::rejected || word == reason::already_in_progress;
}

}  // namespace kopiur::hypershift
