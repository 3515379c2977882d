#pragma once
#include <map>
#include <string>

#include "common/process/child.hpp"
#include "services/gateway/adapters/local/jobs.hpp"

namespace kopiur::gateway::local {

/// A mover that only reads a repository, for a person at this host (decisions.md section 10: `ls` and `cat`). It gets Secrets and volumes
/// of the data folder as a Job would; no Job is made, and nothing is left behind.
class reading {
 public:
  explicit reading(fs::path data);
  reading(reading const&) = delete;
  ~reading();

  /// The command to run, with its stdout for the caller to read; refused with a sentence where a Secret or a volume is missing.
  outcome<process::command> prepare(mover_settings const& settings, proto::create_job const& spec) const;
  /// What the mover said of its end, once it has ended; nothing when it left nothing.
  std::optional<proto::work_result> result() const;

 private:
  fs::path data_;
  secrets_folder secrets_;
  std::string name_;
};

}  // namespace kopiur::gateway::local
