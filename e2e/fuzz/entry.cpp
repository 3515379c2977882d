#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "e2e/fuzz/fuzz.hpp"

namespace kopiur::fuzz {

void require(bool holds, std::string_view property) {
  if (holds) return;
  std::fprintf(stderr, "the property does not hold: %.*s\n", static_cast<int>(property.size()), property.data());
  std::abort();
}

std::string_view take_line(std::string_view& rest) {
  auto end = rest.find('\n');
  auto line = rest.substr(0, end);
  rest.remove_prefix(end == rest.npos ? rest.size() : end + 1);
  return line;
}

std::vector<std::string_view> pieces(std::string_view bytes, std::size_t length) {
  std::vector<std::string_view> all;
  for (; !bytes.empty(); bytes.remove_prefix(all.back().size())) all.push_back(bytes.substr(0, length));
  return all;
}

}  // namespace kopiur::fuzz

/// libFuzzer's entry point.
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
  kopiur::fuzz::look({reinterpret_cast<char const*>(data), size});
  return 0;
}
