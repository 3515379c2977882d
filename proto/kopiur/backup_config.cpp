#include "proto/kopiur/backup_config.hpp"

#include "proto/kopiur/kopia_names.hpp"
#include "proto/kopiur/rules.hpp"
#include "proto/snapshot_arguments.hpp"

/// Schema notes for backup_config.hpp.
namespace kopiur::proto {

schema::type_notes notes_of(std::type_identity<identity_override>) {
  return {.text = "User and host that kopia records for the snapshots.",
          .fields = {{"username", "The user. Default: from the ClusterRepository's usernameTemplate, else the name of this BackupConfig.",
                      schema::own_identity_part},
                     {"hostname", "The host. Default: from the ClusterRepository's hostnameTemplate, else this namespace.",
                      schema::own_identity_part}},
          .rules = {schema::filled_in<"username">(), schema::filled_in<"hostname">()}};
}
schema::type_notes notes_of(std::type_identity<pvc_source>) {
  return {.text = "One PersistentVolumeClaim (claim), by name.",
          .fields = {{"name", "Name of the claim, in this namespace.", schema::object_name}}};
}
schema::type_notes notes_of(std::type_identity<pvc_selector_source>) {
  return {.text = "Every claim of this namespace whose labels match.",
          .fields = {{"labelSelector", "Labels of the claims."},
                     {"namespaceSelector", "Not supported in v1alpha1; must not be set."},
                     {"sourcePathStrategy", "Path that kopia records: /pvc/<name> or /pvc/<namespace>/<name>."}},
          .rules = {{.cel = "!has(self.namespaceSelector)",
                     .message = "A mover cannot mount another namespace's claim.",
                     .hint = "Remove namespaceSelector and make a BackupConfig in each namespace.",
                     .field = "namespaceSelector",
                     .holds = [](json::value const& self) { return !schema::has(self, "namespaceSelector"); }}}};
}
schema::type_notes notes_of(std::type_identity<backup_source>) {
  return {.text = "What to back up: exactly one of pvc and pvcSelector.",
          .fields = {{"sourcePathOverride", "The path that kopia records, instead of /pvc/<name>.", schema::recorded_path}},
          .rules = {{.cel = "!has(self.sourcePathOverride) || has(self.pvc)",
                     .message = "One path cannot stand for all claims that a selector finds.",
                     .hint = "Use sourcePathOverride with pvc, or sourcePathStrategy with pvcSelector.",
                     .field = "sourcePathOverride",
                     .holds = [](json::value const& self) { return !schema::has(self, "sourcePathOverride") || schema::has(self, "pvc"); }},
                    {.cel = R"(!has(self.sourcePathOverride) || !self.sourcePathOverride.matches('(^|/)[.][.](/|$)'))",
                     .message = "The path holds `..`.",
                     .hint = "Write the path without `..`.",
                     .field = "sourcePathOverride",
                     .holds = [](json::value const& self) { return !schema::climbs(self.text("sourcePathOverride")); }},
                    schema::filled_in<"sourcePathOverride">()}};
}
schema::type_notes notes_of(std::type_identity<retention_policy>) {
  return {.text =
              "Which Backups are kept. Each rule keeps the newest Backup of each calendar period, for a number of periods. Backups that no "
              "rule keeps are deleted, except the newest of a source, manual and pinned ones.",
          .fields = {{"keepLatest", "Number of newest Backups to keep.", schema::at_least_0},
                     {"keepHourly", "Keep the newest Backup of each hour, for this many hours with Backups.", schema::at_least_0},
                     {"keepDaily", "Keep the newest Backup of each day, for this many days with Backups.", schema::at_least_0},
                     {"keepWeekly", "Keep the newest Backup of each ISO week, for this many ISO weeks with Backups.", schema::at_least_0},
                     {"keepMonthly", "Keep the newest Backup of each month, for this many months with Backups.", schema::at_least_0},
                     {"keepAnnual", "Keep the newest Backup of each year, for this many years with Backups.", schema::at_least_0},
                     {"timezone", "IANA time zone of the calendar periods.", schema::timezone_text}},
          .rules = {{.cel = "(has(self.keepLatest) && self.keepLatest > 0) || (has(self.keepHourly) && self.keepHourly > 0) || "
                            "(has(self.keepDaily) && self.keepDaily > 0) || (has(self.keepWeekly) && self.keepWeekly > 0) || "
                            "(has(self.keepMonthly) && self.keepMonthly > 0) || (has(self.keepAnnual) && self.keepAnnual > 0)",
                     .message = "A retention that keeps nothing would delete every Backup but the newest.",
                     .hint = "Give at least one keep rule above 0, or remove retention: then nothing is ever pruned.",
                     .holds = [](json::value const& self) {
                       for (auto rule : {"keepLatest", "keepHourly", "keepDaily", "keepWeekly", "keepMonthly", "keepAnnual"})
                         if (schema::number(self, rule) > 0) return true;
                       return false;
                     }}}};
}
schema::type_notes notes_of(std::type_identity<compression_policy>) {
  return {.text = "How content is compressed.",
          .fields = {{"compressor", "Kopia's name for the compressor, for example zstd.", {.values = kopia_names::compressors}},
                     {"neverCompress",
                      "File extensions that are not compressed, for example .jpg.",
                      {},
                      {.min_length = 1, .max_length = 64},
                      {},
                      256}}};
}
schema::type_notes notes_of(std::type_identity<ignore_policy>) {
  return {.text = "What is left out, and which errors are ignored.",
          .fields = {{"paths", "Patterns of paths to leave out, as in a .gitignore.", {}, {.min_length = 1, .max_length = 1024}, {}, 256},
                     {"cacheDirs", "Leave out folders that contain a CACHEDIR.TAG file."},
                     {"fileErrors", "A file that cannot be read does not fail the backup."},
                     {"dirErrors", "A folder that cannot be read does not fail the backup."},
                     {"ignoreIdenticalSnapshots", "Record no snapshot if nothing changed."}}};
}
namespace {

/// Other rules refuse arguments with the last two prefixes, with better messages.
bool is_known_argument(std::string_view arg) {
  return is_snapshot_argument(arg) || arg.starts_with("--keep-") || arg.starts_with("--password");
}

}  // namespace
schema::type_notes notes_of(std::type_identity<backup_policy>) {
  return {.text = "Kopia's options for the sources.",
          .fields = {{"compression", "How content is compressed."},
                     {"splitter", "Kopia's name for the splitter of these sources.", {.values = kopia_names::splitters}},
                     {"ignore", "What is left out, and which errors are ignored."},
                     {"shrinkHold",
                      "Percent of the files or bytes of the snapshot before it. A snapshot with less is Held until a user accepts it. "
                      "Checked only if the snapshot before had at least 20 files or 10 MiB. 0: never held.",
                      {.min = 0, .max = 100}},
                     {"extraArgs",
                      "Further arguments of `kopia snapshot create`: --parallel=, --force-hash=, --log-dir-detail=, --log-entry-detail=, "
                      "--fail-fast and --no-fail-fast.",
                      {},
                      {.min_length = 1, .max_length = 1024},
                      {},
                      32}},
          .rules = {{.cel = "!has(self.extraArgs) || self.extraArgs.all(arg, !arg.startsWith('--keep-'))",
                     .message = "Kopia's own retention would delete snapshots behind the Backup objects.",
                     .hint = "Use spec.retention.",
                     .field = "extraArgs",
                     .holds =
                         [](json::value const& self) {
                           return schema::all_texts(self, "extraArgs", [](std::string_view arg) { return !arg.starts_with("--keep-"); });
                         }},
                    {.cel = "!has(self.extraArgs) || self.extraArgs.all(arg, !arg.startsWith('--password'))",
                     .message = "A password would stand in the object for all to read.",
                     .hint = "The password comes from the repository's Secret; remove the argument.",
                     .field = "extraArgs",
                     .holds =
                         [](json::value const& self) {
                           return schema::all_texts(self, "extraArgs", [](std::string_view arg) { return !arg.starts_with("--password"); });
                         }},
                    {.cel = "!has(self.extraArgs) || self.extraArgs.all(arg, arg in ['--fail-fast', '--no-fail-fast'] || ['--parallel=', "
                            "'--force-hash=', '--log-dir-detail=', '--log-entry-detail=', '--keep-', '--password'].exists(known, "
                            "arg.startsWith(known)))",
                     .message = "The mover takes no such argument.",
                     .hint = "Use one of those that the field's description names.",
                     .field = "extraArgs",
                     .holds = [](json::value const& self) { return schema::all_texts(self, "extraArgs", is_known_argument); }}}};
}
schema::type_notes notes_of(std::type_identity<backup_config_spec>) {
  return {
      .text = "What to back up, and how.",
      .fields = {
          {"repository", "Repository that stores the snapshots."},
          {"identity", "User and host that kopia records for the snapshots; fixed when they are first resolved."},
          {"sources", "What to back up; each claim gets its own snapshot.", {}, {}, 1, 100, {}, true},
          {"copyMethod",
           "How a point-in-time copy of the volume is taken: Snapshot, Clone, or Direct (no copy). Default in a cluster: global.copyMethod "
           "of kopiur's chart; outside a cluster: Direct."},
          {"volumeSnapshotClassName", "VolumeSnapshotClass of the volume snapshots. Default: the default class of the volume's driver.",
           schema::object_name},
          {"groupBy",
           "VolumeGroupSnapshot captures all claims at one instant, None one by one. If VolumeGroupSnapshot fails, the Backup fails; "
           "kopiur does not fall back to None. Default with copyMethod Snapshot: global.groupBy of kopiur's chart; otherwise None."},
          {"retention", "Which Backups are kept. Default: all; nothing is pruned."},
          {"defaultDeletionPolicy", "What happens to the snapshot of a deleted Backup that does not set deletionPolicy. Default: Delete."},
          {"onConfigDelete", "What happens to the Backups when this BackupConfig is deleted."},
          {"policy", "Kopia's options for the sources."},
          {"hooks", "Actions before and after the snapshot."},
          {"mover", "Options of the movers, the pods that run kopia."},
          {"failurePolicy", "Retries and deadlines of Backups that do not set their own."},
          {"suspend", "Start nothing for this BackupConfig. `kopiur suspend` has the same effect without changing this field."}}};
}
schema::type_notes notes_of(std::type_identity<resolved_source>) {
  return {.text = "One claim that the sources resolved to.",
          .fields = {{"pvcName", "Name of the claim."}, {"sourcePath", "The path that kopia records for it."}}};
}
schema::type_notes notes_of(std::type_identity<resolved_identity>) {
  return {.text = "Identity of the snapshots; written once, then never computed again.",
          .fields = {{"username", "The user that kopia records."},
                     {"hostname", "The host that kopia records."},
                     {"sources", "The claims and their paths."}}};
}
schema::type_notes notes_of(std::type_identity<backup_config_resolved>) {
  return {.text = "Resolved values of the spec, including defaults.",
          .fields = {{"identity", "The identity of the snapshots."},
                     {"repository", "The repository that spec.repository refers to."},
                     {"copyMethod", "How a point-in-time copy of the volume is taken."},
                     {"groupBy", "Whether several claims are captured together."}}};
}
schema::type_notes notes_of(std::type_identity<retention_status>) {
  return {.text = "Result of retention.",
          .fields = {
              {"activeBackupCount", "Succeeded Backups that have a snapshot and are kept, including those that retention never deletes."},
              {"lastPruneAt", "When Backups were last pruned."},
              {"lastPruneDeleted", "Number of Backups pruned then."}}};
}
schema::type_notes notes_of(std::type_identity<backup_mark>) {
  return {.text = "A Backup, and when it ended.", .fields = {{"at", "When the Backup ended."}, {"backupRef", "Name of the Backup."}}};
}
schema::type_notes notes_of(std::type_identity<backup_config_status>) {
  return {.text = "State of the BackupConfig.",
          .fields = {{"observedGeneration", "The metadata.generation that this status describes."},
                     {"resolved", "Resolved values of the spec, including defaults."},
                     {"retention", "Result of retention."},
                     {"lastSuccessfulBackup", "The newest Backup that succeeded."},
                     {"conditions",
                      "Ready, RepositoryReachable, GroupSnapshotSupported. SpecFit and RestBounded appear only once they were False.",
                      {},
                      {},
                      {},
                      {},
                      "type"}}};
}
schema::type_notes notes_of(std::type_identity<backup_config>) {
  return {.text = "BackupConfig says what to back up, and how. A BackupSchedule or a Backup starts it.", .rules = {same_namespace_rule()}};
}

}  // namespace kopiur::proto
