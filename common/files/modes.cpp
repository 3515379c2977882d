#include "common/files/modes.hpp"

#include <sys/stat.h>

#include <optional>

namespace kopiur::files {

namespace {

constexpr mode_t only_this_user = 077;

// The umask with which the process was started, once create_private() has replaced it.
std::optional<mode_t>& replaced() {
  static std::optional<mode_t> umask;
  return umask;
}

mode_t current() {
  auto umask = ::umask(only_this_user);
  ::umask(umask);
  return umask;
}

}  // namespace

void create_private() {
  auto before = ::umask(only_this_user);
  if (!replaced()) replaced() = before;
}

user_modes::user_modes() : before_(::umask(umask())) {}
user_modes::~user_modes() { ::umask(before_); }

mode_t user_modes::umask() { return replaced().value_or(current()); }

}  // namespace kopiur::files
