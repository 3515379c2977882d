#include "proto/kopiur/restore.hpp"

#include "proto/kopiur/longest.hpp"
#include "proto/kopiur/rules.hpp"

/// Schema notes for restore.hpp.
namespace kopiur::proto {

schema::type_notes notes_of(std::type_identity<backup_ref_source>) {
  return {.text = "The snapshot of a Backup of this namespace.",
          .fields = {{"name", "Name of the Backup.", schema::object_name},
                     {"sourcePath", "Path of the source to restore, if the Backup has several sources.", schema::path_text}}};
}
schema::type_notes notes_of(std::type_identity<from_config_source>) {
  using schema::has;
  return {.text = "The newest snapshot of a BackupConfig of this namespace, or an older one.",
          .fields = {{"name", "Name of the BackupConfig.", schema::object_name},
                     {"sourcePath", "Path of the source to restore, if the BackupConfig has several.", schema::path_text},
                     {"sourcePathFrom", "claimName: the source whose claim has the same name as the claim to fill. Passive Restores only."},
                     {"asOf", "Restore the newest snapshot that ended at or before this time."},
                     {"offset", "Number of snapshots to go back from the newest; 0 is the newest.", schema::at_least_0}},
          .rules = {{.cel = "!has(self.asOf) || self.offset == 0",
                     .message = "A snapshot is found by its time or by its place in the row, not by both.",
                     .hint = "Remove asOf or offset.",
                     .field = "offset",
                     .holds = [](json::value const& self) { return !has(self, "asOf") || schema::number(self, "offset") == 0; }},
                    {.cel = "!(has(self.sourcePath) && has(self.sourcePathFrom))",
                     .message = "The source is named, or follows from the claim, not both.",
                     .hint = "Remove sourcePath or sourcePathFrom.",
                     .field = "sourcePathFrom",
                     .holds = [](json::value const& self) { return !(has(self, "sourcePath") && has(self, "sourcePathFrom")); }}}};
}
schema::type_notes notes_of(std::type_identity<identity_source>) {
  using schema::has;
  return {
      .text = "A snapshot by the identity that kopia recorded; any program may have taken it.",
      .fields =
          {{"username", "The user that kopia recorded.", schema::identity_part},
           {"hostname", "The host that kopia recorded.", schema::identity_part},
           {"sourcePath", "The path that kopia recorded.", schema::path_text},
           {"snapshotID",
            "Kopia's id of the snapshot.",
            {.min_length = 1, .max_length = 64, .pattern = R"(^[A-Za-z0-9]+$)", .pattern_says = "a kopia snapshot id: letters and digits"}},
           {"asOf", "Restore the newest snapshot that ended at or before this time."},
           {"offset", "Number of snapshots to go back from the newest; 0 is the newest.", schema::at_least_0}},
      .rules = {{.cel = "[has(self.snapshotID), has(self.asOf), has(self.offset)].filter(given, given).size() <= 1",
                 .message = "A snapshot is found in one way: by id, by time, or by its place in the row.",
                 .hint = "Keep one of snapshotID, asOf and offset; with none it is the newest.",
                 .holds = [](json::value const& self) { return has(self, "snapshotID") + has(self, "asOf") + has(self, "offset") <= 1; }}}};
}
schema::type_notes notes_of(std::type_identity<new_claim>) {
  return {
      .text = "A claim that is created for the restore, and kept when the Restore is deleted.",
      .fields = {{"name", "Name of the new claim.", schema::object_name},
                 {"storageClassName", "Its storage class. Default: the cluster's default.", schema::object_name},
                 {"capacity", "Its size, for example 10Gi. Required in a cluster; the local adapter does not need it.", schema::quantity},
                 {"accessModes", "Its access modes. Default: ReadWriteOnce.", {}, {}, {}, 4}}};
}
schema::type_notes notes_of(std::type_identity<existing_claim>) {
  return {.text = "An existing claim. The restore waits while a running pod mounts it.",
          .fields = {{"name", "Name of the claim.", schema::object_name}}};
}
schema::type_notes notes_of(std::type_identity<restore_policy>) {
  return {
      .text = "What to do while the snapshot does not exist.",
      .fields = {{"onMissingSnapshot", "Fail, or Continue with an empty volume if the repository could be read and has no such snapshot."},
                 {"waitTimeout",
                  "How long to wait for a snapshot, counted from when the repository is Ready and the claim exists. Default with Fail: 5m. "
                  "Default with Continue: no wait after a complete list without the snapshot.",
                  schema::up_to(longest::wait)}}};
}
schema::type_notes notes_of(std::type_identity<restore_spec>) {
  using schema::has;
  return {
      .text = "What to restore, and where.",
      .fields = {{"repository", "Repository of the snapshot. Required with source.identity; otherwise it follows from the source."},
                 {"source", "Which snapshot: exactly one of backupRef, fromConfig, identity."},
                 {"target",
                  "Claim to restore into: pvc (new) or pvcRef (existing). Not set: the Restore is passive and fills claims whose "
                  "dataSourceRef names it."},
                 {"options", "How files are written."},
                 {"policy", "What to do while the snapshot does not exist."},
                 {"mover", "Options of the mover, the pod that runs kopia. Default: those of the BackupConfig that took the backup."},
                 {"failurePolicy", "Retries and deadlines of this Restore."},
                 {"dryRun", "Write nothing; report in status.plan what the restore would do. Set it to false to run the restore."}},
      .rules = {{.cel = "!has(self.source.identity) || has(self.repository)",
                 .message = "An identity says nothing about where its snapshots are.",
                 .hint = "Add spec.repository.",
                 .field = "repository",
                 .holds = [](json::value const& self) { return !has(self, "source.identity") || has(self, "repository"); }},
                {.cel = "!has(self.target) || !has(self.source.fromConfig) || !has(self.source.fromConfig.sourcePathFrom)",
                 .message = "sourcePathFrom follows the claim that a passive Restore fills, and this one has a target.",
                 .hint = "Name the source in sourcePath, or remove target.",
                 .field = "source.fromConfig.sourcePathFrom",
                 .holds = [](json::value const& self) { return !has(self, "target") || !has(self, "source.fromConfig.sourcePathFrom"); }}}};
}
schema::type_notes notes_of(std::type_identity<restore_resolved>) {
  return {.text = "What is restored: chosen once, then never changed.",
          .fields = {{"resolution", "Snapshot, or NoSnapshot if none existed; this is never changed either."},
                     {"backupRef", "Backup of the snapshot, if there is one."},
                     {"repository", "The repository that stores the snapshot."},
                     {"identity", "Source that kopia recorded: user, host and path."},
                     {"snapshotID", "The snapshot's manifest id."},
                     {"passedOver", "Newer snapshots that were skipped, with the reasons; at most three.", {}, {}, {}, 3},
                     {"pinnedAt", "When the snapshot was chosen."}}};
}
schema::type_notes notes_of(std::type_identity<restore_target_status>) {
  return {.text = "Claims of the restore.",
          .fields = {{"pvcPrime", "Temporary claim that the mover writes; its volume is then handed over to the user's claim."},
                     {"pvcRef", "The user's claim."}}};
}
schema::type_notes notes_of(std::type_identity<execution_receipt>) {
  return {.text = "Progress of the run; recorded before each step that cannot be undone.",
          .fields = {{"runID", "Id of the run."},
                     {"stage", "Prepared, Committed, Created, TerminalObserved or FollowThroughComplete."},
                     {"attempt", "Number of the attempt; 0: none has begun.", schema::at_least_0},
                     {"jobName", "Name of the Job."}}};
}
schema::type_notes notes_of(std::type_identity<restore_progress>) {
  return {.text = "Progress of a running restore.",
          .fields = {{"bytesRestored", "Bytes written."},
                     {"filesRestored", "Files written."},
                     {"percent", "Percent done, if known.", {.min = 0, .max = 100}}}};
}
schema::type_notes notes_of(std::type_identity<served_claim>) {
  return {.text = "One claim that a passive Restore fills.",
          .fields = {{"name", "Name of the claim.", {}, {}, {}, {}, {}, true},
                     {"uid", "uid of the claim."},
                     {"phase", "Pending, Resolving, Restoring, Completed or Failed."},
                     {"resolved", "What this claim is filled with."},
                     {"pvcPrime", "Temporary claim that the mover writes; its volume is then handed over to this claim."},
                     {"message", "State of the claim as a sentence, for example why it waits or why it failed."}}};
}
schema::type_notes notes_of(std::type_identity<restore_status>) {
  return {.text = "State of the restore.",
          .fields = {{"observedGeneration", "The metadata.generation that this status describes."},
                     {"phase", "Pending, Resolving, Restoring, Completed or Failed."},
                     {"resolved", "What is restored: chosen once, then never changed."},
                     {"plan", "Dry run only: what the restore would do."},
                     {"target", "Claims of the restore."},
                     {"timing", "When the restore began and ended."},
                     {"waitStartedAt", "When the wait for a snapshot began."},
                     {"execution", "Progress of the run."},
                     {"progress", "Progress of the restore."},
                     {"ownership", "Owners, groups and modes of the written files, compared with the snapshot. Not set: unknown."},
                     {"failure", "Why the restore failed."},
                     {"logTail", "The last 4 KiB of the mover's output.", {.max_length = 8192}},
                     {"claims", "Passive Restore: the claims that it fills.", {}, {}, {}, {}, "name"},
                     {"conditions",
                      "Ready; OwnershipKept once files are written; PermissionErrorsIgnored if owners or modes could not be set.",
                      {},
                      {},
                      {},
                      {},
                      "type"}}};
}
schema::type_notes notes_of(std::type_identity<restore>) {
  schema::type_notes out{.text = "Restore restores one snapshot into a claim, or fills the claims that name it as their data source."};
  out.rules = {same_namespace_rule()};
  return out;
}

}  // namespace kopiur::proto
