#include "proto/kopiur/kopia_task.hpp"

#include "proto/schema/notes.hpp"

namespace kopiur::proto {

namespace {

// Replaces {{name}}. The error is a name that has no folder.
std::expected<std::string, std::string> replaced(std::string_view text, std::map<std::string, std::string> const& folders) {
  std::string out;
  for (;;) {
    auto open = text.find("{{");
    out += text.substr(0, open);
    if (open == text.npos) return out;
    auto close = text.find("}}", open);
    auto name = std::string(text.substr(open + 2, close == text.npos ? close : close - open - 2));
    auto folder = folders.find(name);
    if (close == text.npos || folder == folders.end()) return std::unexpected(name);
    out += folder->second;
    text.remove_prefix(close + 2);
  }
}

std::vector<std::string*> paths_of(repository_access& repository, kopia_task& task) {
  std::vector<std::string*> paths{&repository.mount, &repository.cache_directory, &repository.secrets};
  if (auto* backend = std::get_if<filesystem_backend>(&repository.backend)) paths.push_back(&backend->path);
  if (auto* one = std::get_if<snapshot_work>(&task.task)) paths.push_back(&one->path);
  if (auto* one = std::get_if<restore_work>(&task.task)) paths.push_back(&one->target);
  return paths;
}

}  // namespace

std::expected<kopia_task, std::string> with_folders(kopia_task task, std::map<std::string, std::string> const& folders) {
  repository_access repository = *task.repository;
  for (auto* path : paths_of(repository, task)) {
    auto real = replaced(*path, folders);
    if (!real)
      return std::unexpected("The work names {{" + real.error() + "}} in the path \"" + *path +
                             "\", but the command brings no such volume.");
    *path = std::move(*real);
  }
  task.repository = std::move(repository);
  return task;
}

schema::type_notes notes_of(std::type_identity<identity>) {
  return {.text = "Source of a snapshot, as kopia records it: username@hostname:sourcePath.",
          .fields = {{"username", "The user."}, {"hostname", "The host."}, {"sourcePath", "The path."}}};
}
schema::type_notes notes_of(std::type_identity<repository_access>) {
  return {.text = "How a mover connects to one repository.",
          .fields = {{"backend", "Where the repository is stored."},
                     {"mount", "Filesystem backend on a volume: root of the volume inside the mover. Otherwise empty."},
                     {"uniqueID", "Kopia's id of the repository, checked at connect. Not set only at the first connect."},
                     {"username", "User of the kopia client."},
                     {"hostname", "Host of the kopia client."},
                     {"readOnly", "Open the repository read-only."},
                     {"contentCacheMB", "Maximum size of the content cache, in megabytes."},
                     {"metadataCacheMB", "Maximum size of the metadata cache, in megabytes."},
                     {"cacheDirectory", "Folder of kopia's cache and configuration; each repository has its own."},
                     {"secrets", "Folder with secret files; empty if there are none."}}};
}
schema::type_notes notes_of(std::type_identity<connect_work>) {
  return {.text = "Opens the repository; creates it if none exists and `create` allows it.",
          .fields = {{"create", "How the repository may be created. Not set: only connect."}}};
}
schema::type_notes notes_of(std::type_identity<snapshot_policy>) {
  return {.text = "The policy of one source, in kopia's terms.",
          .fields = {{"compressor", "Kopia's name for the compressor."},
                     {"splitter", "Kopia's name for the splitter."},
                     {"neverCompress", "File extensions that are not compressed."},
                     {"ignorePaths", "Patterns of paths to leave out."},
                     {"extraArgs", "Further arguments of `kopia snapshot create`."},
                     {"ignoreCacheDirs", "Leave out folders that contain a CACHEDIR.TAG file."},
                     {"ignoreFileErrors", "Ignore files that cannot be read."},
                     {"ignoreDirErrors", "Ignore folders that cannot be read."},
                     {"ignoreIdenticalSnapshots", "Record no snapshot if nothing changed."},
                     {"followIgnoreFiles", "Leave out what the .kopiaignore files in the source exclude."}}};
}
schema::type_notes notes_of(std::type_identity<shrink_watch>) {
  return {.text = "When a snapshot counts as shrunk: it is much smaller than the newest good one of its source.",
          .fields = {{"percent",
                      "Percent of the files or bytes of the newest good snapshot; less counts as shrunk. 0: no check.",
                      {.min = 0, .max = 100}},
                     {"lastGood", "The newest snapshot of a Backup that Succeeded."},
                     {"held", "Snapshots that are held; the new one is never compared with them."}}};
}
schema::type_notes notes_of(std::type_identity<snapshot_work>) {
  return {.text = "Takes one snapshot of one folder. It is done only when a list by the run's tag confirms it.",
          .fields = {{"path", "The folder, inside the mover."},
                     {"source", "Source that kopia records."},
                     {"tags", "The user's tags; kopiur adds kopiur-run."},
                     {"description", "Kopia's description of the snapshot."},
                     {"policy", "The policy of the source."},
                     {"startTime", "Import of history: the start that kopia records."},
                     {"endTime", "Import of history: the end that kopia records."},
                     {"watch", "When the snapshot counts as shrunk."}}};
}
schema::type_notes notes_of(std::type_identity<restore_options>) {
  return {.text = "How files are written.",
          .fields = {{"enableFileDeletion", "Delete files in the target that the snapshot does not have."},
                     {"ignorePermissionErrors",
                      "Continue if an owner or mode cannot be set; the condition PermissionErrorsIgnored reports that."},
                     {"writeFilesAtomically",
                      "Write each file under a temporary name, then rename it. Has no effect on a claim that is created for the restore."},
                     {"path",
                      "Restore only this file or folder of the snapshot, to the same path in the target. Must be relative, without `..`.",
                      {.min_length = 1,
                       .max_length = 1024,
                       .pattern = R"(^([^/.][^/]*|\.[^/.][^/]*|\.\.[^/]+)(/([^/.][^/]*|\.[^/.][^/]*|\.\.[^/]+))*$)",
                       .pattern_says = "a path below the snapshot's root, as data/app.db"}},
                     {"parallel", "Number of files to write at a time. Default: kopia's.", {.min = 1, .max = 256}},
                     {"overwriteFiles", "If false, the restore fails before it writes anything if an existing file differs."},
                     {"skipOwners", "Do not restore owners and groups; files keep those that the mover creates them with."},
                     {"skipPermissions", "Do not restore modes; files keep those that the mover creates them with."},
                     {"sparse", "Write runs of zeros as holes (sparse files)."},
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
                     {"source", "Must be the source of the snapshot, so that another volume's data is never restored."},
                     {"target", "The target folder, inside the mover; a dry run needs none."},
                     {"options", "How files are written."},
                     {"dryRun", "Write nothing; report what would be written."}}};
}
schema::type_notes notes_of(std::type_identity<doomed_snapshot>) {
  return {.text = "A snapshot to delete. A snapshot whose source or run differs is not deleted.",
          .fields = {{"id", "The snapshot's manifest id."},
                     {"source", "Source that kopia recorded for it."},
                     {"run", "The run whose tag it has. Not set: unknown."}}};
}
schema::type_notes notes_of(std::type_identity<delete_work>) {
  return {.text = "Deletes snapshots by exact manifest id, then lists the repository.",
          .fields = {{"snapshots", "The snapshots to delete."}}};
}
schema::type_notes notes_of(std::type_identity<sweep_work>) {
  return {.text = "Deletes the snapshots that a cancelled run left.",
          .fields = {{"run", "The run whose tag the snapshots have."},
                     {"keep", "Ids that a Backup's status records; these snapshots are kept."}}};
}
schema::type_notes notes_of(std::type_identity<maintain_work>) {
  return {.text = "Runs kopia's maintenance.",
          .fields = {{"full", "true: full maintenance, which frees storage; false: quick maintenance."},
                     {"owner", "Kopia's maintenance owner, user@host."},
                     {"takeover", "What to do if kopia records another owner."}}};
}
schema::type_notes notes_of(std::type_identity<list_work>) { return {.text = "Lists all complete snapshots; each is a row on stdout."}; }
schema::type_notes notes_of(std::type_identity<browse_work>) {
  return {.text = "Reads a snapshot: the entries of a folder, or the bytes of a file, on stdout.",
          .fields = {{"snapshotID", "The snapshot's manifest id."},
                     {"path", "Path inside the snapshot."},
                     {"content", "true: the bytes of a file; false: the entries of a folder."}}};
}
schema::type_notes notes_of(std::type_identity<kopia_task>) {
  return {.text = "Task of a mover. It contains no secrets.",
          .fields = {
              {"version", "Version of this format."},
              {"run", "The run; becomes the tag kopiur-run of a snapshot."},
              {"attempt", "Number of the attempt. After the first, the mover looks for the run's tag before it acts.", schema::at_least_1},
              {"repository", "How to connect to the repository."},
              {"task", "What to do: exactly one verb."}}};
}
schema::type_notes notes_of(std::type_identity<baseline>) {
  return {.text = "The snapshot that a new one is compared with.",
          .fields = {{"snapshot", "The newest good snapshot of the source."},
                     {"percent", "Percent of its files or bytes; less counts as shrunk."}}};
}
schema::type_notes notes_of(std::type_identity<snapshot_row>) {
  return {.text = "One complete snapshot, as kopia lists it.",
          .fields = {{"id", "The snapshot's manifest id."},
                     {"source", "User, host and path that kopia recorded."},
                     {"startTime", "When the snapshot began."},
                     {"endTime", "When the snapshot ended."},
                     {"sizeBytes", "Bytes of the files in it."},
                     {"files", "Number of files."},
                     {"dirs", "Number of folders."},
                     {"errorCount", "Number of files that could not be read."},
                     {"failedCount", "Of these, the number that no policy ignores; above 0 the snapshot is partial."},
                     {"run", "The tag kopiur-run."},
                     {"description", "Kopia's description."},
                     {"baseline", "The tag kopiur-baseline."}}};
}
schema::type_notes notes_of(std::type_identity<snapshot_stats>) {
  return {.text = "Size of a snapshot, and what is new in it.",
          .fields = {{"sizeBytes", "Bytes of all files in the snapshot."},
                     {"bytesNew", "Bytes that were read and hashed because their files were new or changed."},
                     {"filesNew", "Files that are new or changed; kopia does not distinguish the two."},
                     {"filesModified", "Always 0: kopia counts changed files among the new ones."},
                     {"filesUnchanged", "Files that did not change."},
                     {"errorCount", "Number of files that could not be read."}}};
}
schema::type_notes notes_of(std::type_identity<shrinkage>) {
  return {.text = "A snapshot that is much smaller than the one before it.",
          .fields = {{"snapshot", "The snapshot that shrank."},
                     {"predecessor", "The snapshot that it is compared with: the newest good one of its source."},
                     {"files", "Number of files in the snapshot that shrank."},
                     {"sizeBytes", "Size of these files, in bytes."},
                     {"filesBefore", "Number of files in the predecessor."},
                     {"sizeBytesBefore", "Size of these files, in bytes."}}};
}
schema::type_notes notes_of(std::type_identity<left_out>) {
  return {.text = "What is missing from a snapshot although no policy excludes it: kopia cannot store its name, or it belongs to kopiur.",
          .fields = {{"placeholders", "Entries whose names kopia reserves for its own placeholders (*.kopia-entry)."},
                     {"files", "Other entries: their names are not UTF-8, or a placeholder hides them."},
                     {"rules", "Entries named .kopiaignore that cannot be read. No .kopiaignore was applied then."},
                     {"own", "The repository that stores the snapshot, and what kopiur keeps in its data folder."},
                     {"examples", "At most three paths."}}};
}
schema::type_notes notes_of(std::type_identity<ownership_report>) {
  return {.text = "Owners, groups and modes in the target after a restore, compared with the snapshot's.",
          .fields = {{"entries", "Number of entries that were compared."},
                     {"lost", "Entries with another owner, group or mode than in the snapshot."},
                     {"examples", "At most three: path, value in the snapshot, actual value."}}};
}
schema::type_notes notes_of(std::type_identity<restore_preview>) {
  return {.text = "What a restore would do; nothing has been changed.",
          .fields = {{"snapshotID", "The snapshot's manifest id."},
                     {"snapshotTime", "When the snapshot was taken."},
                     {"files", "Files and links of the snapshot, or of the requested part of it."},
                     {"folders", "Folders of the snapshot, or of the requested part of it."},
                     {"bytes", "Size of these files, in bytes."},
                     {"created", "Files and links that do not exist in the target."},
                     {"replaced", "Files and links that exist in the target with another size or time."},
                     {"unchanged", "Files and links that exist in the target with the same size and time."},
                     {"deleted", "Files and links of the target that options.enableFileDeletion would delete."},
                     {"ownershipLost", "Entries whose owner, group or mode cannot be restored."},
                     {"examples", "At most three of these entries."}}};
}
schema::type_notes notes_of(std::type_identity<kopia_result>) {
  return {.text = "Result of a run; at most 2 KiB. The verb determines which parts are set.",
          .fields = {{"version", "Version of this format."},
                     {"run", "The run."},
                     {"attempt", "Number of the attempt.", schema::at_least_1},
                     {"outcome", "Succeeded, Unchanged or Failed."},
                     {"failure", "Set if, and only if, the outcome is Failed."},
                     {"uniqueID", "Kopia's id of the repository that was opened."},
                     {"created", "Connect: the repository was created."},
                     {"passwordUnfit", "Connect: why a new repository would not accept this password, although it opens this one."},
                     {"snapshot", "Snapshot: confirmed by a list; also set if some files could not be read."},
                     {"stats", "Snapshot: its size, and what is new in it."},
                     {"shrunk", "Snapshot: set if it is much smaller than the one before it."},
                     {"leftOut", "Snapshot: what is missing from it because of its name."},
                     {"restoredBytes", "Restore: bytes written."},
                     {"restoredFiles", "Restore: files written."},
                     {"ignoredPermissionErrors", "Restore: number of owners or modes that could not be set."},
                     {"ownership", "Restore: owners, groups and modes, compared with the snapshot. Not set: no comparison was possible."},
                     {"preview", "Dry run of a restore: what it would do."},
                     {"remaining", "Delete, sweep: ids that the list afterwards still contains, truncated to fit."},
                     {"remainingCount", "Delete, sweep: number of these ids."},
                     {"deletedCount", "Delete, sweep: number of requested ids that the list no longer contains."},
                     {"rows", "List: number of rows on stdout."},
                     {"totalBytes", "List: total size of the newest snapshot of each source, in bytes."},
                     {"reclaimedBytes", "Maintain: bytes of storage freed."},
                     {"owner", "Maintain: the owner that kopia records, ours or another."},
                     {"opens", "Number of times that kopia opened the repository."}}};
}
schema::type_notes notes_of(std::type_identity<snapshot_entry>) {
  return {.text = "One entry of a folder of a snapshot.",
          .fields = {{"name", "Its name, as it is on disk."},
                     {"type", "d for a folder, f for a file, s for a symbolic link; else kopia's letter."},
                     {"mode", "Permissions, octal, as in 0644."},
                     {"sizeBytes", "Size in bytes; of a folder, the sum of everything below it."},
                     {"modified", "When it was last changed."}}};
}
schema::type_notes notes_of(std::type_identity<kopia_progress>) {
  return {.text = "Progress of a mover, sent at most every 2 s.",
          .fields = {{"percent", "Percent done, if known."},
                     {"bytesHashed", "Bytes read and hashed, or restored."},
                     {"bytesUploaded", "Bytes uploaded to the repository."},
                     {"filesProcessed", "Files processed."},
                     {"phase", "Current activity: scanning, connecting, hashing, restoring, listing ..."}}};
}

}  // namespace kopiur::proto
