#pragma once
#include <string_view>

namespace kopiur::bus {

/// True when `subject` matches `filter`: dots separate tokens, `*` matches exactly one token, a final `>` one or more.
bool matches(std::string_view filter, std::string_view subject);

}  // namespace kopiur::bus
