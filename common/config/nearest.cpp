#include <algorithm>
#include <cctype>

#include "common/config/load.hpp"

namespace kopiur::config {
namespace {

bool same_letter(char a, char b) { return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b)); }

/// Edit distance (insert, remove, replace, swap of neighbours), ignoring case.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before, last(b.size() + 1), now(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (same_letter(a[i - 1], b[j - 1]) ? 0 : 1)});
      if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) && same_letter(a[i - 2], b[j - 1]))
        now[j] = std::min(now[j], before[j - 2] + 1);
    }
    before = std::exchange(last, now);
  }
  return last[b.size()];
}

}  // namespace

std::string_view nearest(std::string_view typed, std::vector<std::string_view> const& known) {
  if (typed.empty() || typed.size() > 64) return {};
  std::string_view best;
  auto least = std::max<std::size_t>(1, typed.size() / 3) + 1;
  for (auto each : known)
    if (auto d = distance(typed, each); d < least) least = d, best = each;
  return best;
}

std::string unknown_field(std::string_view typed, std::vector<std::string_view> const& known) {
  auto near = nearest(typed, known);
  return "unknown field \"" + std::string(typed) + "\"" + (near.empty() ? "." : "; did you mean `" + std::string(near) + "`?");
}

std::string detail::joined_path(std::string const& parent, std::string const& child) {
  bool apart = !parent.empty() && !child.empty() && child.front() != '[';
  return parent + (apart ? "." : "") + child;
}

}  // namespace kopiur::config
