#pragma once
#include <functional>

#include "common/encoding/text.hpp"
#include "services/gateway/core/jobs.hpp"

namespace kopiur::gateway {

/// Parses a program's output line by line: `{"progress": {...}}`, `{"row": {...}}`, grouped into pages, and the end of all other lines
/// (text for users). What progress and rows contain belongs to the program.
class mover_output {
 public:
  struct sinks {
    std::function<void(json::value)> progress;
    std::function<void(proto::output_page)> page;
  };
  explicit mover_output(sinks sinks) : sinks_(std::move(sinks)) {}

  void take(std::string_view line);
  /// After the last line: emits the last page.
  void finish();
  /// At most `limit` bytes of the lines that were neither progress nor rows.
  std::string rest(std::size_t limit) const { return encoding::tail(rest_, limit); }

 private:
  sinks sinks_;
  row_pager pager_;
  std::string rest_;
};

}  // namespace kopiur::gateway
