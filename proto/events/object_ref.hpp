#pragma once
#include <string>

#include "proto/describe.hpp"

namespace kopiur::proto {

/// One object of a cluster; `uid` empty while it is not known.
struct object_ref {
  std::string kind, namespace_, name, uid;
  auto operator<=>(object_ref const&) const = default;
};
KOPIUR_DESCRIBE_NOTED(object_ref, (), (kind, namespace_, name, uid))

}  // namespace kopiur::proto
