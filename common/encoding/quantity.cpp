#include "common/encoding/quantity.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace kopiur::encoding {

double bytes_of(std::string_view quantity) {
  static constexpr std::array<std::pair<std::string_view, double>, 16> units{{{"", 1},
                                                                              {"Ki", 0x1p10},
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
                                                                              {"E", 1e18},
                                                                              {"m", 1e-3},
                                                                              {"u", 1e-6},
                                                                              {"n", 1e-9}}};
  constexpr double most = 0x1p63;  // the maximum in Kubernetes
  double number = 0;
  auto* const text_end = quantity.data() + quantity.size();
  auto [end, failed] = std::from_chars(quantity.data(), text_end, number);
  auto unit = std::ranges::find(units, std::string_view(end, text_end), &std::pair<std::string_view, double>::first);
  bool is_quantity = failed == std::errc{} && std::isfinite(number) && !std::signbit(number) && unit != units.end();
  return is_quantity ? std::min(number * unit->second, most) : 0;
}

}  // namespace kopiur::encoding
