#include <cmath>

#include "common/encoding/quantity.hpp"
#include "common/time/instant.hpp"
#include "e2e/fuzz/fuzz.hpp"

namespace kopiur::fuzz {

/// Each line is read as an instant, as a duration and as a quantity.
void look(std::string_view input) {
  while (!input.empty()) {
    auto line = take_line(input);
    if (auto instant = instant_from(line)) require(instant_from(to_text(*instant)) == instant, "an instant is read as it was written");
    if (auto length = duration_from(line)) {
      require(*length >= duration::zero(), "a duration is not negative");
      require(duration_from(to_text(*length)) == length, "a duration is read as it was written");
    }
    auto bytes = encoding::bytes_of(line);
    require(std::isfinite(bytes) && bytes >= 0, "a quantity is a number");
  }
}

}  // namespace kopiur::fuzz
