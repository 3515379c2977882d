#pragma once
#include "common/blob/store.hpp"
#include "common/files/files.hpp"
#include "services/executor/core/openbao/ending.hpp"

namespace kopiur::executor::openbao {

/// The largest snapshot that is staged, in bytes.
inline constexpr std::uint64_t largest_snapshot = std::uint64_t{8} << 30;

/// A snapshot on the local disk, in a file without a name: nobody else opens it, and it ends with the process. Failures of the disk are
/// std::system_error, whose what() names the folder. Copies share the file. Reading and writing block.
class staged_file {
 public:
  /// The folder is made if it does not exist.
  explicit staged_file(files::fs::path const& folder);

  /// Why so many bytes do not fit on the disk: a sentence; empty: they do.
  std::string space_problem(std::uint64_t size) const;
  void write(std::string_view bytes);
  /// All is written, and has reached the disk.
  void sync();
  std::uint64_t size() const { return size_; }
  /// Fills the beginning of the buffer with the bytes at `offset`.
  std::size_t read(std::uint64_t offset, boost::asio::mutable_buffer buffer) const;
  blob::seekable_content content() const;
  /// As the body of one request, which cannot be sent again.
  http::upload body() const;

 private:
  files::fs::path folder_;
  std::shared_ptr<files::file> file_;
  std::uint64_t size_ = 0;
};

}  // namespace kopiur::executor::openbao
