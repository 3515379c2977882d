#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "common/time/instant.hpp"
#include "proto/describe.hpp"
#include "proto/kopiur/backend.hpp"

/// What a mover is told (a JSON file) and what it answers (progress lines on stdout, one result). Secrets are not in it: they come as
/// environment variables (KOPIA_PASSWORD, AWS_*, ...) or as files under `secrets`, put there by whoever starts the mover.
/// decisions.md section 4.
namespace kopiur::proto {

/// Who kopia says took a snapshot: `username@hostname:sourcePath`. Pinned in status, never rendered again.
struct identity {
  std::string username, hostname, source_path;
  auto operator<=>(identity const&) const = default;
};
KOPIUR_DESCRIBE_NOTED(identity, (), (username, hostname, source_path))

/// How a mover reaches one repository.
struct repository_access {
  proto::backend backend;
  std::string mount;                     ///< filesystem on a volume: its root inside the mover; else empty
  std::optional<std::string> unique_ID;  ///< kopia's id of the repository, compared at connect; absent only at the first connect
  std::string username, hostname;        ///< the client's own identity (maintenance owner, policies)
  bool read_only = false;
  std::optional<std::int64_t> content_cache_MB, metadata_cache_MB;
  std::string cache_directory;  ///< one per repository: two repositories in one folder lose data (field/kopia.md 6.6)
  std::string secrets;          ///< folder with secret files (sshKey, gcsKey, rcloneConfig, caBundle), else empty
};
KOPIUR_DESCRIBE_NOTED(repository_access, (),
                      (backend, mount, unique_ID, username, hostname, read_only, content_cache_MB, metadata_cache_MB, cache_directory,
                       secrets))

/// Opens the repository; makes it when there is none and `create` says so. Neutralises kopia's own retention, and verifies that.
struct connect_work {
  static constexpr std::string_view member = "connect";
  std::optional<create_behavior> create;
};
KOPIUR_DESCRIBE_NOTED(connect_work, (), (create))

/// The policy of one source, as kopia takes it.
struct snapshot_policy {
  std::optional<std::string> compressor, splitter;
  std::vector<std::string> never_compress, ignore_paths, extra_args;
  bool ignore_cache_dirs = true, ignore_file_errors = false, ignore_dir_errors = false, ignore_identical_snapshots = false;
  bool follow_ignore_files = true;  ///< the `.kopiaignore` files in the source
};
KOPIUR_DESCRIBE_NOTED(snapshot_policy, (),
                      (compressor, splitter, never_compress, ignore_paths, extra_args, ignore_cache_dirs, ignore_file_errors,
                       ignore_dir_errors, ignore_identical_snapshots, follow_ignore_files))

/// When a snapshot counts as shrunk: it holds much less than the one before it, its predecessor, which is the newest good one of its
/// source.
struct shrink_watch {
  int percent = 0;                       ///< of the predecessor's files or bytes; fewer is shrunk. 0: nobody looks
  std::optional<std::string> last_good;  ///< the newest snapshot of a Backup that Succeeded
  std::vector<std::string> held;         ///< those that are held: never a predecessor
};
KOPIUR_DESCRIBE_NOTED(shrink_watch, (), (percent, last_good, held))

/// Takes one snapshot of one folder. Done only when a list by the run's tag confirms it.
struct snapshot_work {
  static constexpr std::string_view member = "snapshot";
  std::string path;                         ///< the folder, inside the mover
  identity source;                          ///< what kopia records
  std::map<std::string, std::string> tags;  ///< the user's; `kopiur-run` is ours
  std::optional<std::string> description;
  snapshot_policy policy;
  std::optional<instant> start_time, end_time;  ///< import of history: both or none
  shrink_watch watch;
};
KOPIUR_DESCRIBE_NOTED(snapshot_work, (), (path, source, tags, description, policy, start_time, end_time, watch))

struct restore_options {
  bool enable_file_deletion = false, ignore_permission_errors = true, write_files_atomically = true;
  std::optional<std::string> path;  ///< only this file or folder of the snapshot, into its own place
  std::optional<int> parallel;      ///< files at a time; absent: kopia's own number
  bool overwrite_files = true;      ///< false: a file that is there and differs is refused before anything is written
  bool skip_owners = false, skip_permissions = false, sparse = false;
  bool require_ownership = false;  ///< fail where an owner, group or mode does not come back
};
KOPIUR_DESCRIBE_NOTED(restore_options, (),
                      (enable_file_deletion, ignore_permission_errors, write_files_atomically, path, parallel, overwrite_files, skip_owners,
                       skip_permissions, sparse, require_ownership))

/// Writes one snapshot into a folder. Refuses a link in the target where the snapshot holds something else at that path.
struct restore_work {
  static constexpr std::string_view member = "restore";
  std::string snapshot_ID;
  identity source;     ///< must be the snapshot's: another volume's bytes are never restored
  std::string target;  ///< the folder, inside the mover; the one above it must not be read-only (kopia removes a file beside the target)
  restore_options options;
  bool dry_run = false;  ///< write nothing, say what would be written; `target` may be empty then: nothing is there
};
KOPIUR_DESCRIBE_NOTED(restore_work, (), (snapshot_ID, source, target, options, dry_run))

/// A snapshot that is to be deleted, and what it has to be: one that is something else is left alone.
struct doomed_snapshot {
  std::string id;
  identity source;
  std::optional<std::string> run;  ///< whose tag it bears; absent: not known
};
KOPIUR_DESCRIBE_NOTED(doomed_snapshot, (), (id, source, run))

/// Deletes snapshots by exact manifest id, and lists afterwards.
struct delete_work {
  static constexpr std::string_view member = "delete";
  std::vector<doomed_snapshot> snapshots;
};
KOPIUR_DESCRIBE_NOTED(delete_work, (), (snapshots))

/// Takes away what a cancelled run left: complete snapshots with its tag, but for those in `keep` (recorded by a Backup's status).
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
  std::string owner;  ///< kopia's maintenance owner, `user@host`; set when it is unset, ours, or may be taken over
  takeover_policy takeover = takeover_policy::PromptCondition;
};
KOPIUR_DESCRIBE_NOTED(maintain_work, (), (full, owner, takeover))

/// Lists all complete snapshots: each is a row on stdout.
struct list_work {
  static constexpr std::string_view member = "list";
};
KOPIUR_DESCRIBE_NOTED(list_work, (), ())

/// Read-only: the entries of a folder, or the bytes of a file, of a snapshot; on stdout.
struct browse_work {
  static constexpr std::string_view member = "browse";
  std::string snapshot_ID, path;
  bool content = false;  ///< true: cat; false: ls
};
KOPIUR_DESCRIBE_NOTED(browse_work, (), (snapshot_ID, path, content))

using verb = std::variant<connect_work, snapshot_work, restore_work, delete_work, sweep_work, maintain_work, list_work, browse_work>;

struct work {
  static constexpr int current_version = 1;
  int version = current_version;
  std::string run;  ///< becomes the tag `kopiur-run` of a snapshot
  int attempt = 1;  ///< after the first: look for the run's tag before acting
  repository_access repository;
  verb task;
};
KOPIUR_DESCRIBE_NOTED(work, (), (version, run, attempt, repository, task))

/// Every way a mover can fail, closed: each has advice (services/mover). `retryable` is a property of the class, except Unknown.
enum class failure_class {
  WrongPassword,  ///< the repository is there, the password is not its own
  PasswordMissing,
  NotInitialized,        ///< nothing at the location, and create is off
  LocationOccupied,      ///< data there that is no repository we can read: never created over
  Unreachable,           ///< network, host, endpoint
  AccessDenied,          ///< the backend refuses the credentials
  BackendMisconfigured,  ///< a missing bucket, a malformed URL, a missing flag
  WrongRepository,       ///< another unique id than the pinned one, or a foreign cache
  SourceMissing,
  SourceUnreadable,  ///< some files could not be read; a partial snapshot may exist
  TargetConflict,    ///< a link or a file in the target where the snapshot holds something else
  PermissionDenied,  ///< writing the target
  SnapshotMissing,
  DataLost,  ///< blobs that the snapshot needs are gone
  DiskFull,
  NotMaintenanceOwner,
  OwnershipNotKept,  ///< owners or modes did not come back, and `requireOwnership` asks for them
  ClockSkew,
  Locked,  ///< another maintenance of this host runs
  KopiaMissing,
  KopiaUnsupported,  ///< a version we have not tested
  InvalidWork,       ///< the work spec itself
  Cancelled,
  DeadlineExceeded,
  QuiesceTimeout,       ///< hooks held the application for longer than they may
  MissedOccasion,       ///< the other sources of its group were captured without it
  PreconditionMissing,  ///< what it needs was not there for longer than it may wait
  PodNotStarted,        ///< its pod could not start: image, scheduling, volume
  MoverLost,            ///< no result: killed, evicted, node gone
  OutOfMemory,
  HookFailed,  ///< a before-hook; nothing was backed up
  Unknown
};
BOOST_DESCRIBE_ENUM(failure_class, WrongPassword, PasswordMissing, NotInitialized, LocationOccupied, Unreachable, AccessDenied,
                    BackendMisconfigured, WrongRepository, SourceMissing, SourceUnreadable, TargetConflict, PermissionDenied,
                    SnapshotMissing, DataLost, DiskFull, NotMaintenanceOwner, OwnershipNotKept, ClockSkew, Locked, KopiaMissing,
                    KopiaUnsupported, InvalidWork, Cancelled, DeadlineExceeded, QuiesceTimeout, MissedOccasion, PreconditionMissing,
                    PodNotStarted, MoverLost, OutOfMemory, HookFailed, Unknown)

struct run_failure {
  failure_class class_ = failure_class::Unknown;
  std::string message;      ///< a sentence: what, why, how to fix
  std::string stderr_tail;  ///< kopia's last line, secrets never in it
  bool retryable = false;
};
KOPIUR_DESCRIBE_NOTED(run_failure, (), (class_, message, stderr_tail, retryable))

/// What a snapshot is compared with (decisions.md section 13), as it says itself in the tag `kopiur-baseline`: so it is known when its
/// Backup is gone, or all of the cluster. That somebody compared with a snapshot proves that it was good, or accepted.
struct baseline {
  std::string snapshot;  ///< the newest good one of the source
  int percent = 0;       ///< of its files or bytes; fewer is shrunk
  bool operator==(baseline const&) const = default;
};
KOPIUR_DESCRIBE_NOTED(baseline, (), (snapshot, percent))

/// One complete snapshot, as kopia lists it.
struct snapshot_row {
  static constexpr std::string_view member = "row";
  std::string id;
  identity source;
  instant start_time{}, end_time{};
  std::int64_t size_bytes = 0, files = 0, dirs = 0;
  std::int64_t error_count = 0;    ///< files that could not be read
  std::int64_t failed_count = 0;   ///< those of them that no policy ignores: the snapshot is partial
  std::optional<std::string> run;  ///< the tag `kopiur-run`
  std::optional<std::string> description;
  std::optional<proto::baseline> baseline;
};
KOPIUR_DESCRIBE_NOTED(snapshot_row, (),
                      (id, source, start_time, end_time, size_bytes, files, dirs, error_count, failed_count, run, description, baseline))

struct snapshot_stats {
  std::int64_t size_bytes = 0;
  std::int64_t bytes_new = 0;       ///< read and hashed, as files were new or changed; kopia rounds to four digits
  std::int64_t files_new = 0;       ///< new or changed: kopia does not tell them apart
  std::int64_t files_modified = 0;  ///< always 0 for kopia, see files_new
  std::int64_t files_unchanged = 0, error_count = 0;
};
KOPIUR_DESCRIBE_NOTED(snapshot_stats, (), (size_bytes, bytes_new, files_new, files_modified, files_unchanged, error_count))

/// A snapshot that holds much less than its predecessor.
struct shrinkage {
  std::string snapshot;     ///< the one that shrank; where nothing had changed since, an older one than this run's
  std::string predecessor;  ///< the one that it is compared with
  std::int64_t files = 0, size_bytes = 0, files_before = 0, size_bytes_before = 0;
  bool operator==(shrinkage const&) const = default;
};
KOPIUR_DESCRIBE_NOTED(shrinkage, (), (snapshot, predecessor, files, size_bytes, files_before, size_bytes_before))

/// What a snapshot lacks though no policy says so: kopia cannot keep its name, or it is kopiur's own.
struct left_out {
  std::int64_t placeholders = 0;      ///< entries that kopia would take for placeholders of its own (`*.kopia-entry`)
  std::int64_t files = 0;             ///< others: their names are not UTF-8, or a placeholder hides them
  std::int64_t rules = 0;             ///< `.kopiaignore` entries that cannot be read: none was followed, so more was saved
  std::int64_t own = 0;               ///< the repository that the snapshot goes into, and what kopiur keeps in its data folder
  std::vector<std::string> examples;  ///< at most three paths; `\xE9` for a byte that is not UTF-8
  bool operator==(left_out const&) const = default;
};
KOPIUR_DESCRIBE_NOTED(left_out, (), (placeholders, files, rules, own, examples))

/// Owners, groups and modes in the target after a restore, compared with the snapshot's.
struct ownership_report {
  std::int64_t entries = 0;           ///< compared
  std::int64_t lost = 0;              ///< those with another owner, group or mode
  std::vector<std::string> examples;  ///< at most three: path, what the snapshot has, what there is
  bool operator==(ownership_report const&) const = default;
};
KOPIUR_DESCRIBE_NOTED(ownership_report, (), (entries, lost, examples))

/// What a restore would do; nothing of it has been done.
struct restore_preview {
  std::string snapshot_ID;
  instant snapshot_time{};
  std::int64_t files = 0, folders = 0, bytes = 0;                      ///< of the snapshot, or of the part of it that is asked for
  std::int64_t created = 0, replaced = 0, unchanged = 0, deleted = 0;  ///< files and links of the target
  std::int64_t ownership_lost = 0;                                     ///< entries whose owner, group or mode cannot be kept
  std::vector<std::string> examples;                                   ///< of those, at most three
};
KOPIUR_DESCRIBE_NOTED(restore_preview, (),
                      (snapshot_ID, snapshot_time, files, folders, bytes, created, replaced, unchanged, deleted, ownership_lost, examples))

enum class outcome { Succeeded, Unchanged, Failed };
BOOST_DESCRIBE_ENUM(outcome, Succeeded, Unchanged, Failed)

/// How a run ended; at most 2 KiB as text. Which optional parts are set follows from the verb.
struct work_result {
  int version = work::current_version;
  std::string run;
  int attempt = 1;
  proto::outcome outcome = proto::outcome::Failed;
  std::optional<run_failure> failure;         ///< set exactly when Failed
  std::optional<std::string> unique_ID;       ///< every verb that opened the repository
  bool created = false;                       ///< connect: we made it
  std::optional<std::string> password_unfit;  ///< connect: why no repository would be made with this password, though it opens this one
  std::optional<snapshot_row> snapshot;       ///< snapshot: confirmed by a list; also when Failed with SourceUnreadable
  std::optional<snapshot_stats> stats;        ///< snapshot
  std::optional<shrinkage> shrunk;            ///< snapshot: it holds much less than its predecessor
  std::optional<proto::left_out> left_out;    ///< snapshot: something was, by its name
  std::int64_t restored_bytes = 0, restored_files = 0, ignored_permission_errors = 0;  ///< restore
  std::optional<ownership_report> ownership;                                           ///< restore; absent: it could not be compared
  std::optional<restore_preview> preview;                                              ///< restore that is a dry run
  std::vector<std::string> remaining;  ///< delete, sweep: ids that a list afterwards still has (cut to what fits)
  std::int64_t remaining_count = 0;    ///< delete, sweep
  std::int64_t deleted_count = 0;      ///< delete, sweep: ids asked for that the list lacks
  std::int64_t rows = 0;               ///< list: how many rows went to stdout
  std::int64_t total_bytes = 0;        ///< list: sum of the newest snapshot of each source
  std::int64_t reclaimed_bytes = 0;    ///< maintain
  std::string owner;                   ///< maintain: kopia's owner, ours or the foreign one
  int opens = 0;                       ///< how often kopia opened the repository
};
KOPIUR_DESCRIBE_NOTED(work_result, (),
                      (version, run, attempt, outcome, failure, unique_ID, created, password_unfit, snapshot, stats, shrunk, left_out,
                       restored_bytes, restored_files, ignored_permission_errors, ownership, preview, remaining, remaining_count,
                       deleted_count, rows, total_bytes, reclaimed_bytes, owner, opens))

/// A line of progress, at most every 2 s.
struct work_progress {
  static constexpr std::string_view member = "progress";
  std::optional<double> percent;
  std::int64_t bytes_hashed = 0, bytes_uploaded = 0, files_processed = 0;
  std::string phase;  ///< connecting, hashing, restoring, listing, ...
};
KOPIUR_DESCRIBE_NOTED(work_progress, (), (percent, bytes_hashed, bytes_uploaded, files_processed, phase))

/// One entry of a folder of a snapshot (browse without `content`).
struct snapshot_entry {
  static constexpr std::string_view member = "entry";
  std::string name;             ///< as it is on disk; not always UTF-8
  std::string type;             ///< `d` folder, `f` file, `s` symbolic link, else kopia's letter
  std::string mode;             ///< octal, as `0644`
  std::int64_t size_bytes = 0;  ///< a folder's is that of all below it
  instant modified{};
};
KOPIUR_DESCRIBE_NOTED(snapshot_entry, (), (name, type, mode, size_bytes, modified))

/// What stands on the mover's stdout, one JSON object a line: `{"progress": {...}}`, `{"row": {...}}` or `{"entry": {...}}`. Browse with
/// `content` prints the file's bytes instead, and nothing else.
using output_line = std::variant<work_progress, snapshot_row, snapshot_entry>;

}  // namespace kopiur::proto
