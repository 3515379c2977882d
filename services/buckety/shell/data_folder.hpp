#pragma once
#include <string>

#include "common/files/files.hpp"

namespace kopiur::buckety::program {

/// `buckety` below the first of TMPDIR, /tmp and /dev/shm that this process may write: a pod with a read-only root has at least the last.
std::string default_data_dir();

/// A folder without a bus, used by this process alone while the object lives.
class data_folder {
 public:
  /// Throws std::runtime_error with a sentence when the folder cannot be written, or another process uses it.
  explicit data_folder(std::string path);
  std::string const& path() const { return path_; }

 private:
  std::string path_;
  files::file lock_;
};

}  // namespace kopiur::buckety::program
