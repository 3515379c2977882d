#pragma once
#include "services/controller/core/system.hpp"

/// Reconciles Kopiur's objects and computes which objects a change affects. controller/core/system.hpp documents each function.
namespace kopiur::plans {

controller::actions reconcile(controller::cluster_view const& all, proto::object_ref const& object);
std::vector<controller::resync_item> resync(controller::objects const& all);
controller::effects affected_by(controller::objects const& all, proto::object_ref const& changed);
std::vector<proto::object_ref> reported_with(controller::objects const& all, proto::object_ref const& changed);
bool may_unblock(proto::object_ref const& changed, proto::run_state const& due);

}  // namespace kopiur::plans
