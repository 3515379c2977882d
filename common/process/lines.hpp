#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace kopiur::process {

/// Cuts a stream of bytes into records, however the bytes arrive. A record ends at LF or CR (a terminal's progress frames); empty ones
/// are dropped. A record longer than the limit is handed over cut to it, and the rest of it is swallowed, so memory stays bounded.
class line_splitter {
 public:
  using sink = std::function<void(std::string_view)>;
  explicit line_splitter(sink each, std::size_t limit = 64 * 1024) : each_(std::move(each)), limit_(limit) {}

  void feed(std::string_view bytes);
  /// The stream has ended: what stands without an end is a record too.
  void finish();

 private:
  void take(std::string_view part);

  sink each_;
  std::size_t limit_;
  std::string begun_;
};

/// The same text without terminal escapes (CSI and two-byte ones) and other control characters but tab.
std::string without_escapes(std::string_view);

}  // namespace kopiur::process
