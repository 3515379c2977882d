#include "services/mover/shell/private_folder.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "proto/kopiur/mover_folder.hpp"
#include "services/mover/shell/failed.hpp"

namespace kopiur::mover {

namespace {

namespace fs = std::filesystem;
constexpr std::string_view owner_file = "kopiur.repository";

bool is_tmpfs(std::string const& path) {
  struct statfs kind{};
  return ::statfs(path.c_str(), &kind) == 0 && kind.f_type == TMPFS_MAGIC;
}

bool is_writable(std::string const& path) { return !path.empty() && ::access(path.c_str(), W_OK | X_OK) == 0; }

std::string variable(environment const& from, std::string const& name) {
  auto found = from.find(name);
  return found == from.end() ? std::string() : found->second;
}

std::string choose_parent(environment const& variables, bool holds_keys) {
  for (auto const& candidate : {variable(variables, "XDG_RUNTIME_DIR"), std::string("/dev/shm")})
    if (is_writable(candidate) && is_tmpfs(candidate)) return candidate;
  if (holds_keys)
    throw failed_run(proto::kopia_failure::BackendMisconfigured,
                     "kopia writes this backend's keys into its config file, so the mover needs a tmpfs for it: mount one at /dev/shm.");
  for (auto const& candidate : {variable(variables, "TMPDIR"), std::string("/tmp")})
    if (is_writable(candidate)) return candidate;
  throw failed_run(proto::kopia_failure::DiskFull, "No folder is writable for kopia's config file: /dev/shm, XDG_RUNTIME_DIR, TMPDIR.");
}

// The first run that uses a cache folder writes its repository id there. link() makes this atomic.
std::string claim(std::string const& shared, std::string const& unique_ID) {
  auto owner = shared + "/" + std::string(owner_file);
  if (auto there = read_file(owner)) return *there;
  auto draft = owner + "." + std::to_string(::getpid());
  write_private_file(draft, unique_ID);
  if (::link(draft.c_str(), owner.c_str()) != 0 && errno != EEXIST)
    throw failed_run(proto::kopia_failure::DiskFull, "The cache folder " + shared + " cannot be written: " + std::strerror(errno) + ".");
  ::unlink(draft.c_str());
  return read_file(owner).value_or("");
}

}  // namespace

private_folder::private_folder(environment const& variables, bool holds_keys) {
  auto parent = choose_parent(variables, holds_keys);
  files::sweep_unlocked(parent, proto::mover_folder_prefix);
  auto pattern = parent + "/" + std::string(proto::mover_folder_prefix) + "XXXXXX";
  if (!::mkdtemp(pattern.data()))
    throw failed_run(proto::kopia_failure::DiskFull, "No folder for kopia's config file in " + parent + ": " + std::strerror(errno) + ".");
  path_ = pattern;
  lock_ = files::try_lock_folder(path_);
}

private_folder::~private_folder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

void prepare_cache(run_paths const& paths, std::string const& shared, std::optional<std::string> const& unique_ID) {
  std::error_code failed;
  fs::create_directory(paths.cache());
  if (shared.empty() || !unique_ID) return;
  fs::create_directories(shared, failed);
  if (!is_writable(shared)) throw failed_run(proto::kopia_failure::DiskFull, "The cache folder " + shared + " cannot be written.");
  if (auto owner = claim(shared, *unique_ID); owner != *unique_ID)
    throw failed_run(proto::kopia_failure::WrongRepository,
                     "The cache folder " + shared + " belongs to repository " + owner + "; each repository needs one of its own.");
  for (auto* part : {"contents", "metadata", "indexes", "index-blobs", "server-contents"}) {
    fs::create_directory(shared + "/" + part, failed);
    fs::create_directory_symlink(shared + "/" + part, paths.cache() + "/" + part);
  }
}

void write_private_file(std::string const& path, std::string_view content) {
  int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
  bool written = fd >= 0 && ::write(fd, content.data(), content.size()) == static_cast<ssize_t>(content.size());
  int error = errno;
  if (fd >= 0) ::close(fd);
  if (!written) throw failed_run(proto::kopia_failure::DiskFull, path + " cannot be written: " + std::strerror(error) + ".");
}

std::optional<std::string> read_file(std::string const& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

}  // namespace kopiur::mover
