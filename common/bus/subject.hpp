#pragma once
#include <string_view>

namespace kopiur::bus {

/// True when `subject` falls under `filter`: tokens are parted by dots, `*` is any one token, a last `>` is one or more.
bool matches(std::string_view filter, std::string_view subject);

}  // namespace kopiur::bus
