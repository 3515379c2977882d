#pragma once
#include <charconv>
#include <concepts>
#include <optional>
#include <string_view>

namespace kopiur::encoding {

/// The decimal digits at the beginning of a text, with a `-` if T is signed; nothing when there are none, or they do not fit.
template <std::integral T>
std::optional<T> leading_number(std::string_view text) {
  T number{};
  auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc{} ? std::optional(number) : std::nullopt;
}

/// The same for the whole text; nothing when it contains anything else.
template <std::integral T>
std::optional<T> whole_number(std::string_view text) {
  T number{};
  auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  return read.ec == std::errc{} && read.ptr == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

}  // namespace kopiur::encoding
