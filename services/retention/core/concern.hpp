#pragma once
#include <vector>

#include "services/controller/core/objects.hpp"

namespace kopiur::retention {

/// The configs and schedules whose Backups are to be judged again because this object changed or was deleted. Pure.
std::vector<proto::object_key> concerned_by(controller::objects const& all, proto::object_ref const& changed);

}  // namespace kopiur::retention
