#pragma once
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "proto/events/command.hpp"
#include "services/gateway/core/refusal.hpp"

/// What a Job of ours is made of, as values: its name, its work with real paths, the pages of its rows, its log without secrets.
namespace kopiur::gateway {

/// `<run>-<attempt>`; refused when the run's id would be no safe file name.
outcome<std::string> job_name(std::string const& run, int attempt);

/// `work` with `{{name}}` replaced by real folders where a path stands (mount, cache, secrets, the folders of the task): what the user
/// wrote elsewhere is left alone. Refused when a path names a volume that the command does not bring.
outcome<proto::work> with_paths(proto::work work, std::map<std::string, std::string> const& folders);

/// What tells one repository's cache from another's: two repositories in one folder lose data.
std::string cache_key(proto::repository_access const& repository);

/// The Job as it is mirrored: resource kind `Job`, labelled with its run.
json::value job_object(proto::job const& job, std::int64_t version);
/// The Job that this command has made, as it is mirrored.
proto::job job_of(proto::create_job const& spec, std::string uid, proto::job_status status);

/// Why a mover was told to stop, as it stands in the status of its Job.
inline constexpr std::string_view stop_deleted = "Deleted", stop_deadline = "DeadlineExceeded", stop_output = "OutputTooLarge";

/// What is known once nothing of a Job runs any more.
struct job_end {
  std::optional<proto::work_result> result;  ///< as the mover left it
  std::string stopped;                       ///< why we told it to stop; empty: it ended by itself
  std::string how;                           ///< `exit status 1`, `signal 9`; empty where we were not its parent
  bool started = true;
};
/// The last status of a Job: Finished with its own run's result, else Lost with a sentence. A mover that was stopped at its deadline
/// reports Cancelled, since it cannot know better: that is told as the deadline.
proto::job_status ended(proto::job_status status, proto::create_job const& spec, job_end const& end, instant now);

/// Gathers rows to pages of at most 200 rows or 48 KiB.
class row_pager {
 public:
  static constexpr std::size_t max_rows = 200, max_bytes = 48 * 1024;
  /// Takes a row; hands over the page that it did not fit into any more.
  std::optional<proto::row_page> add(proto::snapshot_row row);
  /// The rest, where there is any.
  std::optional<proto::row_page> finish();

 private:
  proto::row_page page_;
  std::size_t bytes_ = 0;
};

/// `text` with every secret of at least four characters replaced by `***`, also where it spans lines.
std::string masked(std::string text, std::vector<std::string> const& secrets);
/// The last `limit` bytes at most, from the beginning of a character.
std::string tail(std::string_view text, std::size_t limit);

}  // namespace kopiur::gateway
