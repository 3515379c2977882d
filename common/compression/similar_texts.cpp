#include "common/compression/similar_texts.hpp"

#include <zlib.h>

#include <algorithm>
#include <new>
#include <stdexcept>

namespace kopiur::compression {

namespace {

/// The first byte of a packed text. An empty one stays empty.
constexpr char plain = 'p', deflated = 'd';
constexpr int level = 1, raw_window = -15, usual_memory = 8;
constexpr std::size_t window = 32 << 10;  // no more of a dictionary is used

Bytef* bytes_of(std::string_view text) { return reinterpret_cast<Bytef*>(const_cast<char*>(text.data())); }

struct deflater {
  deflater() {
    if (deflateInit2(&stream, level, Z_DEFLATED, raw_window, usual_memory, Z_DEFAULT_STRATEGY) != Z_OK) throw std::bad_alloc();
  }
  deflater(deflater const&) = delete;
  ~deflater() { deflateEnd(&stream); }
  z_stream stream{};
};

struct inflater {
  inflater() {
    if (inflateInit2(&stream, raw_window) != Z_OK) throw std::bad_alloc();
  }
  inflater(inflater const&) = delete;
  ~inflater() { inflateEnd(&stream); }
  z_stream stream{};
};

/// One of each for a thread: they have 300 KiB.
z_stream& to_deflate() {
  static thread_local deflater one;
  deflateReset(&one.stream);
  return one.stream;
}
z_stream& to_inflate() {
  static thread_local inflater one;
  inflateReset(&one.stream);
  return one.stream;
}

void use(z_stream& stream, std::string_view in, std::string& out, std::size_t from) {
  stream.next_in = bytes_of(in), stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data()) + from, stream.avail_out = static_cast<uInt>(out.size() - from);
}

}  // namespace

std::string similar_texts::pack(std::string_view text) {
  if (text.empty()) return {};
  if (packed_ < plain_texts) {
    ++packed_;
    return plain + std::string(text);
  }
  if (dictionary_.empty()) dictionary_ = text.substr(text.size() - std::min(text.size(), window));
  auto& stream = to_deflate();
  deflateSetDictionary(&stream, bytes_of(dictionary_), static_cast<uInt>(dictionary_.size()));
  std::string out(deflateBound(&stream, text.size()) + 1, deflated);
  use(stream, text, out, 1);
  deflate(&stream, Z_FINISH);
  return {out.data(), out.size() - stream.avail_out};  // a copy without spare bytes
}

std::string similar_texts::unpack(std::string_view packed) const {
  if (packed.empty()) return {};
  if (packed.front() == plain) return std::string(packed.substr(1));
  auto& stream = to_inflate();
  inflateSetDictionary(&stream, bytes_of(dictionary_), static_cast<uInt>(dictionary_.size()));
  std::string out(2 * (dictionary_.size() + packed.size()), 0);
  use(stream, packed.substr(1), out, 0);
  int done = inflate(&stream, Z_NO_FLUSH);
  while (done != Z_STREAM_END) {
    if ((done != Z_OK && done != Z_BUF_ERROR) || stream.avail_out > 0) throw std::logic_error("A packed text cannot be read.");
    auto had = out.size();
    out.resize(2 * had);
    stream.next_out = reinterpret_cast<Bytef*>(out.data()) + had, stream.avail_out = static_cast<uInt>(had);
    done = inflate(&stream, Z_NO_FLUSH);
  }
  out.resize(out.size() - stream.avail_out);
  return out;
}

}  // namespace kopiur::compression
