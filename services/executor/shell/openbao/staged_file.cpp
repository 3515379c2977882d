#include "services/executor/shell/openbao/staged_file.hpp"

#include <sys/statvfs.h>
#include <unistd.h>

#include <boost/asio.hpp>
#include <cstdlib>
#include <system_error>

namespace kopiur::executor::openbao {

namespace asio = boost::asio;

namespace {

[[noreturn]] void fail(std::string const& what) { throw std::system_error(errno, std::generic_category(), what); }

std::shared_ptr<files::file> make_nameless(files::fs::path const& folder) {
  auto pattern = (folder / "snapshot-XXXXXX").string();
  files::file made(::mkostemp(pattern.data(), O_CLOEXEC));
  if (!made) fail("Cannot create a file in " + folder.string());
  if (::unlink(pattern.c_str()) != 0) fail("Cannot remove the name of " + pattern);
  return std::make_shared<files::file>(std::move(made));
}

}  // namespace

staged_file::staged_file(files::fs::path const& folder) : folder_(folder) {
  files::make_folder(folder, 0700);
  file_ = make_nameless(folder);
}

std::string staged_file::space_problem(std::uint64_t size) const {
  struct statvfs facts{};
  if (::fstatvfs(file_->number(), &facts) != 0) return "";  // writing decides
  auto available = std::uint64_t{facts.f_bavail} * facts.f_frsize;
  if (available >= size) return "";
  return "The snapshot has " + std::to_string(size) + " bytes, and " + folder_.string() + " has room for " + std::to_string(available) +
         ". Give the volume of that folder more space.";
}

void staged_file::write(std::string_view bytes) {
  while (!bytes.empty()) {
    auto written = ::write(file_->number(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("Cannot write to " + folder_.string());
    size_ += static_cast<std::uint64_t>(written);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void staged_file::sync() {
  if (::fsync(file_->number()) != 0) fail("Cannot sync the snapshot in " + folder_.string());
}

std::size_t staged_file::read(std::uint64_t offset, asio::mutable_buffer buffer) const {
  ssize_t length = 0;
  do length = ::pread(file_->number(), buffer.data(), buffer.size(), static_cast<off_t>(offset));
  while (length < 0 && errno == EINTR);
  if (length < 0) fail("Cannot read the snapshot in " + folder_.string());
  return static_cast<std::size_t>(length);
}

blob::seekable_content staged_file::content() const {
  return {.length = size_, .read = [file = *this](std::uint64_t offset, asio::mutable_buffer buffer) -> asio::awaitable<std::size_t> {
            return [](staged_file source, std::uint64_t start, asio::mutable_buffer target) -> asio::awaitable<std::size_t> {
              co_return source.read(start, target);
            }(file, offset, buffer);
          }};
}

http::upload staged_file::body() const {
  auto next = std::make_shared<std::uint64_t>(0);
  return {.length = size_, .read = [next, content = content()](asio::mutable_buffer buffer) -> asio::awaitable<std::size_t> {
            return [](auto position, auto read, asio::mutable_buffer target) -> asio::awaitable<std::size_t> {
              auto length = co_await read(*position, target);
              *position += length;
              co_return length;
            }(next, content.read, buffer);
          }};
}

}  // namespace kopiur::executor::openbao
