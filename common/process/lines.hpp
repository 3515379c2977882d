#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace kopiur::process {

/// Splits a byte stream into records, independent of how the bytes arrive. A record ends at LF or CR (a terminal's progress frames); empty
/// ones are dropped. A record longer than the limit is truncated to it, so memory stays bounded.
class line_splitter {
 public:
  using sink = std::function<void(std::string_view)>;
  explicit line_splitter(sink each, std::size_t limit = 64 * 1024) : each_(std::move(each)), limit_(limit) {}

  void feed(std::string_view bytes);
  /// Ends the stream: remaining bytes without a terminator are a record too.
  void finish();

 private:
  void take(std::string_view part);

  sink each_;
  std::size_t limit_;
  std::string begun_;
};

/// Returns the text without terminal escapes (CSI and two-byte ones) and without control characters other than tab.
std::string without_escapes(std::string_view);

}  // namespace kopiur::process
