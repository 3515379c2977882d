#include "services/executor/shell/snapshot_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <system_error>

namespace kopiur::executor {

namespace fs = files::fs;

namespace {

[[noreturn]] void fail(std::string const& what) { throw std::system_error(errno, std::generic_category(), what); }

fs::path make_private_folder() {
  auto pattern = (fs::temp_directory_path() / "kopiur-etcd-verify-XXXXXX").string();
  if (!::mkdtemp(pattern.data())) fail("Cannot create the folder " + pattern);
  return pattern;
}

}  // namespace

snapshot_file::snapshot_file(std::string const& path) {
  if (path.empty()) folder_ = make_private_folder();
  path_ = path.empty() ? folder_ / "snapshot.db" : fs::absolute(path);
  out_ = files::file(::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (out_) return;
  int why = errno;
  std::error_code ignored;
  if (!folder_.empty()) fs::remove(folder_, ignored);
  errno = why;
  fail("Cannot create " + path_.string());
}

snapshot_file::~snapshot_file() {
  std::error_code ignored;
  if (!kept_) fs::remove(path_, ignored);
  if (!folder_.empty()) fs::remove(folder_, ignored);
}

void snapshot_file::write(std::string_view bytes) {
  while (!bytes.empty()) {
    auto written = ::write(out_.number(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("Cannot write " + path_.string());
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void snapshot_file::finish() {
  if (!folder_.empty()) return;
  if (::fsync(out_.number()) != 0) fail("Cannot sync " + path_.string());
  kept_ = true;
}

}  // namespace kopiur::executor
