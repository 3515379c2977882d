#include "services/gateway/local/job_output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <system_error>

#include "common/encoding/text.hpp"

namespace kopiur::gateway::local {

namespace {

constexpr std::size_t read_at_once = 1 << 20, log_limit = 1 << 20, log_read = 16 * 1024, tail_limit = 4096;

// Up to `limit` bytes from `offset`; empty at the end of the file, or when it does not exist.
std::string read_part(fs::path const& path, std::uint64_t offset, std::size_t limit) {
  files::file in(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!in) return {};
  std::string part(limit, '\0');
  auto got = ::pread(in.number(), part.data(), part.size(), static_cast<off_t>(offset));
  if (got < 0) throw std::system_error(errno, std::generic_category(), "Cannot read " + path.string());
  part.resize(static_cast<std::size_t>(got));
  return part;
}

}  // namespace

job_output::job_output(job_folder folder, sinks sinks, output_limits limits)
    : folder_(std::move(folder)),
      sinks_(std::move(sinks)),
      said_({[this](json::value progress) { newest_ = std::move(progress); }, sinks_.page}, limits),
      lines_([this](std::string_view line) { said_.take(line); }) {}

bool job_output::read_on() {
  if (is_too_large()) return false;
  auto part = read_part(folder_.file_of("stdout"), offset_, read_at_once);
  offset_ += part.size();
  said_.count(part.size());
  lines_.feed(part);
  if (auto progress = std::exchange(newest_, std::nullopt)) sinks_.progress(*progress);
  return part.size() == read_at_once && !is_too_large();
}

void job_output::finish() {
  lines_.finish();
  said_.finish();
}

std::string job_log::tail(std::vector<std::string> const& secrets) {
  auto path = folder_.file_of("stderr");
  std::error_code missing;
  auto size = fs::file_size(path, missing);
  if (missing) size = 0;
  auto text = before_ + read_part(path, size > log_read ? size - log_read : 0, log_read);
  if (size > log_limit) {  // the mover appends, so its next line is the first of the file
    before_ = encoding::tail(text, log_read);
    fs::resize_file(path, 0, missing);
  }
  return encoding::tail(encoding::masked(std::move(text), secrets), tail_limit);
}

}  // namespace kopiur::gateway::local
