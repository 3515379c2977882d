#include "proto/kopiur/restore.hpp"

#include "proto/kopiur/rules.hpp"

/// Schema notes for restore.hpp.
namespace kopiur::proto {

schema::type_notes notes_of(std::type_identity<backup_ref_source>) {
  return {.text = "The snapshot of a Backup of this namespace.",
          .fields = {{"name", "Name of the Backup.", schema::object_name},
                     {"sourcePath", "Which sibling, where the Backup stands for several sources.", schema::path_text}}};
}
schema::type_notes notes_of(std::type_identity<from_config_source>) {
  using schema::has;
  return {
      .text = "The newest snapshot of a recipe of this namespace, or an older one.",
      .fields = {{"name", "Name of the BackupConfig.", schema::object_name},
                 {"sourcePath", "Which source, where the recipe has several.", schema::path_text},
                 {"sourcePathFrom", "claimName: the source whose claim has the name of the claim that is filled; passive Restores only."},
                 {"asOf", "The newest snapshot that is not younger than this."},
                 {"offset", "How many snapshots back from the newest; 0 is the newest.", schema::at_least_0}},
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
      .text = "A snapshot by what kopia recorded, taken by any program.",
      .fields =
          {{"username", "The user that kopia recorded.", schema::identity_part},
           {"hostname", "The host that kopia recorded.", schema::identity_part},
           {"sourcePath", "The path that kopia recorded.", schema::path_text},
           {"snapshotID",
            "Exactly this snapshot.",
            {.min_length = 1, .max_length = 64, .pattern = R"(^[A-Za-z0-9]+$)", .pattern_says = "a kopia snapshot id: letters and digits"}},
           {"asOf", "The newest snapshot that is not younger than this."},
           {"offset", "How many snapshots back from the newest; 0 is the newest.", schema::at_least_0}},
      .rules = {{.cel = "[has(self.snapshotID), has(self.asOf), has(self.offset)].filter(given, given).size() <= 1",
                 .message = "A snapshot is found in one way: by id, by time, or by its place in the row.",
                 .hint = "Keep one of snapshotID, asOf and offset; with none it is the newest.",
                 .holds = [](json::value const& self) { return has(self, "snapshotID") + has(self, "asOf") + has(self, "offset") <= 1; }}}};
}
schema::type_notes notes_of(std::type_identity<new_claim>) {
  return {.text = "A claim that is made for the restore, and stays when the Restore goes.",
          .fields = {{"name", "Name of the new claim.", schema::object_name},
                     {"storageClassName", "Its storage class; absent: the cluster's default.", schema::object_name},
                     {"capacity", "Its size, as in 10Gi; a cluster needs it, the local adapter does not.", schema::quantity},
                     {"accessModes", "Its access modes; absent: ReadWriteOnce.", {}, {}, {}, 4}}};
}
schema::type_notes notes_of(std::type_identity<existing_claim>) {
  return {.text = "A claim that exists. The restore waits while a running pod mounts it.",
          .fields = {{"name", "Name of the claim.", schema::object_name}}};
}
schema::type_notes notes_of(std::type_identity<restore_policy>) {
  return {.text = "What to do while there is nothing to restore yet.",
          .fields = {
              {"onMissingSnapshot", "Fail, or Continue with an empty volume when the repository could be read and has no such snapshot."},
              {"waitTimeout",
               "How long to wait for a snapshot, from when the repository is Ready and the claim exists. Absent: 5m under Fail; under "
               "Continue a complete list without the snapshot decides at once."}}};
}
schema::type_notes notes_of(std::type_identity<restore_spec>) {
  using schema::has;
  return {
      .text = "What to restore, and where to.",
      .fields =
          {{"repository", "Needed with source.identity; else it follows from the source."},
           {"source", "Which snapshot: exactly one of backupRef, fromConfig, identity."},
           {"target",
            "Where to: pvc (made for you) or pvcRef (exists). Absent: passive, waits for claims whose dataSourceRef names this Restore."},
           {"options", "How files are written."},
           {"policy", "What to do while there is nothing to restore yet."},
           {"mover", "How its mover runs; absent: as those of the recipe by which it was backed up."},
           {"failurePolicy", "How often it is tried, and for how long."},
           {"dryRun", "Write nothing: say in status.plan what would be done. Set it to false to have it done."}},
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
  return {.text = "What is restored: pinned once, never drifts.",
          .fields = {{"resolution", "Snapshot, or NoSnapshot: there was none, and that is pinned too."},
                     {"backupRef", "The Backup, where there is one."},
                     {"repository", "The repository."},
                     {"identity", "What kopia recorded as the source."},
                     {"snapshotID", "The snapshot's manifest id."},
                     {"passedOver", "Newer snapshots that were not taken for the newest, with why; three at most.", {}, {}, {}, 3},
                     {"pinnedAt", "When it was pinned."}}};
}
schema::type_notes notes_of(std::type_identity<restore_target_status>) {
  return {.text = "The claims.",
          .fields = {{"pvcPrime", "The claim that is written before its volume moves."}, {"pvcRef", "The user's claim."}}};
}
schema::type_notes notes_of(std::type_identity<execution_receipt>) {
  return {.text = "How far the one run came; written before what cannot be undone.",
          .fields = {{"runID", "The run."},
                     {"stage", "Prepared, Committed, Created, TerminalObserved or FollowThroughComplete."},
                     {"attempt", "Which attempt; 0: none has begun.", schema::at_least_0},
                     {"jobName", "The Job."}}};
}
schema::type_notes notes_of(std::type_identity<restore_progress>) {
  return {.text = "How far a running restore is.",
          .fields = {{"bytesRestored", "Bytes written."},
                     {"filesRestored", "Files written."},
                     {"percent", "Where it can be told.", {.min = 0, .max = 100}}}};
}
schema::type_notes notes_of(std::type_identity<served_claim>) {
  return {.text = "One claim that a passive Restore serves.",
          .fields = {{"name", "Name of the claim.", {}, {}, {}, {}, {}, true},
                     {"uid", "Its uid."},
                     {"phase", "How far it is."},
                     {"resolved", "What it gets."},
                     {"pvcPrime", "The claim that is written before its volume moves."},
                     {"message", "Why it waits, or why it failed."}}};
}
schema::type_notes notes_of(std::type_identity<restore_status>) {
  return {.text = "State of the restore.",
          .fields = {{"observedGeneration", "The metadata.generation that this status is about."},
                     {"phase", "Pending, Resolving, Restoring, Completed or Failed."},
                     {"resolved", "What is restored: pinned once, never drifts."},
                     {"plan", "What would be done; of a dry run."},
                     {"target", "The claims."},
                     {"timing", "When it began and ended."},
                     {"waitStartedAt", "When the waiting for a snapshot began to count."},
                     {"execution", "How far the one run came."},
                     {"progress", "How far it is."},
                     {"ownership", "Owners and modes of what was written, compared with the snapshot's; absent: not known."},
                     {"failure", "Why it failed."},
                     {"logTail", "The last 4 KiB of the mover's output.", {.max_length = 8192}},
                     {"claims", "Passive: the claims that it serves.", {}, {}, {}, {}, "name"},
                     {"conditions",
                      "Ready; OwnershipKept once files are written; PermissionErrorsIgnored when it mattered.",
                      {},
                      {},
                      {},
                      {},
                      "type"}}};
}
schema::type_notes notes_of(std::type_identity<restore>) {
  schema::type_notes out{.text = "Restore is one restore of a snapshot: into a claim, or waiting for claims that name it as their source."};
  out.rules = {same_namespace_rule()};
  return out;
}

}  // namespace kopiur::proto
