#include "services/mover/shell/walk.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <vector>

#include "services/mover/core/policy.hpp"
#include "services/mover/shell/failed.hpp"

namespace kopiur::mover {

namespace {

struct closing {
  void operator()(DIR* folder) const { ::closedir(folder); }
};
struct level {
  std::unique_ptr<DIR, closing> folder;
  std::size_t path_length;  ///< of the path to it
};

/// nullptr: it cannot be read, is something else than a folder, or is gone.
std::unique_ptr<DIR, closing> open_at(int above, char const* name, int flags) {
  int number = ::openat(above, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | flags);
  if (number < 0 && (errno == EMFILE || errno == ENFILE))
    throw failed_run(proto::failure_class::Unknown, "The source has more nested folders than files may be open (ulimit -n).");
  if (number < 0) return nullptr;
  auto* folder = ::fdopendir(number);
  if (!folder) ::close(number);
  return std::unique_ptr<DIR, closing>(folder);
}

bool is_folder(DIR* in, dirent const& entry) {
  if (entry.d_type != DT_UNKNOWN) return entry.d_type == DT_DIR;
  struct stat facts{};
  return ::fstatat(::dirfd(in), entry.d_name, &facts, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(facts.st_mode);
}

/// A file, or a link that leads to one. kopia stops at all else, and hangs at a pipe.
bool can_be_read(DIR* in, char const* name) {
  struct stat facts{};
  bool is_file = ::fstatat(::dirfd(in), name, &facts, 0) == 0 && S_ISREG(facts.st_mode);
  return is_file && ::faccessat(::dirfd(in), name, R_OK, AT_EACCESS) == 0;
}

}  // namespace

odd_names find_odd_names(std::string const& root) {
  odd_names found;
  std::string path;  // below the root
  std::vector<level> levels;
  if (auto top = open_at(AT_FDCWD, root.c_str(), 0)) levels.push_back({std::move(top), 0});
  while (!levels.empty()) {
    auto* in = levels.back().folder.get();
    path.resize(levels.back().path_length);
    auto* entry = ::readdir(in);
    if (!entry) {
      levels.pop_back();
      continue;
    }
    std::string_view name = entry->d_name;
    if (name == "." || name == "..") continue;
    found.meet(path, name, [&](std::string const& other) {
      struct stat facts{};
      return ::fstatat(::dirfd(in), other.c_str(), &facts, AT_SYMLINK_NOFOLLOW) == 0;
    });
    if (name == ignore_file && !can_be_read(in, entry->d_name)) found.meet_broken_rules(path, name);
    if (!is_folder(in, *entry)) continue;
    auto below = open_at(::dirfd(in), entry->d_name, O_NOFOLLOW);
    if (!below) continue;
    if (!path.empty()) path += '/';
    path += name;
    levels.push_back({std::move(below), path.size()});
  }
  if (found.too_many())
    throw failed_run(proto::failure_class::SourceUnreadable,
                     "The source has more than 100,000 names that kopia cannot keep. " + lost_text(found.lost()));
  return found;
}

}  // namespace kopiur::mover
