#pragma once
#include <functional>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>

namespace kopiur::encoding {

/// Joins the texts, with `between` between each two: `a, b, c`. `text_of` converts an item that is not text.
template <std::ranges::input_range Items, class TextOf = std::identity>
std::string join(Items&& items, std::string_view between = ", ", TextOf text_of = {}) {
  std::string text;
  bool first = true;
  for (auto&& each : items) {
    if (!std::exchange(first, false)) text += between;
    text += std::invoke(text_of, each);
  }
  return text;
}

}  // namespace kopiur::encoding
