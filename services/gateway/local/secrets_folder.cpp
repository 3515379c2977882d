#include "services/gateway/local/secrets_folder.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "common/encoding/number.hpp"
#include "common/hash/stable_hash.hpp"
#include "common/json/codec.hpp"
#include "common/process/detached.hpp"

namespace kopiur::gateway::local {

namespace {

constexpr std::string_view folder_prefix = "kopiur-", reader_prefix = "reading-", owner_file = ".owner";

/// Whose folder it is. Processes of other mount namespaces see other data folders, so they cannot judge.
struct owner_record {
  std::string data, mounts;
  bool operator==(owner_record const&) const = default;
};
KOPIUR_DESCRIBE(owner_record, (), (data, mounts))

std::string own_mounts() {
  std::error_code unknown;
  return fs::read_symlink("/proc/self/ns/mnt", unknown).string();
}

std::string folder_name(std::string const& data) { return std::string(folder_prefix) + hash::digest_hex({data}, 16); }

bool is_gone(fs::path const& path) {
  std::error_code failed;
  return fs::symlink_status(path, failed).type() == fs::file_type::not_found;
}

/// `reading-<pid>-<start>`.
bool is_live_reader(std::string_view name) {
  if (!name.starts_with(reader_prefix)) return false;
  name.remove_prefix(reader_prefix.size());
  auto dash = std::min(name.find('-'), name.size());
  auto pid = encoding::whole_number<std::int64_t>(name.substr(0, dash));
  auto found = pid ? process::identify(static_cast<pid_t>(*pid)) : std::nullopt;
  return found && name.substr(dash) == "-" + std::to_string(found->started) && process::is_alive(*found);
}

bool is_lost(fs::path const& folder) {
  if (!files::is_own_folder(folder)) return false;
  auto text = files::read_file(folder / owner_file);
  auto owner = text ? json::read<owner_record>(*text) : std::expected<owner_record, json::problem>{std::unexpect};
  if (!owner || owner->mounts != own_mounts() || folder.filename() != folder_name(owner->data) || !is_gone(owner->data)) return false;
  return files::is_free(folder / owner_file);
}

}  // namespace

fs::path memory_folder(fs::path const& data) {
  if (auto* runtime = std::getenv("XDG_RUNTIME_DIR"); runtime && *runtime == '/' && ::access(runtime, W_OK) == 0) return runtime;
  if (::access("/dev/shm", W_OK) == 0) return "/dev/shm";
  return data;
}

secrets_folder::secrets_folder(fs::path const& data)
    : data_(fs::absolute(data).lexically_normal()), secrets_(memory_folder(data) / folder_name(data_.string())) {
  files::make_folder(secrets_, 0700);
  if (!files::is_own_folder(secrets_))
    throw std::runtime_error("The folder for secrets, " + secrets_.string() +
                             ", is not ours: remove it, or set XDG_RUNTIME_DIR to a private folder.");
  fs::permissions(secrets_, fs::perms::owner_all);
}

secrets_folder::~secrets_folder() {
  if (!owner_) return;
  std::error_code unknown;
  for (auto const& entry : fs::directory_iterator(secrets_, unknown))
    if (entry.path().filename() != owner_file) return;  // a mover goes on
  fs::remove_all(secrets_, unknown);
}

void secrets_folder::own() {
  owner_ = files::try_lock(secrets_ / owner_file);
  if (!owner_) return;
  auto text = json::write(owner_record{data_.string(), own_mounts()});
  if (::ftruncate(owner_->number(), 0) != 0 || ::pwrite(owner_->number(), text.data(), text.size(), 0) < 0) owner_.reset();
}

void secrets_folder::write(std::string const& job, std::string const& name, std::string_view content) const {
  files::make_folder(folder_of(job), 0700);
  files::write_file(folder_of(job) / name, content, 0600);
}

void secrets_folder::remove(std::string const& job) const {
  std::error_code unknown;
  fs::remove_all(folder_of(job), unknown);
}

void secrets_folder::sweep(std::vector<std::string> const& live) const {
  std::error_code unknown;
  std::vector<std::string> names;
  for (auto const& entry : fs::directory_iterator(secrets_, unknown)) names.push_back(entry.path().filename().string());
  for (auto const& name : names)
    if (name != owner_file && std::ranges::find(live, name) == live.end() && !is_live_reader(name)) remove(name);
}

void secrets_folder::sweep_others() const {
  std::error_code unknown;
  std::vector<fs::path> lost;
  for (auto const& entry : fs::directory_iterator(secrets_.parent_path(), unknown))
    if (entry.path().filename().string().starts_with(folder_prefix) && entry.path() != secrets_ && is_lost(entry.path()))
      lost.push_back(entry.path());
  for (auto const& each : lost) fs::remove_all(each, unknown);
}

std::string secrets_folder::name_of_reader() {
  auto self = process::identify(::getpid());
  return std::string(reader_prefix) + std::to_string(::getpid()) + "-" + std::to_string(self ? self->started : 0);
}

}  // namespace kopiur::gateway::local
