#include "services/executor/core/openbao/snapshot_archive.hpp"

#include <algorithm>
#include <charconv>

#include "common/encoding/hex.hpp"

namespace kopiur::executor::openbao {

namespace {

constexpr std::size_t block = 512;
constexpr std::size_t longest_sums = 4096;
constexpr auto sums_name = "SHA256SUMS";

/// `HEX  NAME` in each line.
std::map<std::string, std::string> read_sums(std::string_view text) {
  std::map<std::string, std::string> found;
  while (!text.empty()) {
    auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (line.size() > 66) found.emplace(line.substr(66), line.substr(0, 64));
  }
  return found;
}

}  // namespace

std::string_view snapshot_archive::field(std::size_t offset, std::size_t length) const {
  auto text = std::string_view(header_).substr(offset, length);
  return text.substr(0, text.find('\0'));
}

void snapshot_archive::begin_file() {
  at_end_ = std::ranges::all_of(header_, [](char c) { return c == 0; });
  auto digits = field(124, 12);
  digits.remove_prefix(std::min(digits.find_first_not_of(' '), digits.size()));
  auto read = std::from_chars(digits.data(), digits.data() + digits.size(), left_, 8);
  is_tar_ = at_end_ || (field(257, 5) == "ustar" && read.ec == std::errc{});
  is_extended_ = is_extended_ || field(156, 1) == "x";
  name_ = field(0, 100);
  header_.clear();
  if (at_end_ || !is_tar_) return;
  padding_ = (block - left_ % block) % block;
  digest_ = std::make_unique<blob::digest_stream>(blob::digest_stream::algorithm::sha256);
  if (left_ == 0) end_file();
}

void snapshot_archive::end_file() { digests_[name_] = encoding::hex(digest_->end()); }

void snapshot_archive::add(std::string_view bytes) {
  while (!bytes.empty() && !at_end_ && is_tar_ && !is_extended_) {
    std::size_t taken = 0;
    if (left_ > 0) {
      taken = std::min<std::uint64_t>(left_, bytes.size());
      digest_->add(bytes.substr(0, taken));
      if (name_ == sums_name && sums_.size() < longest_sums) sums_ += bytes.substr(0, taken);
      left_ -= taken;
      if (left_ == 0) end_file();
    } else if (padding_ > 0) {
      taken = std::min<std::uint64_t>(padding_, bytes.size());
      padding_ -= taken;
    } else {
      taken = std::min(block - header_.size(), bytes.size());
      header_ += bytes.substr(0, taken);
      if (header_.size() == block) begin_file();
    }
    bytes.remove_prefix(taken);
  }
}

std::string snapshot_archive::problem() const {
  if (!is_tar_) return "it is not a tar file";
  if (is_extended_) return "";
  if (!at_end_) return "it is cut off";
  auto sums = read_sums(sums_);
  for (std::string each : {"meta.json", "state.bin"}) {
    if (!digests_.contains(each)) return "it has no " + each;
    if (!sums.contains(each)) return "its SHA256SUMS has no checksum of " + each;
    if (sums.at(each) != digests_.at(each)) return "the checksum of its " + each + " is wrong";
  }
  return "";
}

}  // namespace kopiur::executor::openbao
