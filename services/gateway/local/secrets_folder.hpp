#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/files/files.hpp"

namespace kopiur::gateway::local {

namespace fs = std::filesystem;

/// The tmpfs of this user, or of this host, for files that must not reach a disk; `data` when there is none.
fs::path memory_folder(fs::path const& data);

/// The folder for files with a Job's secrets: in memory where the host has a usable tmpfs, else on disk; mode 0700. The gateway of a data
/// folder owns it (own()), and removes it at its end unless a mover still needs it.
class secrets_folder {
 public:
  /// `data` distinguishes two gateways of one host.
  explicit secrets_folder(fs::path const& data);
  secrets_folder(secrets_folder&&) = default;
  ~secrets_folder();

  /// Called by the gateway, which has locked the data folder: records whose folder this is.
  void own();

  fs::path folder_of(std::string const& job) const { return secrets_ / job; }
  void write(std::string const& job, std::string const& name, std::string_view content) const;
  void remove(std::string const& job) const;
  /// Removes the files of all jobs that are not in `live`, and of readers that have ended.
  void sweep(std::vector<std::string> const& live) const;
  /// Removes the folders in memory of gateways that have ended, and whose data folder does not exist any more. Each records that; others
  /// are left alone.
  void sweep_others() const;

  /// The name under which this process reads: no sweep removes its files as long as it lives.
  static std::string name_of_reader();

 private:
  fs::path data_, secrets_;
  std::optional<files::file> owner_;  // locked
};

}  // namespace kopiur::gateway::local
