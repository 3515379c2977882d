#pragma once
#include <sys/types.h>

#include <chrono>
#include <expected>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

/// Crash-safe files: complete or absent, whatever crashes. Disk failures are exceptions (std::system_error) that name the path.
namespace kopiur::files {

namespace fs = std::filesystem;

/// Owns a file descriptor.
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

/// A file was replaced or removed, and readers see that, but its folder could not be synced: a crash of the host may bring back the old
/// state.
struct not_durable : std::system_error {
  using std::system_error::system_error;
};

/// Whether the name is that of a file in a folder: without a slash, and not hidden.
bool is_plain_name(std::string_view name);
/// Opens with O_CLOEXEC; throws.
file open_file(fs::path const& path, int flags, mode_t mode = 0600);
/// Syncs the folder: files that were replaced or removed in it stay so, also after a crash.
void sync_folder(fs::path const& folder);
/// Creates the folder and its parents, durably. Nothing is created if that fails.
void make_folder(fs::path const& folder, mode_t mode = 0755);
/// Replaces the file atomically: readers, also after a crash, see the old or the new content. It has reached the disk on return;
/// not_durable: it may not have.
void write_file(fs::path const& path, std::string_view content, mode_t mode = 0644);
/// The content, or nothing when there is no such file.
std::optional<std::string> read_file(fs::path const& path);
/// Removes the file durably; does nothing when it does not exist. not_durable: a crash may bring it back.
void remove_file(fs::path const& path);
/// Removes the drafts of interrupted write_file() calls.
void sweep_unfinished(fs::path const& folder);

/// Whether this is a folder of this user, and no link to one.
bool is_own_folder(fs::path const& path);
/// An exclusive flock on a folder that exists, as try_lock has it; nothing also when it cannot be opened.
std::optional<file> try_lock_folder(fs::path const& path);
/// Removes the folders in `parent` that this user owns, whose names begin with `prefix`, and that no process has locked by flock: those of
/// killed processes. Folders that changed within `age` stay: a new one may not be locked yet.
void sweep_unlocked(fs::path const& parent, std::string_view prefix, std::chrono::seconds age = std::chrono::seconds(60));

/// An exclusive flock on a file, held until the file is closed by this process and every process that inherits the descriptor. Nothing when
/// another process holds it.
std::optional<file> try_lock(fs::path const& path);
/// True when no process holds the lock of that file, or the file does not exist.
bool is_free(fs::path const& path);

}  // namespace kopiur::files
