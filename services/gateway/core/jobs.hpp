#pragma once
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "proto/events/command.hpp"
#include "services/gateway/core/refusal.hpp"

/// Values from which the gateway builds a Job: its name, its work with real paths, the pages of its rows, its log without secrets.
namespace kopiur::gateway {

/// `<run>-<attempt>`. Refused when the run's id is not a safe file name.
outcome<std::string> job_name(std::string const& run, int attempt);

/// The file from which the program of a Job reads its task, with real folders in it; empty for a pod of plain containers. Refused when a
/// path names a volume that the command does not contain.
outcome<std::string> task_text(proto::create_job const& spec, std::map<std::string, std::string> const& folders);

/// The name of the folder with the cache of a Job's program, on a host. A command of an older version states none: its Job gets a folder of
/// its own, because two repositories in one folder lose data.
std::string cache_folder(proto::create_job const& spec);

/// The Job as it is mirrored: resource kind `Job`, labelled with its run.
json::value job_object(proto::job const& job, std::int64_t version);
/// The Job that this command created, in the form in which it is mirrored.
proto::job job_of(proto::create_job const& spec, std::string uid, proto::job_status status);

/// Why a mover was stopped, as written into the status of its Job.
inline constexpr std::string_view stop_deleted = "Deleted", stop_deadline = "DeadlineExceeded", stop_output = "OutputTooLarge";

/// What is known once no process of a Job runs any more.
struct job_end {
  std::string said;                         ///< what its program left as its result: a file, or a termination message
  std::optional<std::int64_t> exit_status;  ///< of the container that ended; absent: unknown
  std::string container;                    ///< its name; empty: there are no containers
  std::string stopped;                      ///< why the gateway stopped it; empty: it ended by itself
  std::string ending;                       ///< `exit status 1`, `signal 9`; empty when the gateway was not its parent
  bool started = true;
};
/// The final status of a Job: Finished with the result of its own run, else Lost with a sentence. The result is what its program wrote, or
/// for a plan of plain containers a pod_report. A mover that was stopped at its deadline reports Cancelled, since it does not know the
/// reason; the status then reports the deadline.
proto::job_status ended(proto::job_status status, proto::create_job const& spec, job_end const& end, instant now);

/// Groups rows into pages of at most 200 rows or 48 KiB.
class row_pager {
 public:
  static constexpr std::size_t max_rows = 200, max_bytes = 48 * 1024;
  /// Adds a row. Returns the finished page when the row did not fit into it.
  std::optional<proto::output_page> add(json::value row);
  /// The remaining rows, if any.
  std::optional<proto::output_page> finish();

 private:
  proto::output_page page_;
  std::size_t bytes_ = 0;
};

}  // namespace kopiur::gateway
