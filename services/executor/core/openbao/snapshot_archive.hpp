#pragma once
#include <map>
#include <string>
#include <string_view>

#include "common/blob/core/digest.hpp"

namespace kopiur::executor::openbao {

/// Checks the content of a snapshot of Raft: a tar file with meta.json, state.bin and SHA256SUMS, which has their checksums. It is read in
/// pieces; state.bin may be larger than the memory. A tar file with a file above 8 GiB has extended headers: its content is not checked.
class snapshot_archive {
 public:
  /// The next bytes of the tar file.
  void add(std::string_view bytes);
  /// Why the snapshot is not whole: a clause; empty: it is.
  std::string problem() const;

 private:
  void begin_file();
  void end_file();
  std::string_view field(std::size_t offset, std::size_t length) const;

  std::string header_;      // of the next file, up to 512 bytes
  std::uint64_t left_ = 0;  // of the file's content
  std::uint64_t padding_ = 0;
  std::string name_;
  std::unique_ptr<blob::digest_stream> digest_;
  std::map<std::string, std::string> digests_;  // of files, hexadecimal
  std::string sums_;                            // the content of SHA256SUMS
  bool at_end_ = false, is_tar_ = true, is_extended_ = false;
};

}  // namespace kopiur::executor::openbao
