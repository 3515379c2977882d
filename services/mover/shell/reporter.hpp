#pragma once
#include <string>

#include "common/time/clock.hpp"
#include "services/mover/core/progress.hpp"

namespace kopiur::mover {

/// The mover's stdout: one JSON object per line.
class reporter {
 public:
  explicit reporter(clock& time) : time_(time) {}
  ~reporter() { flush(); }

  /// Prints at most one frame per two seconds and drops the rest. A reader that closed the pipe does not stop a backup.
  void progress(proto::kopia_progress const&);
  /// From here on prints no progress: stdout is the content of a file.
  void print_content_only() { content_only_ = true; }
  /// Prints a row or an entry; buffered until flush() or 64 KiB.
  void line(proto::output_line const&);
  /// Prints bytes of the file's content.
  void bytes(std::string_view);
  void flush();
  /// True when something other than progress could not be printed.
  bool lost() const { return lost_; }

 private:
  clock& time_;
  throttle frames_;
  std::string buffer_;
  bool lost_ = false, content_only_ = false;
};

/// Writes the result: in place to a pod's termination log, by rename to any other file.
void write_result(std::string const& path, std::string_view text);

}  // namespace kopiur::mover
