#pragma once
#include <optional>
#include <string>
#include <vector>

#include "common/files/files.hpp"
#include "common/json/describe.hpp"
#include "common/process/detached.hpp"
#include "proto/events/command.hpp"

namespace kopiur::gateway::local {

namespace fs = std::filesystem;

/// The state of a Job that survives a restart of the gateway.
struct job_record {
  std::string uid;
  std::int64_t version = 0;  ///< resource version of the mirrored Job
  instant created_at{};      ///< the deadline counts from here
  proto::job_status status;
};
KOPIUR_DESCRIBE(job_record, (), (uid, version, created_at, status))

/// Why a mover is being stopped.
struct stop_record {
  std::string reason;  ///< `Deleted`, `DeadlineExceeded`, `OutputTooLarge`
  instant since{};
};
KOPIUR_DESCRIBE(stop_record, (), (reason, since))

/// The folder `jobs/<run>-<attempt>` of one Job: everything that must survive the gateway. Files: `spec.json` (the command; no secret),
/// `record.json`, `work.json` (real paths), `lock` (held by the mover for its lifetime), `starting` (the mover may have been started),
/// `process.json`, `stdout`, `stderr`, `result.json` (by the mover), `stop.json`; only `deleted` when the Job was removed.
class job_folder {
 public:
  explicit job_folder(fs::path folder) : folder_(std::move(folder)) {}

  fs::path const& path() const { return folder_; }
  fs::path file_of(char const* name) const { return folder_ / name; }
  bool exists() const;

  /// Creates the folder with its spec and record atomically: a crash leaves all of it or nothing.
  void make(proto::create_job const& spec, job_record const& record) const;
  std::optional<proto::create_job> spec() const;
  std::optional<job_record> record() const;
  void keep(job_record const& record) const;

  /// The Job was removed: a late create is refused.
  bool is_deleted() const;
  /// Leaves only the mark `deleted`; also when there was no Job.
  void mark_deleted() const;

  bool may_have_started() const;
  void mark_starting() const;
  void unmark_starting() const;
  std::optional<process::identity> process() const;
  void keep(process::identity const& process) const;
  std::optional<stop_record> stopping() const;
  void keep(stop_record const& stop) const;
  /// The mover's result; nothing when it does not exist or cannot be read.
  std::string result() const;

 private:
  fs::path folder_;
};

}  // namespace kopiur::gateway::local
