#pragma once
#include <sys/types.h>

#include <expected>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

/// Files that survive: whole or not there, whatever dies when. Failures of the disk are exceptions (std::system_error) that name the path.
namespace kopiur::gateway::local {

namespace fs = std::filesystem;

/// A descriptor that is closed with its owner.
class file {
 public:
  file() = default;
  explicit file(int number) : number_(number) {}
  file(file&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  file& operator=(file&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~file();
  int number() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }

 private:
  int number_ = -1;
};

/// Opens with O_CLOEXEC; throws.
file open_file(fs::path const& path, int flags, mode_t mode = 0600);
/// Makes the folder and those above it, durably.
void make_folder(fs::path const& folder, mode_t mode = 0755);
/// Replaces the file: a reader, and whoever comes after a crash, sees the old content or the new one. It has reached the disk on return.
void write_file(fs::path const& path, std::string_view content, mode_t mode = 0644);
/// The content, or nothing when there is no such file.
std::optional<std::string> read_file(fs::path const& path);
/// Removes the file durably; nothing happens when it is not there.
void remove_file(fs::path const& path);
/// Removes what write_file() left behind when it was killed.
void sweep_unfinished(fs::path const& folder);

/// An exclusive flock on a file, held until it is closed, and by every process that inherits the descriptor.
/// Nothing when another holds it.
std::optional<file> try_lock(fs::path const& path);
/// True when nobody holds the lock of that file, or there is none.
bool is_free(fs::path const& path);

}  // namespace kopiur::gateway::local
