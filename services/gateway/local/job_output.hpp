#pragma once
#include <functional>
#include <string>
#include <vector>

#include "common/process/lines.hpp"
#include "services/gateway/core/mover_output.hpp"
#include "services/gateway/local/job_folder.hpp"

namespace kopiur::gateway::local {

/// Reads a mover's output from the beginning, while it is written: the newest progress of each read, and pages of rows.
class job_output {
 public:
  struct sinks {
    std::function<void(json::value const&)> progress;
    std::function<void(proto::output_page)> page;
  };
  job_output(job_folder folder, sinks sinks, output_limits limits);

  /// Reads on, at most 1 MiB. True when there may be more to read: not beyond the limits, so that a mover that prints faster than it is
  /// read is stopped.
  bool read_on();
  /// The mover has ended and everything is read: emits the last page.
  void finish();
  /// It printed more than it may.
  bool is_too_large() const { return said_.is_too_large(); }

 private:
  job_folder folder_;
  sinks sinks_;
  mover_output said_;
  std::optional<json::value> newest_;
  process::line_splitter lines_;
  std::uint64_t offset_ = 0;
};

/// The end of a mover's stderr: at most 4 KiB, without the values of `secrets`. tail() truncates a file over 1 MiB to empty.
class job_log {
 public:
  explicit job_log(job_folder folder) : folder_(std::move(folder)) {}
  std::string tail(std::vector<std::string> const& secrets);

 private:
  job_folder folder_;
  std::string before_;  // end of the content that truncation removed
};

}  // namespace kopiur::gateway::local
