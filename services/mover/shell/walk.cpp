#include "services/mover/shell/walk.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "services/mover/core/manifest.hpp"
#include "services/mover/core/policy.hpp"
#include "services/mover/shell/failed.hpp"

namespace kopiur::mover {

namespace {

struct closing {
  void operator()(DIR* folder) const { ::closedir(folder); }
};

/// nullptr: it cannot be read, is not a folder, or does not exist any more.
std::unique_ptr<DIR, closing> open_at(int above, char const* name, int flags) {
  int number = ::openat(above, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | flags);
  if (number < 0 && (errno == EMFILE || errno == ENFILE))
    throw failed_run(proto::kopia_failure::Unknown, "The source has more nested folders than files may be open (ulimit -n).");
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

/// True for a readable file, or a link to one. kopia aborts at anything else, and blocks at a pipe.
bool can_be_read(DIR* in, char const* name) {
  struct stat facts{};
  bool is_file = ::fstatat(::dirfd(in), name, &facts, 0) == 0 && S_ISREG(facts.st_mode);
  return is_file && ::faccessat(::dirfd(in), name, R_OK, AT_EACCESS) == 0;
}

bool is_regular(DIR* in, char const* name) {
  struct stat facts{};
  return ::fstatat(::dirfd(in), name, &facts, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(facts.st_mode);
}

/// The id of the repository whose format blob this is.
std::optional<std::string> repository_at(DIR* in, char const* blob) {
  if (!is_regular(in, blob)) return std::nullopt;
  int number = ::openat(::dirfd(in), blob, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (number < 0) return std::nullopt;
  std::string text(64 << 10, '\0');
  auto got = ::read(number, text.data(), text.size());
  ::close(number);
  text.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
  return repository_id(text);
}

/// Identifies a folder independently of its path.
struct folder_id {
  dev_t device = 0;
  ino_t number = 0;
  bool is(DIR* folder) const {
    struct stat facts{};
    return number != 0 && ::fstat(::dirfd(folder), &facts) == 0 && facts.st_dev == device && facts.st_ino == number;
  }
};
folder_id id_of(std::string const& path) {
  struct stat facts{};
  if (path.empty() || ::stat(path.c_str(), &facts) != 0) return {};
  return {facts.st_dev, facts.st_ino};
}

}  // namespace

class name_walk::state {
 public:
  state(std::string const& root, own_places ours) : ours_(std::move(ours)), data_(id_of(ours_.data_folder)) {
    if (auto top = open_at(AT_FDCWD, root.c_str(), 0)) enter(std::move(top));
  }

  bool go_on(std::size_t entries) {
    for (; entries > 0 && !levels_.empty(); --entries, ++entries_) step();
    return !levels_.empty();
  }
  odd_names const& found() const { return found_; }
  std::int64_t entries() const { return entries_; }

 private:
  struct level {
    std::unique_ptr<DIR, closing> folder;
    std::size_t path_length;  ///< length of `path_` up to this folder
    bool is_data;
  };

  void enter(std::unique_ptr<DIR, closing> folder) {
    bool is_data = data_.is(folder.get());
    levels_.push_back({std::move(folder), path_.size(), is_data});
  }

  void step() {
    auto* in = levels_.back().folder.get();
    path_.resize(levels_.back().path_length);
    auto* entry = ::readdir(in);
    if (!entry) return levels_.pop_back();
    std::string_view name = entry->d_name;
    if (name == "." || name == "..") return;
    if (levels_.back().is_data && name != volumes_of_users) return go_to(name), found_.meet_own(path_);
    if (name == repository_blob && is_ours(in)) return leave_repository();
    found_.meet(path_, name, [&](std::string const& other) {
      struct stat facts{};
      return ::fstatat(::dirfd(in), other.c_str(), &facts, AT_SYMLINK_NOFOLLOW) == 0;
    });
    if (name == ignore_file && !can_be_read(in, entry->d_name)) found_.meet_broken_rules(path_, name);
    if (!is_folder(in, *entry)) return;
    auto below = open_at(::dirfd(in), entry->d_name, O_NOFOLLOW);
    if (!below) return;
    go_to(name);
    enter(std::move(below));
  }

  bool is_ours(DIR* in) const { return !ours_.unique_ID.empty() && repository_at(in, repository_blob.data()) == ours_.unique_ID; }

  void leave_repository() {
    found_.meet_own(path_);
    levels_.pop_back();
  }

  void go_to(std::string_view name) {
    if (!path_.empty()) path_ += '/';
    path_ += name;
  }

  static constexpr std::string_view repository_blob = "kopia.repository.f", volumes_of_users = "volumes";
  own_places ours_;
  folder_id data_;
  odd_names found_;
  std::string path_;  // relative to the root
  std::vector<level> levels_;
  std::int64_t entries_ = 0;
};

name_walk::name_walk(std::string const& root, own_places ours) : state_(std::make_unique<state>(root, std::move(ours))) {}
name_walk::~name_walk() = default;
bool name_walk::go_on(std::size_t entries) { return state_->go_on(entries); }
std::int64_t name_walk::entries() const { return state_->entries(); }

odd_names name_walk::found() const {
  auto& found = state_->found();
  if (found.too_many())
    throw failed_run(proto::kopia_failure::SourceUnreadable,
                     "The source has more than 100,000 names that kopia cannot keep. " + lost_text(found.lost()));
  return found;
}

}  // namespace kopiur::mover
