#pragma once
#include <optional>
#include <string_view>

#include "common/time/instant.hpp"
#include "proto/work.hpp"

/// kopia's progress frames: text on stderr, meant for a terminal. Rounded to four digits, so good for showing and for nothing else.
namespace kopiur::mover {

/// A frame, and what follows it in its record: kopia ends no frame, so a message may begin where the frame's grammar ends.
struct framed {
  proto::work_progress at;
  std::string_view rest;  ///< of the record; empty: nothing follows
};

/// A frame of `snapshot create` or `restore`; nothing when the record is no frame (a message, an error, a cut frame).
std::optional<framed> read_frame(std::string_view record);

/// `1.5 MB` -> 1500000; nothing when it is no size.
std::optional<std::int64_t> read_size(std::string_view text);

/// Lets one line pass every two seconds; the first at once.
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
