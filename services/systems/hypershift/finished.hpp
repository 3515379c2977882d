#pragma once
#include "services/systems/hypershift/request.hpp"

namespace kopiur::hypershift {

/// The backups of this kind in that namespace that succeeded, the oldest first. Failed ones stay until a user deletes them; the snapshots
/// in the store stay in any case.
std::vector<proto::object_ref> finished(controller::objects const& all, std::string_view kind, std::string const& ns);

}  // namespace kopiur::hypershift
