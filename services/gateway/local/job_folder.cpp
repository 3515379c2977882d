#include "services/gateway/local/job_folder.hpp"

#include <fcntl.h>
#include <unistd.h>

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

}  // namespace kopiur::gateway::local
