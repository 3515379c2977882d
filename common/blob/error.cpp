#include "common/blob/error.hpp"

namespace kopiur::blob {

std::string_view to_text(failure kind) {
  switch (kind) {
    case failure::absent:
      return "absent";
    case failure::denied:
      return "denied";
    case failure::taken:
      return "taken";
    case failure::owned:
      return "owned";
    case failure::conflict:
      return "conflict";
    case failure::unsupported:
      return "unsupported";
    case failure::unavailable:
      return "unavailable";
    case failure::invalid:
      return "invalid";
    case failure::other:
      return "other";
  }
  __builtin_unreachable();
}

}  // namespace kopiur::blob
