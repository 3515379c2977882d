#include "common/blob/file_content.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <boost/asio.hpp>
#include <system_error>

#include "common/files/files.hpp"

namespace kopiur::blob {

namespace asio = boost::asio;

namespace {

[[noreturn]] void fail(std::string const& what) { throw std::system_error(errno, std::generic_category(), what); }

struct opened {
  files::file file;
  std::string path;
};

asio::awaitable<std::size_t> read_at(std::shared_ptr<opened> from, std::uint64_t offset, asio::mutable_buffer buffer) {
  ssize_t length = 0;
  do length = ::pread(from->file.number(), buffer.data(), buffer.size(), static_cast<off_t>(offset));
  while (length < 0 && errno == EINTR);
  if (length < 0) fail("cannot read " + from->path);
  co_return static_cast<std::size_t>(length);
}

}  // namespace

seekable_content file_content(std::filesystem::path const& path) {
  auto shared = std::make_shared<opened>(opened{files::open_file(path, O_RDONLY), path.string()});  // by copies of the function
  struct stat facts{};
  if (::fstat(shared->file.number(), &facts) != 0) fail("cannot look at " + path.string());
  return {.length = static_cast<std::uint64_t>(facts.st_size),
          .read = [shared](std::uint64_t offset, asio::mutable_buffer buffer) { return read_at(shared, offset, buffer); }};
}

}  // namespace kopiur::blob
