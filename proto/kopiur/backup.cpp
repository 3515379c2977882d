#include "proto/kopiur/backup.hpp"

#include "proto/schema/notes.hpp"

/// Schema notes for backup.hpp.
namespace kopiur::proto {

schema::type_notes notes_of(std::type_identity<import_history>) {
  return {.text = "History that is brought in: a real snapshot with a time of the past.",
          .fields = {{"at", "The time that the snapshot gets."},
                     {"from",
                      "Where its files are: a directory under the local adapter, a claim of this namespace on a cluster.",
                      {.min_length = 1, .max_length = 4096}}}};
}
schema::type_notes notes_of(std::type_identity<backup_spec>) {
  return {
      .text =
          "What to do. Absent on a discovered Backup; frozen once the phase has left Pending, but for failurePolicy, deletionPolicy and "
          "pin.",
      .fields =
          {{"configRef", "The recipe."},
           {"sourcePath", "Which source of the recipe, by its path; absent: all, as siblings of this Backup.", schema::path_text},
           {"import", "Set by `kopiur import`: brings history in."},
           {"tags", "Tags that kopia keeps with the snapshot.", {}, {.max_length = 256}, {}, 10},
           {"failurePolicy", "How often it is tried, and for how long."},
           {"deletionPolicy",
            "What becomes of the snapshot when this object is deleted: Delete, Retain or Orphan; absent: as the recipe says, else Delete."},
           {"pin", "Keeps it out of retention, and holds its deletion until it is taken off."}},
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
  return {.text = "The snapshot that this Backup stands for.",
          .fields = {{"kopiaSnapshotID", "Kopia's manifest id."}, {"identity", "What kopia records as its source."}}};
}
schema::type_notes notes_of(std::type_identity<backup_progress>) {
  return {.text = "How far a running Backup is.",
          .fields = {{"percent", "Where it can be told.", {.min = 0, .max = 100}},
                     {"bytesHashed", "Bytes read and hashed."},
                     {"bytesUploaded", "Bytes that went to the repository."},
                     {"filesProcessed", "Files that are done."},
                     {"updatedAt", "When this was known."}}};
}
schema::type_notes notes_of(std::type_identity<backup_job>) {
  return {.text = "The Job that does it.",
          .fields = {{"name", "Name of the current or last Job."}, {"attempts", "How many attempts were started."}}};
}
schema::type_notes notes_of(std::type_identity<resolved_config>) {
  return {.text = "The state of the recipe that was frozen.",
          .fields = {{"name", "Name of the BackupConfig."}, {"uid", "Its uid."}, {"generation", "Its metadata.generation."}}};
}
schema::type_notes notes_of(std::type_identity<backup_resolved>) {
  return {.text = "The recipe's values, frozen at run time.",
          .fields = {{"deletionPolicy", "What becomes of the snapshot when this object is deleted and spec.deletionPolicy says nothing."},
                     {"repository", "The repository."},
                     {"identity", "What kopia records as the source."},
                     {"config", "The recipe."},
                     {"pvcName", "The claim that is backed up."},
                     {"copyMethod", "How a still picture of the volume is had."},
                     {"groupBy", "Whether several claims are captured together."},
                     {"volumeSnapshotClassName", "Class of the volume snapshot."},
                     {"policy", "What kopia is told about the source."}}};
}
schema::type_notes notes_of(std::type_identity<backup_status>) {
  return {
      .text = "State of the Backup.",
      .fields = {
          {"observedGeneration", "The metadata.generation that this status is about."},
          {"phase", "Pending, Running, Succeeded, Failed, Held (it shrank, and nobody has accepted that), Deleting or Discovered."},
          {"origin", "Where it comes from: scheduled, manual, discovered or imported."},
          {"snapshot", "The snapshot that this Backup stands for."},
          {"timing", "When it began and ended."},
          {"stats", "What the snapshot holds, and what it added."},
          {"shrunk", "It holds much less than the snapshot before it."},
          {"leftOut", "What it lacks because kopia cannot keep its name."},
          {"progress", "How far it is."},
          {"job", "The Job that does it."},
          {"resolved", "The recipe's values, frozen at run time."},
          {"failure", "Why it failed."},
          {"logTail", "The last 4 KiB of the mover's output.", {.max_length = 8192}},
          {"orphaned", "True when the object is deleted without the repository being asked: the snapshot stays there."},
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
  schema::type_notes out{.text = "Backup is one kopia snapshot as an object: an invocation of a recipe, and a row of the catalog."};
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
