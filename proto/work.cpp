#include "proto/work.hpp"

#include "proto/schema/notes.hpp"

/// Schema notes for work.hpp.
namespace kopiur::proto {

schema::type_notes notes_of(std::type_identity<identity>) {
  return {.text = "Who kopia says took a snapshot: username@hostname:sourcePath.",
          .fields = {{"username", "The user."}, {"hostname", "The host."}, {"sourcePath", "The path."}}};
}
schema::type_notes notes_of(std::type_identity<repository_access>) {
  return {.text = "How a mover reaches one repository.",
          .fields = {{"backend", "Where the repository lies."},
                     {"mount", "A filesystem backend on a volume: its root inside the mover; else empty."},
                     {"uniqueID", "Kopia's id of the repository, compared at connect; absent only at the first connect."},
                     {"username", "The client's own user."},
                     {"hostname", "The client's own host."},
                     {"readOnly", "Open it without writing."},
                     {"contentCacheMB", "Megabytes for the content cache."},
                     {"metadataCacheMB", "Megabytes for the metadata cache."},
                     {"cacheDirectory", "Folder of cache and configuration, one for each repository."},
                     {"secrets", "Folder with secret files; else empty."}}};
}
schema::type_notes notes_of(std::type_identity<connect_work>) {
  return {.text = "Opens the repository; makes it when there is none and create says so.",
          .fields = {{"create", "How it may be made; absent: only connect."}}};
}
schema::type_notes notes_of(std::type_identity<snapshot_policy>) {
  return {.text = "The policy of one source, as kopia takes it.",
          .fields = {{"compressor", "Kopia's name of the compressor."},
                     {"splitter", "Kopia's name of the splitter."},
                     {"neverCompress", "Extensions that are not compressed."},
                     {"ignorePaths", "Patterns of paths that are left out."},
                     {"extraArgs", "Further arguments of `kopia policy set`."},
                     {"ignoreCacheDirs", "Leave out folders that carry a CACHEDIR.TAG."},
                     {"ignoreFileErrors", "Overlook files that cannot be read."},
                     {"ignoreDirErrors", "Overlook folders that cannot be read."},
                     {"ignoreIdenticalSnapshots", "Record no snapshot where nothing changed."},
                     {"followIgnoreFiles", "Leave out what .kopiaignore files in the source say."}}};
}
schema::type_notes notes_of(std::type_identity<shrink_watch>) {
  return {.text = "When a snapshot counts as shrunk: it holds much less than the newest good one of its source.",
          .fields = {{"percent", "Less than this much of its files or bytes; 0: nobody looks.", {.min = 0, .max = 100}},
                     {"lastGood", "The newest snapshot of a Backup that Succeeded."},
                     {"held", "Snapshots that are held: none of them is compared with."}}};
}
schema::type_notes notes_of(std::type_identity<snapshot_work>) {
  return {.text = "Takes one snapshot of one folder; done only when a list by the run's tag confirms it.",
          .fields = {{"path", "The folder, inside the mover."},
                     {"source", "What kopia records."},
                     {"tags", "The user's tags; kopiur-run is added."},
                     {"description", "Kopia's description of the snapshot."},
                     {"policy", "The policy of the source."},
                     {"startTime", "Import of history: the start that kopia records."},
                     {"endTime", "Import of history: the end that kopia records."},
                     {"watch", "When it counts as shrunk."}}};
}
schema::type_notes notes_of(std::type_identity<restore_options>) {
  return {.text = "How files are written.",
          .fields = {{"enableFileDeletion", "Delete files in the target that the snapshot does not have."},
                     {"ignorePermissionErrors", "Go on where owner or mode cannot be set; a condition says so when it mattered."},
                     {"writeFilesAtomically", "Write each file beside its place and move it there."},
                     {"path",
                      "Only this file or folder of the snapshot, at its own path in the target; relative, without a part `..`.",
                      {.min_length = 1,
                       .max_length = 1024,
                       .pattern = R"(^([^/.][^/]*|\.[^/.][^/]*|\.\.[^/]+)(/([^/.][^/]*|\.[^/.][^/]*|\.\.[^/]+))*$)",
                       .pattern_says = "a path below the snapshot's root, as data/app.db"}},
                     {"parallel", "Files at a time; absent: as many as kopia takes by itself.", {.min = 1, .max = 256}},
                     {"overwriteFiles", "false: a file that is there and differs is refused before anything is written."},
                     {"skipOwners", "Leave owners and groups as the mover makes them."},
                     {"skipPermissions", "Leave modes as the mover makes them."},
                     {"sparse", "Write runs of zeros as holes."},
                     {"requireOwnership", "Fail if an owner, group or mode cannot be restored as the snapshot has it."}},
          .rules = {{.cel = "!(has(self.requireOwnership) && self.requireOwnership) || !((has(self.skipOwners) && self.skipOwners) || "
                            "(has(self.skipPermissions) && self.skipPermissions))",
                     .message = "Owners and modes that are left out cannot be required.",
                     .hint = "Remove requireOwnership, or skipOwners and skipPermissions.",
                     .field = "requireOwnership",
                     .holds = [](json::value const& self) {
                       using schema::flag;
                       return !flag(self, "requireOwnership") || (!flag(self, "skipOwners") && !flag(self, "skipPermissions"));
                     }}}};
}
schema::type_notes notes_of(std::type_identity<restore_work>) {
  return {.text = "Writes one snapshot into a folder.",
          .fields = {{"snapshotID", "The snapshot's manifest id."},
                     {"source", "Must be the snapshot's: another volume's bytes are never restored."},
                     {"target", "The folder, inside the mover; a dry run needs none."},
                     {"options", "How files are written."},
                     {"dryRun", "Write nothing, and say what would be written."}}};
}
schema::type_notes notes_of(std::type_identity<doomed_snapshot>) {
  return {.text = "A snapshot that is to be deleted. One that is something else than this says is left alone.",
          .fields = {{"id", "Its manifest id."},
                     {"source", "What kopia has recorded as its source."},
                     {"run", "The run whose tag it bears; absent: not known."}}};
}
schema::type_notes notes_of(std::type_identity<delete_work>) {
  return {.text = "Deletes snapshots by exact manifest id, and lists afterwards.", .fields = {{"snapshots", "Which, and what they are."}}};
}
schema::type_notes notes_of(std::type_identity<sweep_work>) {
  return {.text = "Takes away what a cancelled run left.",
          .fields = {{"run", "The run whose tag the snapshots carry."}, {"keep", "Ids that a Backup's status records: these stay."}}};
}
schema::type_notes notes_of(std::type_identity<maintain_work>) {
  return {.text = "Runs kopia's maintenance.",
          .fields = {{"full", "Full maintenance, which reclaims content; else quick."},
                     {"owner", "Kopia's maintenance owner, user@host."},
                     {"takeover", "What to do about a foreign owner."}}};
}
schema::type_notes notes_of(std::type_identity<list_work>) { return {.text = "Lists all complete snapshots; each is a row on stdout."}; }
schema::type_notes notes_of(std::type_identity<browse_work>) {
  return {.text = "Reads a snapshot: the entries of a folder, or the bytes of a file, on stdout.",
          .fields = {{"snapshotID", "The snapshot's manifest id."},
                     {"path", "Path inside the snapshot."},
                     {"content", "The bytes of a file; else the entries of a folder."}}};
}
schema::type_notes notes_of(std::type_identity<work>) {
  return {.text = "What a mover is told. Secrets are not in it.",
          .fields = {{"version", "Version of this form."},
                     {"run", "The run; becomes the tag kopiur-run of a snapshot."},
                     {"attempt", "Which attempt; after the first, the run's tag is looked for before acting.", schema::at_least_1},
                     {"repository", "How the repository is reached."},
                     {"task", "What to do: exactly one verb."}}};
}
schema::type_notes notes_of(std::type_identity<run_failure>) {
  return {.text = "Why it failed.",
          .fields = {{"class", "One of a closed set of causes, each with advice in the documentation."},
                     {"message", "A sentence: what, why, how to fix."},
                     {"stderrTail", "Kopia's last line; never a secret."},
                     {"retryable", "Whether another attempt makes sense."}}};
}
schema::type_notes notes_of(std::type_identity<baseline>) {
  return {.text = "What a snapshot is compared with.",
          .fields = {{"snapshot", "The newest good one of the source."}, {"percent", "Of its files or bytes; fewer is shrunk."}}};
}
schema::type_notes notes_of(std::type_identity<snapshot_row>) {
  return {.text = "One complete snapshot, as kopia lists it.",
          .fields = {{"id", "The snapshot's manifest id."},
                     {"source", "Who took it, and of what."},
                     {"startTime", "When it began."},
                     {"endTime", "When it ended."},
                     {"sizeBytes", "Bytes of the files in it."},
                     {"files", "How many files."},
                     {"dirs", "How many folders."},
                     {"errorCount", "Files that could not be read."},
                     {"failedCount", "Those of them that no policy ignores: the snapshot is partial."},
                     {"run", "The tag kopiur-run."},
                     {"description", "Kopia's description."},
                     {"baseline", "The tag kopiur-baseline."}}};
}
schema::type_notes notes_of(std::type_identity<snapshot_stats>) {
  return {.text = "What a snapshot holds, and what it added.",
          .fields = {{"sizeBytes", "Bytes of all files in the snapshot."},
                     {"bytesNew", "Bytes that were read and hashed, as their files were new or changed."},
                     {"filesNew", "Files that are new or changed; kopia does not tell them apart."},
                     {"filesModified", "Always 0: kopia counts changed files among the new ones."},
                     {"filesUnchanged", "Files that were there unchanged."},
                     {"errorCount", "Files that could not be read."}}};
}
schema::type_notes notes_of(std::type_identity<shrinkage>) {
  return {.text = "A snapshot that holds much less than the one before it.",
          .fields = {{"snapshot", "The snapshot that shrank."},
                     {"predecessor", "The one that it is compared with: the newest good one of its source."},
                     {"files", "Files that it holds."},
                     {"sizeBytes", "Bytes of them."},
                     {"filesBefore", "Files that the predecessor holds."},
                     {"sizeBytesBefore", "Bytes of those."}}};
}
schema::type_notes notes_of(std::type_identity<left_out>) {
  return {.text = "What a snapshot lacks though no policy says so: kopia cannot keep its name, or it is kopiur's own.",
          .fields = {{"placeholders", "Entries that kopia would take for its own placeholders (*.kopia-entry)."},
                     {"files", "Others: their names are not UTF-8, or a placeholder hides them."},
                     {"rules", "Entries named .kopiaignore that cannot be read: none was followed."},
                     {"own", "The repository that the snapshot goes into, and what kopiur keeps in its data folder."},
                     {"examples", "At most three paths."}}};
}
schema::type_notes notes_of(std::type_identity<ownership_report>) {
  return {.text = "Owners, groups and modes in the target after a restore, compared with the snapshot's.",
          .fields = {{"entries", "How many were compared."},
                     {"lost", "Those with another owner, group or mode."},
                     {"examples", "At most three: path, what the snapshot has, what there is."}}};
}
schema::type_notes notes_of(std::type_identity<restore_preview>) {
  return {.text = "What a restore would do; nothing of it has been done.",
          .fields = {{"snapshotID", "The snapshot's manifest id."},
                     {"snapshotTime", "When it was taken."},
                     {"files", "Files and links of the snapshot, or of the part of it that is asked for."},
                     {"folders", "Folders of it."},
                     {"bytes", "Bytes of its files."},
                     {"created", "Files and links that the target lacks."},
                     {"replaced", "Those that are there with another size or time."},
                     {"unchanged", "Those that are there with the same size and time."},
                     {"deleted", "Files and links of the target that options.enableFileDeletion would delete."},
                     {"ownershipLost", "Entries whose owner, group or mode cannot be kept."},
                     {"examples", "Of those, at most three."}}};
}
schema::type_notes notes_of(std::type_identity<work_result>) {
  return {.text = "How a run ended; at most 2 KiB. Which parts are set follows from the verb.",
          .fields = {{"version", "Version of this form."},
                     {"run", "The run."},
                     {"attempt", "Which attempt.", schema::at_least_1},
                     {"outcome", "Succeeded, Unchanged or Failed."},
                     {"failure", "Set exactly when Failed."},
                     {"uniqueID", "Kopia's id of the repository that was opened."},
                     {"created", "Connect: the repository was made."},
                     {"passwordUnfit", "Connect: why no repository would be made with this password, though it opens this one."},
                     {"snapshot", "Snapshot: confirmed by a list; also when some files could not be read."},
                     {"stats", "Snapshot: what it holds."},
                     {"shrunk", "Snapshot: it holds much less than the one before it."},
                     {"leftOut", "Snapshot: what it lacks because of names."},
                     {"restoredBytes", "Restore: bytes written."},
                     {"restoredFiles", "Restore: files written."},
                     {"ignoredPermissionErrors", "Restore: owners or modes that could not be set."},
                     {"ownership", "Restore: owners and modes compared with the snapshot's; absent: they could not be compared."},
                     {"preview", "Restore that is a dry run: what it would do."},
                     {"remaining", "Delete, sweep: ids that a list afterwards still has, cut to what fits."},
                     {"remainingCount", "Delete, sweep: how many those are."},
                     {"deletedCount", "Delete, sweep: ids asked for that the list lacks."},
                     {"rows", "List: rows on stdout."},
                     {"totalBytes", "List: the newest snapshot of each source together."},
                     {"reclaimedBytes", "Maintain: bytes of content reclaimed."},
                     {"owner", "Maintain: kopia's owner, ours or the foreign one."},
                     {"opens", "How often kopia opened the repository."}}};
}
schema::type_notes notes_of(std::type_identity<snapshot_entry>) {
  return {.text = "One entry of a folder of a snapshot.",
          .fields = {{"name", "Its name, as it is on disk."},
                     {"type", "d for a folder, f for a file, s for a symbolic link; else kopia's letter."},
                     {"mode", "Permissions, octal, as in 0644."},
                     {"sizeBytes", "Bytes; of a folder, all below it."},
                     {"modified", "When it was last changed."}}};
}
schema::type_notes notes_of(std::type_identity<work_progress>) {
  return {.text = "How far it is; at most every 2 s.",
          .fields = {{"percent", "Where it can be told."},
                     {"bytesHashed", "Bytes read and hashed, or restored."},
                     {"bytesUploaded", "Bytes that went to the repository."},
                     {"filesProcessed", "Files that are done."},
                     {"phase", "What it does: scanning, connecting, hashing, restoring, listing ..."}}};
}

}  // namespace kopiur::proto
