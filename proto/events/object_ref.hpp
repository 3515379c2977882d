#pragma once
#include <boost/describe.hpp>
#include <string>

namespace kopiur::proto {

/// One object of a cluster; `uid` empty while it is not known.
struct object_ref {
  std::string kind, namespace_, name, uid;
  auto operator<=>(object_ref const&) const = default;
};
BOOST_DESCRIBE_STRUCT(object_ref, (), (kind, namespace_, name, uid))

}  // namespace kopiur::proto
