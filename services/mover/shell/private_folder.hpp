#pragma once
#include <optional>
#include <string>

#include "proto/work.hpp"
#include "services/mover/core/backend.hpp"

namespace kopiur::mover {

/// A folder of this run alone (0700): kopia's config file, which may hold keys in clear, and the part of its cache that must not be shared.
/// On a tmpfs, so that keys never reach a disk. Removed with this object; what a killed mover left is removed by the next one.
class private_folder {
 public:
  /// Makes it below the first tmpfs of XDG_RUNTIME_DIR and /dev/shm; without one, below TMPDIR, unless `holds_keys`: then
  /// BackendMisconfigured is thrown.
  private_folder(environment const& variables, bool holds_keys);
  ~private_folder();
  private_folder(private_folder const&) = delete;

  std::string const& path() const { return path_; }

 private:
  std::string path_;
  int lock_ = -1;
};

/// Makes the cache folder of a run. What is immutable in a repository (contents, indexes) is shared through `shared`; the format blob and
/// listings are the run's own: read through a cache of another repository they would make kopia write with the wrong keys (field notes: the
/// second repository can then be opened from nowhere else), and a stale listing would hide a snapshot that was just made elsewhere.
/// `shared` belongs to one repository: throws WrongRepository when it was used for another than `unique_ID`. Without `unique_ID` nothing
/// is shared.
void prepare_cache(run_paths const& paths, std::string const& shared, std::optional<std::string> const& unique_ID);

/// A file that only we can read, with this content.
void write_private_file(std::string const& path, std::string_view content);
/// The content, or nothing when there is none.
std::optional<std::string> read_file(std::string const& path);

}  // namespace kopiur::mover
