#pragma once
#include "common/files/files.hpp"

namespace kopiur::executor {

/// A new file of mode 0600 for a snapshot. It is removed with this object, and so is its folder, unless it is kept. Failures of the disk
/// are std::system_error, whose what() names the path.
class snapshot_file {
 public:
  /// At `path`, which must not exist; empty: in a new private folder below TMPDIR, or /tmp.
  explicit snapshot_file(std::string const& path);
  snapshot_file(snapshot_file const&) = delete;
  ~snapshot_file();

  void write(std::string_view bytes);
  /// All is written. A file with a path of its own stays from now on.
  void finish();
  /// Absolute.
  files::fs::path const& path() const { return path_; }

 private:
  files::fs::path folder_;  // ours; empty: the caller chose the path
  files::fs::path path_;
  files::file out_;
  bool kept_ = false;
};

}  // namespace kopiur::executor
