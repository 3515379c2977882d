#pragma once
#include "services/controller/core/system.hpp"

namespace kopiur::hypershift {

/// Orders the run of a request, once; a request whose status says how it ended gets none, even if the bus has lost its run.
controller::actions reconcile(controller::cluster_view const& all, proto::object_ref const& object);
std::vector<controller::resync_item> resync(controller::objects const& all);
controller::effects affected_by(controller::objects const& all, proto::object_ref const& changed);

}  // namespace kopiur::hypershift
