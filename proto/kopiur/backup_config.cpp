#include "proto/kopiur/backup_config.hpp"

#include "proto/kopiur/kopia_names.hpp"
#include "proto/kopiur/rules.hpp"
#include "proto/snapshot_arguments.hpp"

/// Schema notes for backup_config.hpp.
namespace kopiur::proto {

schema::type_notes notes_of(std::type_identity<identity_override>) {
  return {.text = "Who kopia says took the snapshots.",
          .fields = {{"username", "The user; default: the name of this object, or what the ClusterRepository's template makes.",
                      schema::own_identity_part},
                     {"hostname", "The host; default: this namespace, or what the ClusterRepository's template makes.",
                      schema::own_identity_part}},
          .rules = {schema::filled_in<"username">(), schema::filled_in<"hostname">()}};
}
schema::type_notes notes_of(std::type_identity<pvc_source>) {
  return {.text = "One claim, by name.", .fields = {{"name", "Name of the claim, in this namespace.", schema::object_name}}};
}
schema::type_notes notes_of(std::type_identity<pvc_selector_source>) {
  return {.text = "Every claim of this namespace that matches.",
          .fields = {{"labelSelector", "Which claims."},
                     {"namespaceSelector", "Refused in v1alpha1."},
                     {"sourcePathStrategy", "How kopia's path is made: /pvc/<name> or /pvc/<namespace>/<name>."}},
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
  return {.text = "Which Backups are kept: each rule keeps the newest of its newest calendar buckets; what no rule keeps is deleted.",
          .fields = {{"keepLatest", "How many of the newest Backups.", schema::at_least_0},
                     {"keepHourly", "For how many hours the newest Backup of each.", schema::at_least_0},
                     {"keepDaily", "For how many days the newest Backup of each.", schema::at_least_0},
                     {"keepWeekly", "For how many ISO weeks the newest Backup of each.", schema::at_least_0},
                     {"keepMonthly", "For how many months the newest Backup of each.", schema::at_least_0},
                     {"keepAnnual", "For how many years the newest Backup of each.", schema::at_least_0},
                     {"timezone", "Whose calendar counts, an IANA time zone.", schema::timezone_text}},
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
  return {
      .text = "How content is compressed.",
      .fields = {
          {"compressor", "Kopia's name of the compressor, as in zstd.", {.values = kopia_names::compressors}},
          {"neverCompress", "Extensions of files that are not compressed, as in .jpg.", {}, {.min_length = 1, .max_length = 64}, {}, 256}}};
}
schema::type_notes notes_of(std::type_identity<ignore_policy>) {
  return {
      .text = "What is left out, and what is overlooked.",
      .fields = {{"paths", "Patterns of paths that are left out, as in a .gitignore.", {}, {.min_length = 1, .max_length = 1024}, {}, 256},
                 {"cacheDirs", "Leave out folders that carry a CACHEDIR.TAG."},
                 {"fileErrors", "A file that cannot be read does not fail the backup."},
                 {"dirErrors", "A folder that cannot be read does not fail the backup."},
                 {"ignoreIdenticalSnapshots", "Record no snapshot where nothing changed."}}};
}
namespace {

/// Other rules refuse arguments with the last two prefixes, with better messages.
bool is_known_argument(std::string_view arg) {
  return is_snapshot_argument(arg) || arg.starts_with("--keep-") || arg.starts_with("--password");
}

}  // namespace
schema::type_notes notes_of(std::type_identity<backup_policy>) {
  return {.text = "What kopia is told about the sources.",
          .fields = {{"compression", "How content is compressed."},
                     {"splitter", "Kopia's name of the splitter of these sources.", {.values = kopia_names::splitters}},
                     {"ignore", "What is left out, and what is overlooked."},
                     {"shrinkHold",
                      "Percent. A snapshot with less than this of the files or bytes of the one before it is held until it is accepted, "
                      "where that one had at least 20 files or 10 MiB; 0: none is held.",
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
  return {.text = "What to back up, and how.",
          .fields = {{"repository", "Where the snapshots go."},
                     {"identity", "Who kopia says took the snapshots; fixed by the first resolution."},
                     {"sources", "What to back up; each resolved claim becomes a snapshot of its own.", {}, {}, 1, 100, {}, true},
                     {"copyMethod",
                      "Snapshot (default on a cluster), Clone, or Direct (default outside one): how a still picture of the volume is had."},
                     {"volumeSnapshotClassName", "Class of the volume snapshots; absent: the driver's default.", schema::object_name},
                     {"groupBy", "VolumeGroupSnapshot captures several claims at one instant; None one by one. Never falls back silently."},
                     {"retention", "Which Backups are kept; absent: nothing is ever pruned."},
                     {"defaultDeletionPolicy", "What becomes of the snapshot of a deleted Backup that says nothing itself."},
                     {"onConfigDelete", "What becomes of the Backups when this object is deleted."},
                     {"policy", "What kopia is told about the sources."},
                     {"hooks", "What is done around the snapshot."},
                     {"mover", "How movers run."},
                     {"failurePolicy", "How often its Backups are tried, and for how long, where they do not say it themselves."},
                     {"suspend", "Pauses everything that this recipe would start; kopiur suspend does the same without a change here."}}};
}
schema::type_notes notes_of(std::type_identity<resolved_source>) {
  return {.text = "One claim that the sources came to.",
          .fields = {{"pvcName", "Name of the claim."}, {"sourcePath", "The path that kopia records for it."}}};
}
schema::type_notes notes_of(std::type_identity<resolved_identity>) {
  return {.text = "Written once, never rendered again.",
          .fields = {{"username", "The user that kopia records."},
                     {"hostname", "The host that kopia records."},
                     {"sources", "Claims and their paths."}}};
}
schema::type_notes notes_of(std::type_identity<backup_config_resolved>) {
  return {.text = "What was decided where the spec leaves it open.",
          .fields = {{"identity", "The identity of the snapshots."},
                     {"repository", "The repository."},
                     {"copyMethod", "How a still picture of the volume is had."},
                     {"groupBy", "Whether several claims are captured together."}}};
}
schema::type_notes notes_of(std::type_identity<retention_status>) {
  return {.text = "What retention did.",
          .fields = {{"activeBackupCount", "Backups that have a snapshot and are kept, those that retention never takes too."},
                     {"lastPruneAt", "When Backups were last pruned."},
                     {"lastPruneDeleted", "How many that were."}}};
}
schema::type_notes notes_of(std::type_identity<backup_mark>) {
  return {.text = "A Backup, and when it ended.", .fields = {{"at", "When it ended."}, {"backupRef", "Name of the Backup."}}};
}
schema::type_notes notes_of(std::type_identity<backup_config_status>) {
  return {.text = "State of the recipe.",
          .fields = {{"observedGeneration", "The metadata.generation that this status is about."},
                     {"resolved", "What was decided where the spec leaves it open."},
                     {"retention", "What retention did."},
                     {"lastSuccessfulBackup", "The newest Backup that succeeded."},
                     {"conditions",
                      "Ready, RepositoryReachable, GroupSnapshotSupported, and SpecFit and RestBounded where they are not.",
                      {},
                      {},
                      {},
                      {},
                      "type"}}};
}
schema::type_notes notes_of(std::type_identity<backup_config>) {
  return {.text = "BackupConfig is the recipe: what to back up, and how. It runs nothing by itself.", .rules = {same_namespace_rule()}};
}

}  // namespace kopiur::proto
