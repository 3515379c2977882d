#include "services/mover/shell/target.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <memory>

#include "common/files/modes.hpp"
#include "services/mover/shell/failed.hpp"

namespace kopiur::mover {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(std::string sentence) { throw failed_run(proto::kopia_failure::TargetConflict, std::move(sentence)); }

entry_kind kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return entry_kind::Folder;
  if (S_ISREG(mode)) return entry_kind::File;
  return S_ISLNK(mode) ? entry_kind::Link : entry_kind::Other;
}

instant time_of(timespec const& spec) {
  return instant(std::chrono::duration_cast<duration>(std::chrono::seconds(spec.tv_sec)) +
                 std::chrono::duration_cast<duration>(std::chrono::nanoseconds(spec.tv_nsec)));
}

// Does not follow a link in the last path component; the components before it are checked as entries of their own.
found_entry look_at(std::string const& path) {
  struct stat facts{};
  if (::lstat(path.c_str(), &facts) != 0) {
    // A file in a folder's place is detected at its own entry. A name that is too long cannot exist.
    if (errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG) return {};
    throw failed_run(proto::kopia_failure::PermissionDenied, path + " cannot be looked at: " + std::strerror(errno) + ".");
  }
  return {.kind = kind_of(facts.st_mode),
          .has = {.uid = facts.st_uid, .gid = facts.st_gid, .mode = static_cast<int>(facts.st_mode & 07777)},
          .size_bytes = facts.st_size,
          .modified = time_of(facts.st_mtim)};
}

// A folder of the user, for programs of other users too.
void make(std::string const& path) {
  files::user_modes modes;
  std::error_code failed;
  fs::create_directories(path, failed);
  if (failed) throw failed_run(proto::kopia_failure::PermissionDenied, path + " cannot be made: " + failed.message() + ".");
}

}  // namespace

void restore_target::require_writable_parent() const {
  auto parent = fs::path(path_).parent_path();
  if (::access(parent.c_str(), W_OK) == 0 || errno != EROFS) return;
  throw failed_run(proto::kopia_failure::InvalidWork,
                   "The folder above the target " + path_ + " is read-only; mount the target below a writable one.");
}

void restore_target::require_folder() const {
  if (look_at(path_).kind == entry_kind::Nothing) make(path_);
  if (auto kind = look_at(path_).kind; kind != entry_kind::Folder)
    refuse("The target " + path_ + " is " + std::string(name_of(kind)) + ".");
}

bool restore_target::holds_something() const {
  std::error_code failed;
  bool any = std::ranges::any_of(fs::directory_iterator(path_, failed),
                                 [](auto& each) { return !is_file_systems_own(each.path().filename().string()); });
  if (failed) throw failed_run(proto::kopia_failure::PermissionDenied, path_ + " cannot be read: " + failed.message() + ".");
  return any;
}

found_entry restore_target::at(std::string const& relative) const { return look_at(full_path(relative)); }

void restore_target::require_room_for(tree_entry const& entry) const {
  if (is_file_systems_own(entry.path)) return;
  auto there = at(entry.path).kind;
  if (fits(there, entry.kind)) return;
  refuse("The target has " + std::string(name_of(there)) + " at " + entry.path + ", where the snapshot has " +
         std::string(name_of(entry.kind)) + ".");
}

void restore_target::make_folders(std::vector<tree_entry> const& from_root, proto::restore_options const& options) const {
  struct descriptor {
    int number = -1;
    ~descriptor() { ::close(number); }
  };
  auto owned = std::make_unique<descriptor>(::open(path_.c_str(), O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  for (auto& each : from_root) {
    if (each.path.empty()) continue;
    auto name = fs::path(each.path).filename().string();
    bool made = ::mkdirat(owned->number, name.c_str(), 0700) == 0;
    auto next = std::make_unique<descriptor>(::openat(owned->number, name.c_str(), O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (next->number < 0 && (errno == ENOTDIR || errno == ELOOP))
      refuse("The target has something other than a folder at " + each.path + ", where the snapshot has a folder.");
    if (next->number < 0)
      throw failed_run(proto::kopia_failure::PermissionDenied, each.path + " cannot be made in the target: " + std::strerror(errno) + ".");
    if (made && !options.skip_owners)
      std::ignore = ::fchown(next->number, static_cast<uid_t>(each.has.uid), static_cast<gid_t>(each.has.gid));
    if (made) std::ignore = ::fchmod(next->number, options.skip_permissions ? 0755 : static_cast<mode_t>(each.has.mode));
    owned = std::move(next);
  }
}

std::int64_t restore_target::extra_in(std::string const& folder, std::set<std::string> const& names) const {
  std::int64_t count = 0;
  std::error_code failed;
  for (auto& each : fs::directory_iterator(full_path(folder), failed)) {
    auto name = each.path().filename().string();
    if (names.contains(name) || is_file_systems_own(path_below(folder, name))) continue;
    bool is_folder = each.symlink_status(failed).type() == fs::file_type::directory;
    count += is_folder ? std::ranges::count_if(fs::recursive_directory_iterator(each.path(), failed),
                                               [](auto& below) {
                                                 std::error_code none;
                                                 return below.symlink_status(none).type() != fs::file_type::directory;
                                               })
                       : 1;
  }
  return count;
}

mover_rights own_rights() {
  mover_rights out{.uid = ::geteuid(), .gid = ::getegid()};
  std::vector<gid_t> groups(static_cast<std::size_t>(std::max(::getgroups(0, nullptr), 0)));
  auto count = ::getgroups(static_cast<int>(groups.size()), groups.data());
  for (int i = 0; i < count; ++i) out.groups.insert(groups[static_cast<std::size_t>(i)]);
  std::string word;
  for (std::ifstream status("/proc/self/status"); status >> word;)
    if (word == "CapEff:" && status >> word) out.may_chown = std::stoull(word, nullptr, 16) & 1U;  // CAP_CHOWN is bit 0
  return out;
}

}  // namespace kopiur::mover
