#pragma once
#include <string>
#include <string_view>

#include "proto/core/metadata.hpp"

/// All names that the seven kinds put on objects besides their fields, in one place.
namespace kopiur::proto {

inline constexpr std::string_view api_group = "kopiur.home-operations.com";
inline constexpr std::string_view api_version = "kopiur.home-operations.com/v1alpha1";

/// Completes a kind of this group from its names, scope and columns.
constexpr kind_info kopiur_kind(kind_info one) {
  one.api_version = api_version, one.system = "kopiur";
  one.ownership = kind_ownership::Own, one.observes_generation = true;
  return one;
}

/// Annotations, all under the group's prefix.
namespace annotation {
/// `"true"` on a Backup: it may be deleted without a look at the repository (Event SnapshotOrphaned); on a Maintenance: a stuck run is
/// released.
inline constexpr std::string_view skip_snapshot_cleanup = "kopiur.home-operations.com/skip-snapshot-cleanup";
/// `"true"` on a Namespace: movers there may run privileged if the config requests it.
inline constexpr std::string_view privileged_movers = "kopiur.home-operations.com/privileged-movers";
/// On a Backup deleted by kopiur's retention: the BackupConfig or BackupSchedule that decided it. Such deletions do not count towards
/// deletion protection.
inline constexpr std::string_view pruned_by = "kopiur.home-operations.com/pruned-by";
/// On a running object: cancels its run. The value is free text (a reason).
inline constexpr std::string_view cancel_run = "kopiur.home-operations.com/cancel-run";
/// On a Repository or ClusterRepository, RFC 3339: deletions requested up to this time are released.
inline constexpr std::string_view allow_mass_deletion = "kopiur.home-operations.com/allow-mass-deletion";
/// `"true"` on a BackupConfig or ClusterRepository: an edit may change resolved identities although Backups exist.
inline constexpr std::string_view allow_identity_change = "kopiur.home-operations.com/allow-identity-change";
/// On a Restore: when the value changes, a claim that it already filled may be filled again.
inline constexpr std::string_view restore_again = "kopiur.home-operations.com/restore-again";
/// On a Backup that is Held: accepts the shrinkage. The value is the id of its snapshot (`status.shrunk.snapshot`); any other value has no
/// effect, so a copied manifest never releases another Backup.
inline constexpr std::string_view accept_shrink = "kopiur.home-operations.com/accept-shrink";
/// On a Backup created by a schedule: its slot, RFC 3339.
inline constexpr std::string_view slot = "kopiur.home-operations.com/slot";
/// On a Backup created by a schedule: the schedule's uid.
inline constexpr std::string_view schedule_uid = "kopiur.home-operations.com/schedule-uid";
inline constexpr std::string_view group_uid = "kopiur.home-operations.com/group-uid";
/// On a Maintenance: `quick` or `full` and an id; each new value starts one run.
inline constexpr std::string_view run_maintenance = "kopiur.home-operations.com/run-maintenance";
/// On a claim that was created for a Restore: the Restore's uid.
inline constexpr std::string_view made_for = "kopiur.home-operations.com/made-for";
/// On a filled claim: the Restore's name, and the snapshot that it holds (`none`: the repository had none and the claim was left empty).
inline constexpr std::string_view restored_by = "kopiur.home-operations.com/restored-by";
inline constexpr std::string_view restored_snapshot = "kopiur.home-operations.com/restored-snapshot";
/// On a claim: when it was filled, RFC 3339. If several Restores filled it, the last one is named.
inline constexpr std::string_view restored_at = "kopiur.home-operations.com/restored-at";
/// On a claim: the value of `restore-again` for which it was filled.
inline constexpr std::string_view restored_again = "kopiur.home-operations.com/restored-again";
/// On a Repository, ClusterRepository, BackupConfig, BackupSchedule or Maintenance: suspends it like `spec.suspend`, which belongs to the
/// author of the manifest. The value says who did it and when; an empty value suspends nothing (systems/kopiur/rules/suspension.hpp).
inline constexpr std::string_view suspended = "kopiur.home-operations.com/suspended";
/// `"true"` on an object whose file disappeared from the manifest directory: services treat it as suspended (local adapter).
inline constexpr std::string_view manifest_missing = "kopiur.home-operations.com/manifest-missing";
}  // namespace annotation

/// Labels, all under the group's prefix. On Backups they mirror status.
namespace label {
inline constexpr std::string_view repository = "kopiur.home-operations.com/repository";
inline constexpr std::string_view backup_config = "kopiur.home-operations.com/backup-config";
inline constexpr std::string_view backup_schedule = "kopiur.home-operations.com/backup-schedule";
inline constexpr std::string_view origin = "kopiur.home-operations.com/origin";
/// Hash of the resolved `username@hostname:sourcePath`.
inline constexpr std::string_view identity_hash = "kopiur.home-operations.com/identity-hash";
/// Groups the Backups that were created for one slot, or for one manual Backup of several sources.
inline constexpr std::string_view group = "kopiur.home-operations.com/group";
/// On a claim while a group snapshot of it exists. The key is `capture-<hash>`, the name of the VolumeGroupSnapshot; the value is that of
/// `group` on the Backups that read it.
inline constexpr std::string_view capture = "kopiur.home-operations.com/capture-";
/// `"true"` on the Maintenance that catalog-discovery created because a repository had none.
inline constexpr std::string_view default_maintenance = "kopiur.home-operations.com/default";
/// On Jobs, pods, Secret copies and temporary claims: the run that they belong to, and the fence of its lease.
inline constexpr std::string_view run = "kopiur.home-operations.com/run";
inline constexpr std::string_view fence = "kopiur.home-operations.com/fence";
inline constexpr std::string_view managed_by = "app.kubernetes.io/managed-by";
inline constexpr std::string_view managed_by_us = "kopiur";
}  // namespace label

/// First member of a stub: a mirrored object that is too large to be published whole. An API server drops such a member from what users
/// write.
inline constexpr std::string_view too_large = "tooLarge";

namespace finalizer {
/// On a Backup: blocks deletion until its snapshot was handled according to the deletion policy.
inline constexpr std::string_view snapshot_cleanup = "kopiur.home-operations.com/snapshot-cleanup";
/// On a BackupConfig or BackupSchedule whose `on...Delete` is Delete: blocks deletion until its Backups are gone.
inline constexpr std::string_view backups_cleanup = "kopiur.home-operations.com/backups-cleanup";
/// On the Job of a restore into an existing claim, which is submitted once: blocks deletion by any user until its result is recorded. A
/// deleted Job could not be distinguished from one that was never created.
inline constexpr std::string_view mover_result = "kopiur.home-operations.com/mover-result";
}  // namespace finalizer

/// Condition types (metav1). The set of a kind is stable: a condition that does not hold is False, not absent.
namespace condition_type {
inline constexpr std::string_view ready = "Ready", stalled = "Stalled";
// Every kind: False if the object is published as a stub. The gateway states it only after it was False once.
inline constexpr std::string_view mirrored = "Mirrored";
// Repository, ClusterRepository, BackupConfig: False if the object was accepted before a rule became stricter. Stated only after it was
// False once.
inline constexpr std::string_view spec_fit = "SpecFit";
// Repository, ClusterRepository
inline constexpr std::string_view connected = "Connected", maintenance_owned = "MaintenanceOwned", tenancy_enforced = "TenancyEnforced",
                                  password_fit = "PasswordFit";
// BackupConfig; RestBounded is stated only after it was False once
inline constexpr std::string_view repository_reachable = "RepositoryReachable", group_snapshot_supported = "GroupSnapshotSupported",
                                  rest_bounded = "RestBounded";
// Backup
inline constexpr std::string_view sources_quiesced = "SourcesQuiesced", snapshot_created = "SnapshotCreated",
                                  hooks_succeeded = "HooksSucceeded", snapshot_deletion_failed = "SnapshotDeletionFailed",
                                  shrink_accepted = "ShrinkAccepted", empty_source = "EmptySource", names_left_out = "NamesLeftOut";
// BackupSchedule
inline constexpr std::string_view config_resolvable = "ConfigResolvable", backup_skipped = "BackupSkipped";
// Restore
inline constexpr std::string_view ownership_kept = "OwnershipKept";
inline constexpr std::string_view permission_errors_ignored = "PermissionErrorsIgnored";
// Maintenance
inline constexpr std::string_view ownership_claimed = "OwnershipClaimed", ownership_conflict = "OwnershipConflict", allowed = "Allowed";
}  // namespace condition_type

/// Name of the temporary claim that a mover fills for a claim that waits for its data; its volume is handed over afterwards.
inline std::string prime_name(std::string_view claim_uid) { return "prime-" + std::string(claim_uid); }

}  // namespace kopiur::proto
