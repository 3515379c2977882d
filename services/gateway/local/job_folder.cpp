#include "services/gateway/local/job_folder.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "common/hash/stable_hash.hpp"
#include "proto/codec.hpp"

namespace kopiur::gateway::local {

namespace {

template <class T>
std::optional<T> load(fs::path const& path) {
  auto text = files::read_file(path);
  if (!text) return std::nullopt;
  auto read = json::read<T>(*text);
  if (!read) return std::nullopt;
  return std::move(*read);
}

bool is_there(fs::path const& path) {
  std::error_code unknown;
  return fs::exists(path, unknown);
}

}  // namespace

bool job_folder::exists() const { return is_there(folder_); }

void job_folder::make(proto::create_job const& spec, job_record const& record) const {
  auto draft = folder_.parent_path() / ("." + folder_.filename().string() + ".unfinished");
  fs::remove_all(draft);
  files::make_folder(draft, 0700);
  files::write_file(draft / "spec.json", json::pretty(json::encode(proto::gateway_command(spec))), 0600);
  files::write_file(draft / "record.json", json::write(record), 0600);
  fs::rename(draft, folder_);
  auto parent = files::open_file(folder_.parent_path(), O_RDONLY | O_DIRECTORY);
  ::fsync(parent.number());
}

std::optional<proto::create_job> job_folder::spec() const {
  auto command = load<proto::gateway_command>(file_of("spec.json"));
  auto* spec = command ? std::get_if<proto::create_job>(&*command) : nullptr;
  if (!spec) return std::nullopt;
  return std::move(*spec);
}
std::optional<job_record> job_folder::record() const { return load<job_record>(file_of("record.json")); }
void job_folder::keep(job_record const& record) const { files::write_file(file_of("record.json"), json::write(record), 0600); }

bool job_folder::is_deleted() const { return is_there(file_of("deleted")); }
void job_folder::mark_deleted() const {
  files::make_folder(folder_, 0700);
  files::write_file(file_of("deleted"), "", 0600);
  for (auto const& entry : fs::directory_iterator(folder_))
    if (entry.path().filename() != "deleted") fs::remove_all(entry.path());
}

bool job_folder::may_have_started() const { return is_there(file_of("starting")); }
void job_folder::mark_starting() const { files::write_file(file_of("starting"), "", 0600); }
void job_folder::unmark_starting() const { files::remove_file(file_of("starting")); }
std::optional<process::identity> job_folder::process() const { return load<process::identity>(file_of("process.json")); }
void job_folder::keep(process::identity const& process) const { files::write_file(file_of("process.json"), json::write(process), 0600); }
std::optional<stop_record> job_folder::stopping() const { return load<stop_record>(file_of("stop.json")); }
void job_folder::keep(stop_record const& stop) const { files::write_file(file_of("stop.json"), json::write(stop), 0600); }
std::string job_folder::result() const { return files::read_file(file_of("result.json")).value_or(""); }

namespace {

fs::path memory_folder(fs::path const& data) {
  if (auto* runtime = std::getenv("XDG_RUNTIME_DIR"); runtime && *runtime == '/' && ::access(runtime, W_OK) == 0) return runtime;
  if (::access("/dev/shm", W_OK) == 0) return "/dev/shm";
  return data;
}

}  // namespace

secrets_folder::secrets_folder(fs::path const& data)
    : secrets_(memory_folder(data) / ("kopiur-" + hash::digest_hex({fs::absolute(data).lexically_normal().string()}, 16))) {
  files::make_folder(secrets_, 0700);
  struct stat about{};
  if (::lstat(secrets_.c_str(), &about) != 0 || !S_ISDIR(about.st_mode) || about.st_uid != ::geteuid())
    throw std::runtime_error("The folder for secrets, " + secrets_.string() +
                             ", is not ours: remove it, or set XDG_RUNTIME_DIR to a private folder.");
  fs::permissions(secrets_, fs::perms::owner_all);
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
  for (auto const& entry : fs::directory_iterator(secrets_))
    if (std::ranges::find(live, entry.path().filename().string()) == live.end()) {
      std::error_code unknown;
      fs::remove_all(entry.path(), unknown);
    }
}

}  // namespace kopiur::gateway::local
