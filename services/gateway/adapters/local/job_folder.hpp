#pragma once
#include <optional>
#include <string>
#include <vector>

#include "common/json/describe.hpp"
#include "proto/events/command.hpp"
#include "services/gateway/adapters/local/files.hpp"
#include "services/gateway/adapters/local/mover_process.hpp"

namespace kopiur::gateway::local {

/// What is remembered of a Job's state between two lives of the gateway.
struct job_record {
  std::string uid;
  std::int64_t version = 0;  ///< of the mirrored Job
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

/// The folder `jobs/<run>-<attempt>` of one Job: everything that has to survive the gateway. Files: `spec.json` (the command; no secret),
/// `record.json`, `work.json` (real paths), `lock` (held by the mover for life), `starting` (the mover may have been started),
/// `process.json`, `stdout`, `stderr`, `result.json` (by the mover), `stop.json`; `deleted` alone where the Job was removed.
class job_folder {
 public:
  explicit job_folder(fs::path folder) : folder_(std::move(folder)) {}

  fs::path const& path() const { return folder_; }
  fs::path file_of(char const* name) const { return folder_ / name; }
  bool exists() const;

  /// Makes the folder with its spec and record at once: a crash leaves all of it or nothing.
  void make(proto::create_job const& spec, job_record const& record) const;
  std::optional<proto::create_job> spec() const;
  std::optional<job_record> record() const;
  void keep(job_record const& record) const;

  /// The Job was removed: a create that comes late is refused.
  bool is_deleted() const;
  /// Leaves nothing but the mark `deleted`; also where there was no Job.
  void mark_deleted() const;

  bool may_have_started() const;
  void mark_starting() const;
  void unmark_starting() const;
  std::optional<process_identity> process() const;
  void keep(process_identity const& process) const;
  std::optional<stop_record> stopping() const;
  void keep(stop_record const& stop) const;
  /// The mover's result; nothing while there is none, or it cannot be read.
  std::optional<proto::work_result> result() const;

 private:
  fs::path folder_;
};

/// The folder for files with a Job's secrets: in memory, never on a disk where the machine has a tmpfs for us; 0700.
class secrets_folder {
 public:
  /// `data` tells two gateways of one machine apart.
  explicit secrets_folder(fs::path const& data);
  fs::path folder_of(std::string const& job) const { return secrets_ / job; }
  void write(std::string const& job, std::string const& name, std::string_view content) const;
  void remove(std::string const& job) const;
  /// Removes what belongs to no job in `live`.
  void sweep(std::vector<std::string> const& live) const;

 private:
  fs::path secrets_;
};

}  // namespace kopiur::gateway::local
