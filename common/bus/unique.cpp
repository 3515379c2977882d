#include "common/bus/unique.hpp"

#include <random>
#include <string_view>

namespace kopiur::bus {

std::string unique_token() {
  constexpr std::string_view letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  std::random_device dice;  // the kernel's
  std::uniform_int_distribution<std::size_t> any(0, letters.size() - 1);
  std::string token;
  for (int i = 0; i < 22; ++i) token += letters[any(dice)];
  return token;
}

}  // namespace kopiur::bus
