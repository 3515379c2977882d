#include "services/mover/shell/target.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "services/mover/shell/failed.hpp"

namespace kopiur::mover {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(std::string sentence) { throw failed_run(proto::failure_class::TargetConflict, std::move(sentence)); }

// Without following a link in its last part; the parts before it are entries of their own.
entry_kind kind_at(std::string const& path) {
  struct stat facts{};
  if (::lstat(path.c_str(), &facts) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) return entry_kind::Nothing;  // a file in a folder's place is met at its own entry
    throw failed_run(proto::failure_class::PermissionDenied, path + " cannot be looked at: " + std::strerror(errno) + ".");
  }
  if (S_ISDIR(facts.st_mode)) return entry_kind::Folder;
  if (S_ISREG(facts.st_mode)) return entry_kind::File;
  return S_ISLNK(facts.st_mode) ? entry_kind::Link : entry_kind::Other;
}

void make(std::string const& path) {
  std::error_code failed;
  fs::create_directories(path, failed);
  if (failed) throw failed_run(proto::failure_class::PermissionDenied, path + " cannot be made: " + failed.message() + ".");
}

}  // namespace

void restore_target::require_writable_parent() const {
  auto parent = fs::path(path_).parent_path();
  if (::access(parent.c_str(), W_OK) == 0 || errno != EROFS) return;
  throw failed_run(proto::failure_class::InvalidWork,
                   "The folder above the target " + path_ + " is read-only; mount the target below a writable one.");
}

bool restore_target::holds_something() const {
  if (kind_at(path_) == entry_kind::Nothing) make(path_);
  if (auto kind = kind_at(path_); kind != entry_kind::Folder) refuse("The target " + path_ + " is " + std::string(name_of(kind)) + ".");
  bool any = false;
  std::error_code failed;
  for (fs::recursive_directory_iterator at(path_, failed), end; !failed && at != end; at.increment(failed)) {
    auto relative = at->path().lexically_relative(path_).string();
    if (is_file_systems_own(relative)) {
      at.disable_recursion_pending();
      continue;
    }
    any = true;
    if (at->is_symlink(failed) && relative.find_first_of("\n\r") != std::string::npos)
      refuse("The target holds a link with a line break in its name (" + relative + "), which cannot be compared with the snapshot.");
  }
  if (failed) throw failed_run(proto::failure_class::PermissionDenied, path_ + " cannot be read: " + failed.message() + ".");
  return any;
}

void restore_target::require_room_for(listed_entry const& entry) const {
  if (is_file_systems_own(entry.path)) return;
  auto there = kind_at(path_ + "/" + entry.path);
  if (fits(there, entry.kind)) return;
  refuse("The target has " + std::string(name_of(there)) + " at " + entry.path + ", where the snapshot has " +
         std::string(name_of(entry.kind)) + ".");
}

}  // namespace kopiur::mover
