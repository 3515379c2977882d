#pragma once
#include <optional>
#include <string>

#include "common/files/files.hpp"
#include "proto/kopiur/kopia_task.hpp"
#include "services/mover/core/backend.hpp"

namespace kopiur::mover {

/// A private folder of one run (0700): it holds kopia's config file, which may contain keys in clear text, and the part of its cache that
/// must not be shared. It is on a tmpfs, so that keys never reach a disk. The destructor removes it; the next mover, and on a host the
/// gateway, remove the folder of a killed one.
class private_folder {
 public:
  /// Creates it below the first tmpfs of XDG_RUNTIME_DIR and /dev/shm. Without one it goes below TMPDIR or /tmp; with `holds_keys`
  /// BackendMisconfigured is thrown instead.
  private_folder(environment const& variables, bool holds_keys);
  ~private_folder();
  private_folder(private_folder const&) = delete;

  std::string const& path() const { return path_; }

 private:
  std::string path_;
  std::optional<files::file> lock_;  // as long as it lives, nobody takes the folder for that of a killed mover
};

/// Creates the cache folder of a run. Immutable data of a repository (contents, metadata, indexes) is shared through `shared`. The format
/// blob and listings are private to the run. A format blob from another repository's cache makes kopia write with the wrong keys (field
/// notes: the second repository can then be opened from nowhere else). A stale listing hides a snapshot that was just made elsewhere.
/// `shared` belongs to one repository: throws WrongRepository when it was used with an id other than `unique_ID`. Without `unique_ID`
/// nothing is shared.
void prepare_cache(run_paths const& paths, std::string const& shared, std::optional<std::string> const& unique_ID);

/// Writes a file that only this user can read.
void write_private_file(std::string const& path, std::string_view content);
/// The content, or nothing when the file does not exist.
std::optional<std::string> read_file(std::string const& path);

}  // namespace kopiur::mover
