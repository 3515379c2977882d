#pragma once
#include "services/controller/core/system.hpp"

/// Reconciles Kopiur's objects and computes which objects a change affects. controller/core/system.hpp documents each function.
namespace kopiur::plans {

controller::actions reconcile(controller::cluster_view const& all, proto::object_ref const& object);
std::vector<controller::resync_item> resync(controller::objects const& all);
controller::effects affected_by(controller::objects const& all, proto::object_ref const& changed);

}  // namespace kopiur::plans
