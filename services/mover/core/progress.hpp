#pragma once
#include <optional>
#include <string_view>

#include "common/time/instant.hpp"
#include "proto/kopiur/kopia_task.hpp"

/// kopia's progress frames: text on stderr, formatted for a terminal. Rounded to four digits, so suitable for display only.
namespace kopiur::mover {

/// A frame, and the text after it in the same record. kopia does not terminate a frame, so a message may start where the frame's grammar
/// ends.
struct framed {
  proto::kopia_progress progress;
  std::string_view rest;  ///< of the record; empty: nothing follows
};

/// A frame of `snapshot create` or `restore`; nothing when the record is not a frame (a message, an error, a truncated frame).
std::optional<framed> read_frame(std::string_view record);

/// `1.5 MB` -> 1500000; nothing when it is no size.
std::optional<std::int64_t> read_size(std::string_view text);

/// Passes at most one line per two seconds; the first one at once.
class throttle {
 public:
  bool may_pass(instant now) {
    if (last_ && now >= *last_ && now - *last_ < duration{2000}) return false;
    last_ = now;
    return true;
  }

 private:
  std::optional<instant> last_;
};

}  // namespace kopiur::mover
