#include "proto/kopiur/backup.hpp"

#include "proto/schema/notes.hpp"

/// Schema notes for backup.hpp.
namespace kopiur::proto {

schema::type_notes notes_of(std::type_identity<import_history>) {
  return {.text = "Imported history: a real snapshot with a time in the past.",
          .fields = {{"at", "Start and end time to record for the snapshot."},
                     {"from",
                      "Where the files are: in a cluster a claim of this namespace, outside a cluster a folder of the host.",
                      {.min_length = 1, .max_length = 4096}}}};
}
schema::type_notes notes_of(std::type_identity<backup_spec>) {
  return {.text =
              "What to back up. Not set on a discovered Backup. Once the phase has left Pending, only failurePolicy, deletionPolicy and "
              "pin can change.",
          .fields = {{"configRef", "BackupConfig of this namespace that says what to back up, and how."},
                     {"sourcePath",
                      "Path of one source of the BackupConfig. Default: all sources; if there are several, each gets a sibling Backup.",
                      schema::path_text},
                     {"import", "Set by `kopiur import`: imports history."},
                     {"tags", "Tags that kopia stores with the snapshot.", {}, {.max_length = 256}, {}, 10},
                     {"failurePolicy", "Retries and deadlines of this Backup."},
                     {"deletionPolicy",
                      "What happens to the snapshot when this Backup is deleted: Delete, Retain or Orphan. Retain and Orphan keep it; "
                      "Orphan also sets status.orphaned. Default: the BackupConfig's defaultDeletionPolicy, else Delete."},
                     {"pin", "Retention never deletes this Backup. If a user deletes it, its snapshot is not deleted while pin is true."}},
          .rules = {{.cel = "!has(self.tags) || self.tags.all(tag, !tag.startsWith('kopiur') && !tag.contains(':'))",
                     .message = "Tags that begin with `kopiur` are ours, and kopia separates key and value with a colon.",
                     .hint = "Choose other names.",
                     .field = "tags",
                     .holds = [](json::value const& self) {
                       auto* tags = self.find("tags");
                       if (!tags || !tags->as_object()) return true;
                       for (auto& [tag, value] : *tags->as_object())
                         if (tag.starts_with("kopiur") || tag.find(':') != tag.npos) return false;
                       return true;
                     }}}};
}
schema::type_notes notes_of(std::type_identity<backup_snapshot>) {
  return {.text = "The kopia snapshot of this Backup.",
          .fields = {{"kopiaSnapshotID", "Kopia's manifest id."}, {"identity", "Source that kopia records: user, host and path."}}};
}
schema::type_notes notes_of(std::type_identity<backup_progress>) {
  return {.text = "Progress of a running Backup.",
          .fields = {{"percent", "Percent done, if known.", {.min = 0, .max = 100}},
                     {"bytesHashed", "Bytes read and hashed."},
                     {"bytesUploaded", "Bytes uploaded to the repository."},
                     {"filesProcessed", "Files processed."},
                     {"updatedAt", "When this progress was reported."}}};
}
schema::type_notes notes_of(std::type_identity<backup_job>) {
  return {.text = "The Job of this Backup.",
          .fields = {{"name", "Name of the current or last Job."}, {"attempts", "Number of attempts started."}}};
}
schema::type_notes notes_of(std::type_identity<resolved_config>) {
  return {.text = "The version of the BackupConfig that was used.",
          .fields = {{"name", "Name of the BackupConfig."},
                     {"uid", "uid of the BackupConfig."},
                     {"generation", "metadata.generation of the BackupConfig."}}};
}
schema::type_notes notes_of(std::type_identity<backup_resolved>) {
  return {.text = "Values of the BackupConfig, fixed when the Backup ran.",
          .fields = {{"deletionPolicy", "What happens to the snapshot when this Backup is deleted and spec.deletionPolicy is not set."},
                     {"repository", "The repository that stores the snapshot."},
                     {"identity", "Source that kopia records: user, host and path."},
                     {"config", "The BackupConfig, at the version that was used."},
                     {"pvcName", "The claim that is backed up."},
                     {"copyMethod", "How a point-in-time copy of the volume is taken."},
                     {"groupBy", "Whether several claims are captured together."},
                     {"volumeSnapshotClassName", "VolumeSnapshotClass of the volume snapshot."},
                     {"policy", "Kopia's options for the source."}}};
}
schema::type_notes notes_of(std::type_identity<backup_status>) {
  return {
      .text = "State of the Backup.",
      .fields = {
          {"observedGeneration", "The metadata.generation that this status describes."},
          {"phase",
           "Pending, Running, Succeeded, Failed, Held (the snapshot shrank, and no user has accepted that), Deleting or Discovered."},
          {"origin", "Origin of the Backup: scheduled, manual, discovered or imported."},
          {"snapshot", "The kopia snapshot of this Backup."},
          {"timing", "When the Backup began and ended."},
          {"stats", "Size of the snapshot, and what is new in it."},
          {"shrunk", "Set if the snapshot is much smaller than the newest good one before it; stays set after that was accepted."},
          {"leftOut", "What is missing from the snapshot because kopia cannot store its name, or because it belongs to kopiur."},
          {"progress", "Progress of the Backup."},
          {"job", "The Job of this Backup."},
          {"resolved", "Values of the BackupConfig, fixed when the Backup ran."},
          {"failure", "Why the Backup failed."},
          {"logTail", "The last 4 KiB of the mover's output.", {.max_length = 8192}},
          {"orphaned", "True if this Backup was deleted with policy Orphan: its snapshot stays in the repository and was not checked."},
          {"conditions",
           "Ready, SourcesQuiesced, SnapshotCreated, HooksSucceeded, SnapshotDeletionFailed, ShrinkAccepted, EmptySource, NamesLeftOut.",
           {},
           {},
           {},
           {},
           "type"}}};
}

namespace {

/// Whether a Backup was discovered: by its status or, while it has none, by its label.
bool discovered(json::value const& self) {
  if (schema::has(self, "status.origin")) return self.text("status.origin") == "discovered";
  auto* labels = self.at("metadata.labels");
  auto* origin = labels ? labels->find(label::origin) : nullptr;
  return origin && *origin == json::value("discovered");
}

constexpr std::string_view frozen_message =
    "The Backup has started, and what it does cannot change any more (only failurePolicy, deletionPolicy and pin can).";
constexpr std::string_view frozen_hint = "Put the old value back; for something else make another Backup.";

bool started(json::value const& old) { return schema::has(old, "status.phase") && old.text("status.phase") != "Pending"; }
bool kept(json::value const& self, json::value const& old, std::string_view field) {
  auto *now = self.at(field), *before = old.at(field);
  return !started(old) || (!now && !before) || (now && before && *now == *before);
}
/// CEL: once the Backup has started, `field` (spelled as in CEL) is unchanged.
std::string frozen_cel(std::string_view spelled) {
  auto there = [&](std::string_view whose) {
    return "has(" + std::string(whose) + ".spec) && has(" + std::string(whose) + ".spec." + std::string(spelled) + ")";
  };
  return "!has(oldSelf.status) || !has(oldSelf.status.phase) || oldSelf.status.phase == 'Pending' || ((" + there("self") + ") == (" +
         there("oldSelf") + ") && (!(" + there("self") + ") || self.spec." + std::string(spelled) + " == oldSelf.spec." +
         std::string(spelled) + "))";
}

}  // namespace

schema::type_notes notes_of(std::type_identity<backup>) {
  using json::value;
  schema::type_notes out{
      .text = "Backup is one kopia snapshot as an object: a run of a BackupConfig, or a snapshot discovered in the repository."};
  out.rules = {
      {.cel = "!has(self.spec) || has(self.spec.configRef) || (has(self.status) && has(self.status.origin) && self.status.origin == "
              "'discovered')",
       .message = "A Backup runs a recipe.",
       .hint = "Name a BackupConfig of this namespace in spec.configRef.",
       .field = "spec.configRef",
       .holds = [](value const& self) { return !schema::has(self, "spec") || schema::has(self, "spec.configRef") || discovered(self); }},
      {.cel = "",  // without spec the API server cannot tell a discovered Backup, whose status is written later, from an empty one
       .message = "A Backup runs a recipe.",
       .hint = "Name a BackupConfig of this namespace in spec.configRef.",
       .field = "spec",
       .holds = [](value const& self) { return schema::has(self, "spec") || discovered(self); }},
      {.cel = "!(has(self.status) && has(self.status.origin) && self.status.origin == 'discovered') || !has(self.spec) || "
              "!has(self.spec.deletionPolicy) || self.spec.deletionPolicy == 'Retain'",
       .message = "A discovered Backup was not made here, so its snapshot is not ours to delete.",
       .hint = "Write Retain or remove deletionPolicy; to delete the snapshot use kopia.",
       .field = "spec.deletionPolicy",
       .holds =
           [](value const& self) {
             return !discovered(self) || !schema::has(self, "spec.deletionPolicy") || self.text("spec.deletionPolicy") == "Retain";
           }},
      {.cel = frozen_cel("configRef"),
       .message = frozen_message,
       .hint = frozen_hint,
       .field = "spec.configRef",
       .holds_after = [](value const& self, value const& old) { return kept(self, old, "spec.configRef"); }},
      {.cel = frozen_cel("sourcePath"),
       .message = frozen_message,
       .hint = frozen_hint,
       .field = "spec.sourcePath",
       .holds_after = [](value const& self, value const& old) { return kept(self, old, "spec.sourcePath"); }},
      {.cel = frozen_cel("__import__"),
       .message = frozen_message,
       .hint = frozen_hint,
       .field = "spec.import",
       .holds_after = [](value const& self, value const& old) { return kept(self, old, "spec.import"); }},
      {.cel = frozen_cel("tags"),
       .message = frozen_message,
       .hint = frozen_hint,
       .field = "spec.tags",
       .holds_after = [](value const& self, value const& old) { return kept(self, old, "spec.tags"); }}};
  return out;
}

}  // namespace kopiur::proto
