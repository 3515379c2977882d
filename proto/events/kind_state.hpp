#pragma once
#include "common/json/describe.hpp"
#include "common/time/instant.hpp"

/// What the gateway knows of a foreign kind (proto/kinds.hpp). Its definition may be absent, and then its objects are unknown: that none is
/// seen does not mean that none exists.
namespace kopiur::proto {

enum class kind_presence {
  Unknown,       ///< the gateway has not told yet, or its cluster has no foreign kinds (a folder)
  NotInstalled,  ///< the CustomResourceDefinition was read, and does not serve the kind: objects are unknown, and stay as they were told
  Listed         ///< the list was complete, and changes follow: any other object does not exist
};
BOOST_DESCRIBE_ENUM(kind_presence, Unknown, NotInstalled, Listed)

struct kind_state {
  kind_presence presence = kind_presence::Unknown;
  instant since{};
};
KOPIUR_DESCRIBE(kind_state, (), (presence, since))

}  // namespace kopiur::proto
