#include "services/mirror/core/quantity.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace kopiur::mirror {

double bytes_of(std::string_view quantity) {
  static constexpr std::array<std::pair<std::string_view, double>, 12> units{{{"Ki", 0x1p10},
                                                                              {"Mi", 0x1p20},
                                                                              {"Gi", 0x1p30},
                                                                              {"Ti", 0x1p40},
                                                                              {"Pi", 0x1p50},
                                                                              {"Ei", 0x1p60},
                                                                              {"k", 1e3},
                                                                              {"M", 1e6},
                                                                              {"G", 1e9},
                                                                              {"T", 1e12},
                                                                              {"P", 1e15},
                                                                              {"E", 1e18}}};
  double number = 0;
  auto end = std::from_chars(quantity.data(), quantity.data() + quantity.size(), number, std::chars_format::fixed).ptr;
  auto unit =
      std::ranges::find(units, std::string_view(end, quantity.data() + quantity.size()), &std::pair<std::string_view, double>::first);
  return number * (unit == units.end() ? 1 : unit->second);
}

}  // namespace kopiur::mirror
