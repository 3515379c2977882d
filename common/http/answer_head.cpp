#include "common/http/answer_head.hpp"

#include <algorithm>

namespace kopiur::http {

std::string_view answer_head::operator[](std::string_view name) const {
  auto found = std::ranges::find(fields, name, [](auto const& each) -> std::string_view { return each.first; });
  return found == fields.end() ? std::string_view() : std::string_view(found->second);
}

}  // namespace kopiur::http
