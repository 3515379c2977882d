#include "services/mover/core/progress.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace kopiur::mover {

namespace {

// A reader that eats a frame from the left; once something is not as expected, it stays failed.
class reader {
 public:
  explicit reader(std::string_view text) : rest_(text) {}

  reader& word(std::string_view expected) {
    if (!rest_.starts_with(expected))
      ok_ = false;
    else
      rest_.remove_prefix(expected.size());
    return *this;
  }
  /// A count of files.
  reader& number(std::int64_t& to) {
    auto [end, failed] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), to);
    if (failed != std::errc() || to < 0 || to > most)
      ok_ = false;
    else
      rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return *this;
  }
  /// Up to `end`, which is eaten too.
  reader& size(std::int64_t& to, std::string_view end) {
    auto at = rest_.find(end);
    auto read = at == std::string_view::npos ? std::nullopt : read_size(rest_.substr(0, at));
    if (!read) return ok_ = false, *this;
    to = *read;
    rest_.remove_prefix(at + end.size());
    return *this;
  }
  bool ok() const { return ok_; }
  std::string_view rest() const { return rest_; }

 private:
  static constexpr std::int64_t most = 1'000'000'000'000'000;  // no repository holds as many, and sums of them fit
  std::string_view rest_;
  bool ok_ = true;
};

// The number before the last `%`.
std::optional<double> percent_in(std::string_view text) {
  auto end = text.rfind('%');
  if (end == std::string_view::npos) return std::nullopt;
  auto number = text.substr(0, end);
  number.remove_prefix(number.find_last_not_of("0123456789.") + 1);  // npos + 1 is 0
  double value = 0;
  auto [stop, failed] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (failed != std::errc() || stop != number.data() + number.size()) return std::nullopt;
  return value;
}

// ` - 2 hashing, 4 hashed (215 MB), 4 cached (167.8 MB), uploaded 166.9 MB, estimated 461.4 MB (83.0%) 0s left`
std::optional<proto::work_progress> read_upload(std::string_view text) {
  if (text.size() < 2 || text[1] != ' ') return std::nullopt;  // the spinner
  reader frame(text.substr(2));
  std::int64_t running = 0, hashed = 0, hashed_bytes = 0, cached = 0, cached_bytes = 0, uploaded = 0;
  frame.number(running).word(" hashing, ").number(hashed).word(" hashed (").size(hashed_bytes, "), ");
  if (frame.ok()) frame.number(cached).word(" cached (").size(cached_bytes, "), uploaded ");
  if (!frame.ok()) return std::nullopt;
  auto end = frame.rest().find_first_of(",(");  // a count of errors may follow
  auto size = end == std::string_view::npos ? std::nullopt : read_size(frame.rest().substr(0, frame.rest()[end] == '(' ? end - 1 : end));
  if (!size) return std::nullopt;
  uploaded = *size;
  return proto::work_progress{percent_in(frame.rest()), hashed_bytes, uploaded, hashed + cached, "hashing"};
}

// `Processed 10 (52.4 MB) of 9 (52.4 MB) 10 MB/s (83.0%) remaining 2s.`
std::optional<proto::work_progress> read_restore(std::string_view text) {
  reader frame(text);
  std::int64_t done = 0, bytes = 0, total = 0, total_bytes = 0;
  frame.word("Processed ").number(done).word(" (").size(bytes, ") of ").number(total).word(" (").size(total_bytes, ")");
  if (!frame.ok()) return std::nullopt;
  return proto::work_progress{percent_in(frame.rest()), bytes, 0, done, "restoring"};
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

std::optional<proto::work_progress> read_frame(std::string_view record) {
  auto first = record.find_first_not_of(' ');
  if (first == std::string_view::npos) return std::nullopt;
  record.remove_prefix(first);
  auto restoring = read_restore(record);
  return restoring ? restoring : read_upload(record);
}

}  // namespace kopiur::mover
