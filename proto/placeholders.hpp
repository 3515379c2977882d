#pragma once
#include <string_view>

/// Detects unexpanded placeholders of other programs' templates.
namespace kopiur::proto {

namespace placeholders {
struct marks {
  std::string_view begin, end;
};
inline constexpr marks all[] = {{"ENC[", "]"}, {"${", "}"}, {"{{", "}}"}, {"<path:", ">"}};
/// The same marks as a pattern for CEL's `matches`.
inline constexpr std::string_view pattern = R"(ENC\\[.*\\]|[$][{].*[}]|[{][{].*[}][}]|<path:.*>)";
inline constexpr std::string_view why_not = "It holds a placeholder that another program was to fill in, and would be taken literally.";
}  // namespace placeholders

/// Whether the text contains a placeholder: `ENC[...]` of SOPS, `${NAME}`, `{{ name }}`, `<path:...>`. kopiur expands none of them.
inline bool is_unfilled(std::string_view text) {
  for (auto& [begin, end] : placeholders::all) {
    auto from = text.find(begin);
    if (from != text.npos && text.find(end, from + begin.size()) != text.npos) return true;
  }
  return false;
}

}  // namespace kopiur::proto
