#pragma once
#include <optional>
#include <string>
#include <string_view>

/// Versions of drivers. An object is stamped with the major version of the driver that first served it.
namespace kopiur::buckety {

struct semver {
  int major_number = 0, minor_number = 0, patch_number = 0;
  auto operator<=>(semver const&) const = default;
};

/// `1.2.3`: three numbers below a million, without a sign and leading zeros; nothing for other text.
constexpr std::optional<semver> parse_version(std::string_view text) {
  int numbers[3]{};
  for (int i = 0; i < 3; ++i) {
    if (i > 0 && !text.starts_with('.')) return {};
    if (i > 0) text.remove_prefix(1);
    std::size_t length = 0;
    for (; length < text.size() && text[length] >= '0' && text[length] <= '9'; ++length) {
      if (length == 6) return {};
      numbers[i] = numbers[i] * 10 + (text[length] - '0');
    }
    if (length == 0 || (length > 1 && text.front() == '0')) return {};
    text.remove_prefix(length);
  }
  return text.empty() ? std::optional(semver{numbers[0], numbers[1], numbers[2]}) : std::nullopt;
}

/// `1.2.3`
std::string version_text(semver const& version);
/// Whether a driver may serve an object with this stamp. 0 is a stamp like any other; without one, any driver may.
constexpr bool is_compatible(std::optional<int> stamped_major, semver const& running) {
  return !stamped_major || *stamped_major == running.major_number;
}

}  // namespace kopiur::buckety
