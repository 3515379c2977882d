#include "common/files/files.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>
#include <vector>

namespace kopiur::files {

namespace {

constexpr std::string_view unfinished = ".unfinished";

[[noreturn]] void fail(std::string const& what, fs::path const& path) {
  throw std::system_error(errno, std::generic_category(), what + " " + path.string());
}

// After a rename or an unlink.
void sync_change_in(fs::path const& folder) {
  try {
    sync_folder(folder);
  } catch (std::system_error const& failed) {
    throw not_durable(failed.code(), "Cannot sync the folder " + folder.string());
  }
}

void write_all(int descriptor, std::string_view content, fs::path const& path) {
  while (!content.empty()) {
    auto written = ::write(descriptor, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("Cannot write", path);
    content.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

file::~file() {
  if (number_ >= 0) ::close(number_);
}

bool is_plain_name(std::string_view name) { return !name.empty() && name.front() != '.' && !name.contains('/'); }

file open_file(fs::path const& path, int flags, mode_t mode) {
  file opened(::open(path.c_str(), flags | O_CLOEXEC, mode));
  if (!opened) fail("Cannot open", path);
  return opened;
}

void sync_folder(fs::path const& folder) {
  auto opened = open_file(folder, O_RDONLY | O_DIRECTORY);
  if (::fsync(opened.number()) != 0) fail("Cannot sync the folder", folder);
}

void make_folder(fs::path const& folder, mode_t mode) {
  std::error_code unknown;
  if (fs::is_directory(folder, unknown)) return;
  if (folder.has_parent_path() && folder.parent_path() != folder) make_folder(folder.parent_path());
  if (::mkdir(folder.c_str(), mode) != 0 && errno != EEXIST) fail("Cannot create the folder", folder);
  try {
    sync_folder(folder.has_parent_path() ? folder.parent_path() : fs::path("."));
  } catch (std::system_error const&) {
    ::rmdir(folder.c_str());  // else the next call would find it, and not sync
    throw;
  }
}

void write_file(fs::path const& path, std::string_view content, mode_t mode) {
  auto draft = path.parent_path() / ("." + path.filename().string() + std::string(unfinished));
  {
    auto out = open_file(draft, O_WRONLY | O_CREAT | O_TRUNC, mode);
    if (::fchmod(out.number(), mode) != 0) fail("Cannot set the mode of", draft);
    write_all(out.number(), content, draft);
    if (::fsync(out.number()) != 0) fail("Cannot sync", draft);
  }
  if (::rename(draft.c_str(), path.c_str()) != 0) fail("Cannot replace", path);
  sync_change_in(path.parent_path());
}

std::optional<std::string> read_file(fs::path const& path) {
  file in(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!in && (errno == ENOENT || errno == ENOTDIR)) return std::nullopt;
  if (!in) fail("Cannot open", path);
  std::string content;
  std::vector<char> part(64 * 1024);
  for (;;) {
    auto got = ::read(in.number(), part.data(), part.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail("Cannot read", path);
    if (got == 0) return content;
    content.append(part.data(), static_cast<std::size_t>(got));
  }
}

void remove_file(fs::path const& path) {
  if (::unlink(path.c_str()) != 0) {
    if (errno == ENOENT) return;
    fail("Cannot remove", path);
  }
  sync_change_in(path.parent_path());
}

void sweep_unfinished(fs::path const& folder) {
  std::error_code unknown;
  std::vector<fs::path> found;
  for (auto const& entry : fs::recursive_directory_iterator(folder, unknown))
    if (entry.path().filename().string().ends_with(unfinished)) found.push_back(entry.path());
  for (auto const& each : found) fs::remove(each, unknown);
}

namespace {

std::optional<struct stat> own_folder(fs::path const& path) {
  struct stat about{};
  bool ours = ::lstat(path.c_str(), &about) == 0 && S_ISDIR(about.st_mode) && about.st_uid == ::geteuid();
  return ours ? std::optional(about) : std::nullopt;
}

}  // namespace

bool is_own_folder(fs::path const& path) { return own_folder(path).has_value(); }

std::optional<file> try_lock_folder(fs::path const& path) {
  file folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW));
  if (!folder || ::flock(folder.number(), LOCK_EX | LOCK_NB) != 0) return std::nullopt;
  return folder;
}

void sweep_unlocked(fs::path const& parent, std::string_view prefix, std::chrono::seconds age) {
  std::error_code unknown;
  std::vector<fs::path> found;
  for (auto const& entry : fs::directory_iterator(parent, unknown)) {
    if (!entry.path().filename().string().starts_with(prefix)) continue;
    auto about = own_folder(entry.path());
    if (about && ::time(nullptr) - about->st_ctime >= age.count()) found.push_back(entry.path());
  }
  for (auto const& each : found)
    if (auto lock = try_lock_folder(each)) fs::remove_all(each, unknown);
}

std::optional<file> try_lock(fs::path const& path) {
  auto opened = open_file(path, O_RDWR | O_CREAT);
  if (::flock(opened.number(), LOCK_EX | LOCK_NB) == 0) return opened;
  if (errno != EWOULDBLOCK) fail("Cannot lock", path);
  return std::nullopt;
}

bool is_free(fs::path const& path) {
  file opened(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  if (!opened && (errno == ENOENT || errno == ENOTDIR)) return true;
  if (!opened) fail("Cannot open", path);
  return ::flock(opened.number(), LOCK_EX | LOCK_NB) == 0;
}

}  // namespace kopiur::files
