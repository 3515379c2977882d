#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "common/json/describe.hpp"

namespace kopiur::gateway {

/// What the gateway remembers of one stream outside the bus (decisions.md section 2).
struct stream_epoch {
  std::string created;
  std::uint64_t last_sequence = 0;  ///< for `runs` and `requests` only, else 0
  bool operator==(stream_epoch const&) const = default;
};
KOPIUR_DESCRIBE(stream_epoch, (), (created, last_sequence))
using epochs = std::map<std::string, stream_epoch>;

/// What the bus lost since `known`: a sentence for each stream that was recreated or has fewer messages than before.
std::vector<std::string> losses(epochs const& known, epochs const& now);
/// `now` as it is stored: without the sequences that change all the time.
epochs memorable(epochs now);

}  // namespace kopiur::gateway
