#pragma once
#include <string>

#include "common/time/clock.hpp"
#include "services/mover/core/progress.hpp"

namespace kopiur::mover {

/// The mover's stdout: one JSON object a line.
class reporter {
 public:
  explicit reporter(clock& time) : time_(time) {}
  ~reporter() { flush(); }

  /// At most every two seconds; the rest is dropped. A reader that went away stops no backup.
  void progress(proto::work_progress const&);
  /// From here on no progress: what is printed is a file's content.
  void print_content_only() { content_only_ = true; }
  /// A row or an entry; buffered until flush() or 64 KiB.
  void line(proto::output_line const&);
  /// The bytes of a file that is shown.
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

/// Puts the result where it is looked for: a pod's termination log is written as it stands, any other file appears by rename.
void write_result(std::string const& path, std::string_view text);

}  // namespace kopiur::mover
