#include "common/json/codec.hpp"

#include <cctype>

namespace kopiur::json {

std::string wire_name(std::string_view member) {
  std::string name;
  bool upper = false;
  for (char c : member) {
    if (c == '_') {
      upper = true;
      continue;
    }
    name += upper ? static_cast<char>(std::toupper(static_cast<unsigned char>(c))) : c;
    upper = false;
  }
  return name;
}

}  // namespace kopiur::json
