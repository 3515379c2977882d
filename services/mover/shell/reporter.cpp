#include "services/mover/shell/reporter.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>

#include "common/json/codec.hpp"

namespace kopiur::mover {

namespace {

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    auto done = ::write(fd, text.data(), text.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(done));
  }
  return true;
}

}  // namespace

void reporter::progress(proto::kopia_progress const& now) {
  if (content_only_ || !frames_.may_pass(time_.now())) return;
  flush();
  write_all(STDOUT_FILENO, json::write(proto::output_line(now)) + "\n");
}

void reporter::line(proto::output_line const& what) {
  buffer_ += json::write(what);
  buffer_ += '\n';
  if (buffer_.size() > 64 * 1024) flush();
}

void reporter::bytes(std::string_view content) {
  if (!write_all(STDOUT_FILENO, content)) lost_ = true;
}

void reporter::flush() {
  if (!buffer_.empty() && !write_all(STDOUT_FILENO, buffer_)) lost_ = true;
  buffer_.clear();
}

void write_result(std::string const& path, std::string_view text) {
  bool in_place = path == "/dev/termination-log";
  auto draft = in_place ? path : path + ".new";
  int fd = ::open(draft.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  bool done = fd >= 0 && write_all(fd, text) && (in_place || ::fsync(fd) == 0);
  if (fd >= 0) ::close(fd);
  if (done && !in_place) done = ::rename(draft.c_str(), path.c_str()) == 0;
  if (!done) throw std::runtime_error("the result cannot be written to " + path + ": " + std::strerror(errno));
}

}  // namespace kopiur::mover
