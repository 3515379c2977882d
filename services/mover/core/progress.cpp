#include "services/mover/core/progress.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "common/encoding/text.hpp"

namespace kopiur::mover {

namespace {

// Consumes a frame from the left. After the first mismatch it stays failed.
class reader {
 public:
  explicit reader(std::string_view text) : rest_(text) {}

  reader& word(std::string_view expected) {
    if (!has(expected)) ok_ = false;
    return *this;
  }
  /// Consumes the word if it is next.
  bool has(std::string_view expected) {
    bool there = ok_ && rest_.starts_with(expected);
    if (there) rest_.remove_prefix(expected.size());
    return there;
  }
  /// Reads a count of files.
  reader& number(std::int64_t& value) {
    auto [end, failed] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (failed != std::errc() || value < 0 || value > most)
      ok_ = false;
    else
      rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return *this;
  }
  /// Reads a number and its unit.
  reader& size(std::int64_t& value) {
    auto blank = rest_.find(' ');
    auto end = blank == std::string_view::npos ? blank : rest_.find_first_not_of("KMGTPEB", blank + 1);
    auto read = blank == std::string_view::npos ? std::nullopt : read_size(rest_.substr(0, end));
    if (!read) return ok_ = false, *this;
    value = *read;
    rest_.remove_prefix(std::min(end, rest_.size()));
    return *this;
  }
  reader& percent(std::optional<double>& result) {
    double value = 0;
    auto [end, failed] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (failed != std::errc() || value < 0)
      ok_ = false;
    else
      result = value, rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return word("%");
  }
  /// Reads a duration such as `1h2m3s`.
  reader& time() {
    auto end = rest_.find_first_not_of("0123456789hms");
    if (end == 0) ok_ = false;
    rest_.remove_prefix(std::min(end, rest_.size()));
    return *this;
  }
  /// Reads ` (2 fatal errors)`, ` (1 errors ignored)`.
  reader& errors() {
    std::int64_t count = 0;
    while (ok_ && rest_.starts_with(" (")) {
      word(" (").number(count);
      if (!has(" fatal errors)")) word(" errors ignored)");
    }
    return *this;
  }
  bool ok() const { return ok_; }
  std::string_view rest() const { return rest_; }

 private:
  static constexpr std::int64_t most = 1'000'000'000'000'000;  // larger than any repository, and sums of it do not overflow
  std::string_view rest_;
  bool ok_ = true;
};

// ` - 2 hashing, 4 hashed (215 MB), 4 cached (167.8 MB), uploaded 166.9 MB (1 fatal errors), estimated 461.4 MB (83.0%) 0s left`
std::optional<framed> read_upload(std::string_view text) {
  if (text.size() < 2 || text[1] != ' ') return std::nullopt;  // the spinner
  reader frame(text.substr(2));
  std::int64_t running = 0, hashed = 0, hashed_bytes = 0, cached = 0, cached_bytes = 0, uploaded = 0, estimated = 0;
  std::optional<double> percent;
  frame.number(running).word(" hashing, ").number(hashed).word(" hashed (").size(hashed_bytes).word("), ");
  frame.number(cached).word(" cached (").size(cached_bytes).word("), uploaded ").size(uploaded).errors();
  if (!frame.has(", estimating...")) frame.word(", estimated ").size(estimated).word(" (").percent(percent).word(") ").time().word(" left");
  if (!frame.ok()) return std::nullopt;
  return framed{{percent, hashed_bytes, uploaded, hashed + cached, "hashing"}, frame.rest()};
}

// `Processed 10 (52.4 MB) of 19 (92.4 MB), skipped 2 (1 KB), ignored 1 errors 10 MB/s (83.0%) remaining 2s.`
std::optional<framed> read_restore(std::string_view text) {
  reader frame(text);
  std::int64_t done = 0, bytes = 0, total = 0, total_bytes = 0, other = 0;
  std::optional<double> percent;
  frame.word("Processed ").number(done).word(" (").size(bytes).word(") of ").number(total).word(" (").size(total_bytes).word(")");
  if (frame.has(", skipped ")) frame.number(other).word(" (").size(other).word(")");
  if (frame.has(", ignored ")) frame.number(other).word(" errors");
  if (frame.has(" ")) frame.size(other).word("/s (").percent(percent).word(") remaining ").time();
  if (!frame.word(".").ok()) return std::nullopt;
  return framed{{percent, bytes, 0, done, "restoring"}, frame.rest()};
}

}  // namespace

std::optional<std::int64_t> read_size(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, double>, 7> units{
      {{" B", 1}, {" KB", 1e3}, {" MB", 1e6}, {" GB", 1e9}, {" TB", 1e12}, {" PB", 1e15}, {" EB", 1e18}}};
  double value = 0;
  auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failed != std::errc() || !(value >= 0) || value > 1e15) return std::nullopt;
  std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  for (auto const& [name, factor] : units)
    if (unit == name) return value * factor < 9e18 ? std::optional(std::llround(value * factor)) : std::nullopt;
  return std::nullopt;
}

std::optional<framed> read_frame(std::string_view record) {
  record = encoding::trimmed(record, " ");
  auto found = read_restore(record);
  if (!found) found = read_upload(record);
  if (found) found->rest = encoding::trimmed(found->rest, " ");
  return found;
}

}  // namespace kopiur::mover
