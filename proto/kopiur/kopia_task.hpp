#pragma once
#include <cstdint>
#include <expected>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "common/json/frozen.hpp"
#include "common/time/instant.hpp"
#include "proto/core/failure.hpp"
#include "proto/describe.hpp"
#include "proto/kopiur/backend.hpp"

/// What kopia's mover reads (a JSON file) and what it writes (progress lines on stdout, one result). It contains no secrets: the process
/// that starts the mover provides them as environment variables (KOPIA_PASSWORD, AWS_*, ...) or as files under `secrets`. decisions.md
/// section 4.
namespace kopiur::proto {

/// The origin of a snapshot as kopia records it: `username@hostname:sourcePath`. Pinned in status, never rendered again.
struct identity {
  std::string username, hostname, source_path;
  auto operator<=>(identity const&) const = default;
};
KOPIUR_DESCRIBE_NOTED(identity, (), (username, hostname, source_path))

/// How a mover reaches one repository.
struct repository_access {
  proto::backend backend;
  std::string mount;                     ///< filesystem on a volume: the volume's root inside the mover; else empty
  std::optional<std::string> unique_ID;  ///< kopia's id of the repository, compared at connect; absent only at the first connect
  std::string username, hostname;        ///< the client's own identity (maintenance owner, policies)
  bool read_only = false;
  std::optional<std::int64_t> content_cache_MB, metadata_cache_MB;
  std::string cache_directory;  ///< one per repository: two repositories that share a directory lose data (field/kopia.md 6.6)
  std::string secrets;          ///< directory with secret files (sshKey, gcsKey, rcloneConfig, caBundle), else empty
};
KOPIUR_DESCRIBE_NOTED(repository_access, (),
                      (backend, mount, unique_ID, username, hostname, read_only, content_cache_MB, metadata_cache_MB, cache_directory,
                       secrets))

/// Opens the repository; creates it if none exists and `create` allows it. Disables kopia's own retention and verifies that.
struct connect_work {
  static constexpr std::string_view member = "connect";
  std::optional<create_behavior> create;
};
KOPIUR_DESCRIBE_NOTED(connect_work, (), (create))

/// The policy of one source, in kopia's terms.
struct snapshot_policy {
  std::optional<std::string> compressor, splitter;
  std::vector<std::string> never_compress, ignore_paths, extra_args;
  bool ignore_cache_dirs = true, ignore_file_errors = false, ignore_dir_errors = false, ignore_identical_snapshots = false;
  bool follow_ignore_files = true;  ///< honours the `.kopiaignore` files in the source
};
KOPIUR_DESCRIBE_NOTED(snapshot_policy, (),
                      (compressor, splitter, never_compress, ignore_paths, extra_args, ignore_cache_dirs, ignore_file_errors,
                       ignore_dir_errors, ignore_identical_snapshots, follow_ignore_files))

/// When a snapshot counts as shrunk: it holds much less than its predecessor, the newest good snapshot of its source.
struct shrink_watch {
  int percent = 0;                       ///< of the predecessor's files or bytes; fewer means shrunk. 0: no check
  std::optional<std::string> last_good;  ///< the newest snapshot of a Backup that Succeeded
  std::vector<std::string> held;         ///< ids of held snapshots: never a predecessor
};
KOPIUR_DESCRIBE_NOTED(shrink_watch, (), (percent, last_good, held))

/// Takes one snapshot of one directory. Done only when a list by the run's tag confirms it.
struct snapshot_work {
  static constexpr std::string_view member = "snapshot";
  std::string path;                         ///< the directory, inside the mover
  identity source;                          ///< as kopia records it
  std::map<std::string, std::string> tags;  ///< the user's; kopiur adds `kopiur-run`
  std::optional<std::string> description;
  snapshot_policy policy;
  std::optional<instant> start_time, end_time;  ///< import of history: both or neither
  shrink_watch watch;
};
KOPIUR_DESCRIBE_NOTED(snapshot_work, (), (path, source, tags, description, policy, start_time, end_time, watch))

struct restore_options {
  bool enable_file_deletion = false, ignore_permission_errors = true, write_files_atomically = true;
  std::optional<std::string> path;  ///< only this file or directory of the snapshot, written to its own path
  std::optional<int> parallel;      ///< files at a time; absent: kopia's default
  bool overwrite_files = true;      ///< false: a different existing file is refused before anything is written
  bool skip_owners = false, skip_permissions = false, sparse = false;
  bool require_ownership = false;  ///< fail if an owner, group or mode cannot be restored
};
KOPIUR_DESCRIBE_NOTED(restore_options, (),
                      (enable_file_deletion, ignore_permission_errors, write_files_atomically, path, parallel, overwrite_files, skip_owners,
                       skip_permissions, sparse, require_ownership))

/// Writes one snapshot into a directory. Refuses a link in the target where the snapshot has something else at that path.
struct restore_work {
  static constexpr std::string_view member = "restore";
  std::string snapshot_ID;
  identity source;     ///< must be the snapshot's: another volume's bytes are never restored
  std::string target;  ///< the directory, inside the mover; its parent must be writable (kopia removes a file next to the target)
  restore_options options;
  bool dry_run = false;  ///< write nothing, only report what would be written; `target` may be empty: there is no volume yet
};
KOPIUR_DESCRIBE_NOTED(restore_work, (), (snapshot_ID, source, target, options, dry_run))

/// A snapshot to be deleted, with its expected properties: a snapshot that differs is not deleted.
struct doomed_snapshot {
  std::string id;
  identity source;
  std::optional<std::string> run;  ///< the run whose tag it carries; absent: not known
};
KOPIUR_DESCRIBE_NOTED(doomed_snapshot, (), (id, source, run))

/// Deletes snapshots by exact manifest id, then lists the repository.
struct delete_work {
  static constexpr std::string_view member = "delete";
  std::vector<doomed_snapshot> snapshots;
};
KOPIUR_DESCRIBE_NOTED(delete_work, (), (snapshots))

/// Deletes what a cancelled run left: complete snapshots with its tag, except those in `keep` (recorded in a Backup's status).
struct sweep_work {
  static constexpr std::string_view member = "sweep";
  std::string run;
  std::vector<std::string> keep;
};
KOPIUR_DESCRIBE_NOTED(sweep_work, (), (run, keep))

enum class takeover_policy { Never, PromptCondition, Force };
BOOST_DESCRIBE_ENUM(takeover_policy, Never, PromptCondition, Force)

struct maintain_work {
  static constexpr std::string_view member = "maintain";
  bool full = false;
  std::string owner;  ///< kopia's maintenance owner, `user@host`; set when it is unset, already ours, or may be taken over
  takeover_policy takeover = takeover_policy::PromptCondition;
};
KOPIUR_DESCRIBE_NOTED(maintain_work, (), (full, owner, takeover))

/// Lists all complete snapshots, one row each on stdout.
struct list_work {
  static constexpr std::string_view member = "list";
};
KOPIUR_DESCRIBE_NOTED(list_work, (), ())

/// Read-only: prints the entries of a directory, or the bytes of a file, of a snapshot on stdout.
struct browse_work {
  static constexpr std::string_view member = "browse";
  std::string snapshot_ID, path;
  bool content = false;  ///< true: cat; false: ls
};
KOPIUR_DESCRIBE_NOTED(browse_work, (), (snapshot_ID, path, content))

using verb = std::variant<connect_work, snapshot_work, restore_work, delete_work, sweep_work, maintain_work, list_work, browse_work>;

/// Names of the volumes of a kopia Job: the source (which may be a copy), a restore's target, and the one of a filesystem repository.
inline constexpr std::string_view copied_volume = "source", target_volume = "target", repository_volume = "repository";

/// The task of kopia's mover. Its paths may contain `{{name}}`: see with_folders().
struct kopia_task {
  static constexpr std::string_view member = "work";
  static constexpr int current_version = 1;
  int version = current_version;
  std::string run;  ///< becomes the tag `kopiur-run` of a snapshot
  int attempt = 1;  ///< after the first: look for the run's tag before acting
  interned<repository_access> repository;
  verb task;
};
KOPIUR_DESCRIBE_NOTED(kopia_task, (), (version, run, attempt, repository, task))
/// The task with `{{name}}` replaced by real folders in its path fields only (mount, cache, secrets, the folders of the verb); other texts
/// of the user stay unchanged. The error is a sentence: a path names a folder that does not exist.
std::expected<kopia_task, std::string> with_folders(kopia_task task, std::map<std::string, std::string> const& folders);

/// All ways in which kopia's mover can fail; each has advice (services/mover). Whether another attempt makes sense is a property of the
/// class, except for Unknown.
enum class kopia_failure {
  WrongPassword,  ///< the repository exists, but has another password
  PasswordMissing,
  NotInitialized,        ///< nothing at the location, and create is off
  LocationOccupied,      ///< the location holds data that is no readable repository; nothing is created over it
  Unreachable,           ///< network, host, endpoint
  AccessDenied,          ///< the backend refuses the credentials
  BackendMisconfigured,  ///< a missing bucket, a malformed URL, a missing flag
  WrongRepository,       ///< another unique id than the pinned one, or a cache of another repository
  SourceMissing,
  SourceUnreadable,  ///< some files could not be read; a partial snapshot may exist
  TargetConflict,    ///< the target has a link or a file where the snapshot has something else
  PermissionDenied,  ///< writing the target
  SnapshotMissing,
  DataLost,  ///< blobs that the snapshot needs are missing
  DiskFull,
  NotMaintenanceOwner,
  OwnershipNotKept,  ///< owners or modes were not restored, and `requireOwnership` is set
  ClockSkew,
  Locked,  ///< another maintenance of this host runs
  KopiaMissing,
  KopiaUnsupported,  ///< an untested version
  OutOfMemory,
  InvalidWork,  ///< as in failure_class
  Cancelled,    ///< as in failure_class
  Unknown       ///< as in failure_class
};
BOOST_DESCRIBE_ENUM(kopia_failure, WrongPassword, PasswordMissing, NotInitialized, LocationOccupied, Unreachable, AccessDenied,
                    BackendMisconfigured, WrongRepository, SourceMissing, SourceUnreadable, TargetConflict, PermissionDenied,
                    SnapshotMissing, DataLost, DiskFull, NotMaintenanceOwner, OwnershipNotKept, ClockSkew, Locked, KopiaMissing,
                    KopiaUnsupported, OutOfMemory, InvalidWork, Cancelled, Unknown)

/// The baseline of a snapshot (decisions.md section 13), stored in its tag `kopiur-baseline`: it is known even when the Backup or the whole
/// cluster is gone. A snapshot that served as a baseline is known to be good or accepted.
struct baseline {
  std::string snapshot;  ///< the newest good snapshot of the source
  int percent = 0;       ///< of its files or bytes; fewer means shrunk
  bool operator==(baseline const&) const = default;
};
KOPIUR_DESCRIBE_NOTED(baseline, (), (snapshot, percent))

/// One complete snapshot in kopia's list.
struct snapshot_row {
  static constexpr std::string_view member = "row";
  std::string id;
  identity source;
  instant start_time{}, end_time{};
  std::int64_t size_bytes = 0, files = 0, dirs = 0;
  std::int64_t error_count = 0;    ///< files that could not be read
  std::int64_t failed_count = 0;   ///< of these, the ones that no policy ignores: the snapshot is partial
  std::optional<std::string> run;  ///< the tag `kopiur-run`
  std::optional<std::string> description;
  std::optional<proto::baseline> baseline;
};
KOPIUR_DESCRIBE_NOTED(snapshot_row, (),
                      (id, source, start_time, end_time, size_bytes, files, dirs, error_count, failed_count, run, description, baseline))

struct snapshot_stats {
  std::int64_t size_bytes = 0;
  std::int64_t bytes_new = 0;       ///< read and hashed because files were new or changed; kopia rounds to four digits
  std::int64_t files_new = 0;       ///< new or changed: kopia does not distinguish them
  std::int64_t files_modified = 0;  ///< always 0 for kopia, see files_new
  std::int64_t files_unchanged = 0, error_count = 0;
};
KOPIUR_DESCRIBE_NOTED(snapshot_stats, (), (size_bytes, bytes_new, files_new, files_modified, files_unchanged, error_count))

/// A snapshot that holds much less than its predecessor.
struct shrinkage {
  std::string snapshot;     ///< the snapshot that shrank; older than this run's if nothing had changed since
  std::string predecessor;  ///< the snapshot that it is compared with
  std::int64_t files = 0, size_bytes = 0, files_before = 0, size_bytes_before = 0;
  bool operator==(shrinkage const&) const = default;
};
KOPIUR_DESCRIBE_NOTED(shrinkage, (), (snapshot, predecessor, files, size_bytes, files_before, size_bytes_before))

/// What is missing from a snapshot although no policy excludes it: kopia cannot store its name, or it belongs to kopiur.
struct left_out {
  std::int64_t placeholders = 0;      ///< entries whose name kopia reserves for its placeholders (`*.kopia-entry`)
  std::int64_t files = 0;             ///< other entries: their names are not UTF-8, or a placeholder hides them
  std::int64_t rules = 0;             ///< unreadable `.kopiaignore` files: no rule was applied, so more was saved
  std::int64_t own = 0;               ///< the repository that the snapshot is written to, and kopiur's files in its data directory
  std::vector<std::string> examples;  ///< at most three paths; `\xE9` for a byte that is not UTF-8
  bool operator==(left_out const&) const = default;
};
KOPIUR_DESCRIBE_NOTED(left_out, (), (placeholders, files, rules, own, examples))

/// Owners, groups and modes in the target after a restore, compared with the snapshot.
struct ownership_report {
  std::int64_t entries = 0;           ///< compared
  std::int64_t lost = 0;              ///< of these, the ones with another owner, group or mode
  std::vector<std::string> examples;  ///< at most three: path, value in the snapshot, actual value
  bool operator==(ownership_report const&) const = default;
};
KOPIUR_DESCRIBE_NOTED(ownership_report, (), (entries, lost, examples))

/// What a restore would do; nothing has been changed.
struct restore_preview {
  std::string snapshot_ID;
  instant snapshot_time{};
  std::int64_t files = 0, folders = 0, bytes = 0;                      ///< of the snapshot, or of its requested part
  std::int64_t created = 0, replaced = 0, unchanged = 0, deleted = 0;  ///< files and links of the target
  std::int64_t ownership_lost = 0;                                     ///< entries whose owner, group or mode cannot be restored
  std::vector<std::string> examples;                                   ///< of the entries with lost ownership, at most three
};
KOPIUR_DESCRIBE_NOTED(restore_preview, (),
                      (snapshot_ID, snapshot_time, files, folders, bytes, created, replaced, unchanged, deleted, ownership_lost, examples))

/// The result of kopia's mover (job_result): at most 2 KiB as text. The verb determines which optional parts are set.
struct kopia_result {
  int version = kopia_task::current_version;
  std::string run;
  int attempt = 1;
  proto::outcome outcome = proto::outcome::Failed;
  std::optional<run_failure> failure;         ///< set if and only if Failed
  std::optional<std::string> unique_ID;       ///< every verb that opened the repository
  bool created = false;                       ///< connect: the run created the repository
  std::optional<std::string> password_unfit;  ///< connect: why a new repository would not accept this password, though it opens this one
  std::optional<snapshot_row> snapshot;       ///< snapshot: confirmed by a list; also when Failed with SourceUnreadable
  std::optional<snapshot_stats> stats;        ///< snapshot
  std::optional<shrinkage> shrunk;            ///< snapshot: it holds much less than its predecessor
  std::optional<proto::left_out> left_out;    ///< snapshot: entries left out because of their names
  std::int64_t restored_bytes = 0, restored_files = 0, ignored_permission_errors = 0;  ///< restore
  std::optional<ownership_report> ownership;                                           ///< restore; absent: no comparison was possible
  std::optional<restore_preview> preview;                                              ///< restore as a dry run
  std::vector<std::string> remaining;  ///< delete, sweep: ids that the list afterwards still contains (truncated to fit)
  std::int64_t remaining_count = 0;    ///< delete, sweep
  std::int64_t deleted_count = 0;      ///< delete, sweep: requested ids that the list no longer contains
  std::int64_t rows = 0;               ///< list: number of rows on stdout
  std::int64_t total_bytes = 0;        ///< list: sum of the newest snapshot of each source
  std::int64_t reclaimed_bytes = 0;    ///< maintain
  std::string owner;                   ///< maintain: kopia's owner, whether ours or not
  int opens = 0;                       ///< number of times kopia opened the repository
};
KOPIUR_DESCRIBE_NOTED(kopia_result, (),
                      (version, run, attempt, outcome, failure, unique_ID, created, password_unfit, snapshot, stats, shrunk, left_out,
                       restored_bytes, restored_files, ignored_permission_errors, ownership, preview, remaining, remaining_count,
                       deleted_count, rows, total_bytes, reclaimed_bytes, owner, opens))

/// A line of progress, at most every 2 s.
struct kopia_progress {
  static constexpr std::string_view member = "progress";
  std::optional<double> percent;
  std::int64_t bytes_hashed = 0, bytes_uploaded = 0, files_processed = 0;
  std::string phase;  ///< connecting, hashing, restoring, listing, ...
};
KOPIUR_DESCRIBE_NOTED(kopia_progress, (), (percent, bytes_hashed, bytes_uploaded, files_processed, phase))

/// One entry of a directory of a snapshot (browse without `content`).
struct snapshot_entry {
  static constexpr std::string_view member = "entry";
  std::string name;             ///< as stored on disk; not always UTF-8
  std::string type;             ///< `d` directory, `f` file, `s` symbolic link, else kopia's letter
  std::string mode;             ///< octal, as in `0644`
  std::int64_t size_bytes = 0;  ///< for a directory: the sum of everything below it
  instant modified{};
};
KOPIUR_DESCRIBE_NOTED(snapshot_entry, (), (name, type, mode, size_bytes, modified))

/// One JSON object per line on the mover's stdout: `{"progress": {...}}`, `{"row": {...}}` or `{"entry": {...}}`. Browse with `content`
/// prints only the file's bytes instead.
using output_line = std::variant<kopia_progress, snapshot_row, snapshot_entry>;

/// One page of rows of a list.
struct row_page {
  std::vector<snapshot_row> rows;
};
KOPIUR_DESCRIBE(row_page, (), (rows))

}  // namespace kopiur::proto
