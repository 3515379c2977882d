#pragma once
#include <functional>

#include "services/gateway/core/jobs.hpp"

namespace kopiur::gateway {

/// What a mover prints, line by line: progress, rows as pages, and the end of all else (what it wrote for people).
class mover_output {
 public:
  struct sinks {
    std::function<void(proto::work_progress)> progress;
    std::function<void(proto::row_page)> page;
  };
  explicit mover_output(sinks to) : to_(std::move(to)) {}

  void take(std::string_view line);
  /// All has been taken: the last page.
  void finish();
  /// At most `limit` bytes of what was neither progress nor a row.
  std::string rest(std::size_t limit) const { return tail(rest_, limit); }

 private:
  sinks to_;
  row_pager pager_;
  std::string rest_;
};

}  // namespace kopiur::gateway
