#include "services/executor/shell/openbao/check_snapshot.hpp"

#include <boost/asio.hpp>
#include <boost/beast/zlib/inflate_stream.hpp>

#include "services/executor/core/openbao/snapshot_archive.hpp"

namespace kopiur::executor::openbao {

namespace asio = boost::asio;
namespace zlib = boost::beast::zlib;

namespace {

constexpr std::size_t head_length = 10, tail_length = 8;  // of a gzip file without a name (RFC 1952)

struct unpacked {
  std::uint64_t consumed = 0, produced = 0;
  std::string problem{};
};

/// The deflated bytes between head and tail, into the archive.
unpacked unpack(staged_file const& file, snapshot_archive& into) {
  unpacked out;
  zlib::inflate_stream inflater;
  std::vector<char> packed(256 << 10), plain(256 << 10);
  boost::beast::error_code ec;
  for (std::uint64_t offset = head_length; ec != zlib::error::end_of_stream;) {
    auto length = file.read(offset, asio::buffer(packed));
    if (length == 0) return {.problem = "it is cut off"};
    offset += length;
    zlib::z_params step;
    step.next_in = packed.data(), step.avail_in = length;
    do {
      step.next_out = plain.data(), step.avail_out = plain.size();
      ec = {};
      inflater.write(step, zlib::Flush::sync, ec);
      auto filled = plain.size() - step.avail_out;
      into.add({plain.data(), filled});
      out.produced += filled;
      if (ec && ec != zlib::error::end_of_stream && ec != zlib::error::need_buffers) return {.problem = "it is damaged"};
    } while (!ec && (step.avail_in > 0 || step.avail_out == 0));
    out.consumed += length - step.avail_in;
  }
  return out;
}

}  // namespace

std::string snapshot_problem(staged_file const& file) {
  unsigned char head[head_length] = {}, tail[tail_length] = {};
  if (file.read(0, asio::buffer(head)) < head_length || head[0] != 0x1f || head[1] != 0x8b || head[2] != 8 || head[3] != 0)
    return "it is not a gzip file";
  snapshot_archive archive;
  auto content = unpack(file, archive);
  if (!content.problem.empty()) return content.problem;
  if (file.read(head_length + content.consumed, asio::buffer(tail)) < tail_length) return "it is cut off";
  std::uint32_t length = 0;
  for (int i = 7; i >= 4; --i) length = length << 8 | tail[i];
  if (length != static_cast<std::uint32_t>(content.produced)) return "its length is not the one that it names";
  return archive.problem();
}

}  // namespace kopiur::executor::openbao
