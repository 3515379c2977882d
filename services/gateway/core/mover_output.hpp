#pragma once
#include <cstdint>
#include <functional>

#include "common/encoding/text.hpp"
#include "services/gateway/core/jobs.hpp"

namespace kopiur::gateway {

/// How much a program may print, on a host and in a cluster: beyond that it is stopped (stop_output). Rows are kept in the gateway's
/// memory.
struct output_limits {
  std::uint64_t bytes = 256 << 20;
  std::uint64_t row_bytes = 64 << 20;  ///< of these, rows: some 150,000 snapshots
};

/// Parses a program's output line by line: `{"progress": {...}}`, `{"row": {...}}`, grouped into pages, and the end of all other lines
/// (text for users). What progress and rows contain belongs to the program.
class mover_output {
 public:
  struct sinks {
    std::function<void(json::value)> progress;
    std::function<void(proto::output_page)> page;
  };
  explicit mover_output(sinks sinks, output_limits limits = {}) : sinks_(std::move(sinks)), limits_(limits) {}

  /// Counts what was read, also of a line that never ends.
  void count(std::size_t bytes) { bytes_ += bytes; }
  /// Rows beyond the limit are dropped.
  void take(std::string_view line);
  /// After the last line: emits the last page.
  void finish();
  /// It printed more than it may.
  bool is_too_large() const { return bytes_ > limits_.bytes || row_bytes_ > limits_.row_bytes; }
  /// At most `limit` bytes of the lines that were neither progress nor rows.
  std::string rest(std::size_t limit) const { return encoding::tail(rest_, limit); }

 private:
  sinks sinks_;
  output_limits limits_;
  std::uint64_t bytes_ = 0, row_bytes_ = 0;
  row_pager pager_;
  std::string rest_;
};

}  // namespace kopiur::gateway
