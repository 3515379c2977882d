#include "services/executor/core/snapshot_digests.hpp"

#include "common/encoding/hex.hpp"

namespace kopiur::executor {

namespace {

constexpr std::size_t checksum_size = 32, unit = 512;

}  // namespace

std::string sentence_of(appended_checksum what) {
  switch (what) {
    case appended_checksum::right:
      return "The checksum that etcd appended is right.";
    case appended_checksum::wrong:
      return "The checksum that etcd appended is wrong.";
    case appended_checksum::none:
      return "There is no checksum that etcd appended.";
  }
  return "";
}

std::string problem_of(snapshot_digests const& what) {
  if (what.size == 0) return "The snapshot is empty. Take another backup.";
  auto over = what.size % unit;
  if (what.size < unit || (over != 0 && over != checksum_size))
    return "The object has " + std::to_string(what.size) +
           " bytes, which no snapshot of etcd has: it is cut off, or something else. Take another backup.";
  if (what.checksum == appended_checksum::wrong)
    return sentence_of(what.checksum) + " The snapshot is damaged or cut off. Restore another one, and take another backup.";
  return "";
}

void snapshot_hasher::add(std::string_view bytes) {
  size_ += bytes.size();
  all_.add(bytes);
  if (bytes.size() >= checksum_size) {
    database_.add(last_);
    database_.add(bytes.substr(0, bytes.size() - checksum_size));
    last_ = bytes.substr(bytes.size() - checksum_size);
    return;
  }
  last_ += bytes;
  if (last_.size() <= checksum_size) return;
  auto before = last_.size() - checksum_size;
  database_.add(std::string_view(last_).substr(0, before));
  last_.erase(0, before);
}

snapshot_digests snapshot_hasher::end() {
  snapshot_digests out{.size = size_, .sha256 = encoding::hex(all_.end())};
  if (size_ < unit || size_ % unit != checksum_size) return out;
  out.checksum = database_.end() == last_ ? appended_checksum::right : appended_checksum::wrong;
  return out;
}

}  // namespace kopiur::executor
