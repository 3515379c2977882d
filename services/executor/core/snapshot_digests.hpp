#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "common/blob/core/digest.hpp"
#include "common/json/describe.hpp"

/// What the bytes of a snapshot prove. `etcdctl snapshot save` appends the SHA-256 of the database, 32 bytes, to a file whose size is a
/// multiple of 512.
namespace kopiur::executor {

enum class appended_checksum { right, wrong, none };
BOOST_DESCRIBE_ENUM(appended_checksum, right, wrong, none)

struct snapshot_digests {
  std::uint64_t size = 0;
  std::string sha256{};  ///< of the whole file, hexadecimal
  appended_checksum checksum = appended_checksum::none;
};

/// `The checksum that etcd appended is right.`
std::string sentence_of(appended_checksum what);
/// Why these bytes are not a good snapshot: a sentence; empty: etcdutl may judge them.
std::string problem_of(snapshot_digests const& what);

/// Hashes a snapshot that comes in pieces.
class snapshot_hasher {
 public:
  void add(std::string_view bytes);
  std::uint64_t size() const { return size_; }
  /// Once, at the end.
  snapshot_digests end();

 private:
  blob::digest_stream all_{blob::digest_stream::algorithm::sha256}, database_{blob::digest_stream::algorithm::sha256};
  std::string last_;  // at most 32 bytes, which may be the checksum
  std::uint64_t size_ = 0;
};

}  // namespace kopiur::executor
