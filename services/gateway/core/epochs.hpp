#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "common/json/describe.hpp"

namespace kopiur::gateway {

/// What we remember of one stream outside the bus (decisions.md section 2).
struct stream_epoch {
  std::string created;
  std::uint64_t last_sequence = 0;  ///< of `runs` and `requests` only, else 0
  bool operator==(stream_epoch const&) const = default;
};
KOPIUR_DESCRIBE(stream_epoch, (), (created, last_sequence))
using epochs = std::map<std::string, stream_epoch>;

/// What the bus lost since it was `known`: a sentence for each stream that was made again or has fewer messages than it had.
std::vector<std::string> losses(epochs const& known, epochs const& now);
/// `now` as it is remembered: without the sequences that move all the time.
epochs memorable(epochs now);

}  // namespace kopiur::gateway
