#pragma once
#include "services/controller/core/system.hpp"

namespace kopiur::openbao {

controller::actions reconcile(controller::cluster_view const& all, proto::object_ref const& object);
std::vector<controller::resync_item> resync(controller::objects const& all);
controller::effects affected_by(controller::objects const& all, proto::object_ref const& changed);

}  // namespace kopiur::openbao
