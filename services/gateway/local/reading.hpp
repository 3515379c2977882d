#pragma once
#include <map>
#include <string>

#include "common/process/child.hpp"
#include "services/gateway/local/job_start.hpp"

namespace kopiur::gateway::local {

/// A mover that only reads a repository, for a user of this host (decisions.md section 10: `ls` and `cat`). It gets Secrets and volumes of
/// the data folder as a Job would. No Job is created, and nothing is left behind.
class reading {
 public:
  explicit reading(fs::path data);
  reading(reading const&) = delete;
  ~reading();

  /// The command to run, with its stdout for the caller to read; refused with a sentence when a Secret or a volume is missing.
  outcome<process::command> prepare(mover_settings const& settings, proto::create_job const& spec) const;
  /// The mover's result after it ended; nothing when it wrote none.
  std::optional<proto::job_result> result() const;

 private:
  fs::path data_;
  secrets_folder secrets_;
  std::string name_;
};

}  // namespace kopiur::gateway::local
