#pragma once
#include "common/json/describe.hpp"
#include "common/time/instant.hpp"

/// What the gateway knows of a foreign kind (proto/kinds.hpp), or of one of ours that another operator may serve. The definition of a
/// foreign kind may be absent, and then its objects are unknown: that none is seen does not mean that none exists.
namespace kopiur::proto {

enum class kind_presence {
  Unknown,       ///< the gateway has not told yet, or its cluster has no foreign kinds (a folder)
  NotInstalled,  ///< the CustomResourceDefinition was read, and does not serve the kind: objects are unknown, and stay as they were told
  Listed,        ///< the list was complete, and changes follow: any other object does not exist. Of one of ours: kopiur serves it
  OfAnother      ///< of one of ours: the operator whose kind it is has defined it and runs. kopiur acts on none of its objects
};
BOOST_DESCRIBE_ENUM(kind_presence, Unknown, NotInstalled, Listed, OfAnother)

struct kind_state {
  kind_presence presence = kind_presence::Unknown;
  instant since{};
};
KOPIUR_DESCRIBE(kind_state, (), (presence, since))

}  // namespace kopiur::proto
