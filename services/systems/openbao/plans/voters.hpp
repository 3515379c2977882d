#pragma once
#include "services/systems/openbao/plans/settle.hpp"

namespace kopiur::openbao {

/// What a cluster needs after a restore: healthy voters; and where the installation wants it, each restarted once, since a restored node
/// may go on with policies and tokens that it has in memory (spec/openbao-restore.md A6.11).
settling bring_back(controller::cluster_view const& all, proto::run_state const& restore);
/// Whether that was done, from the recorded looks alone: what a live look would show later does not matter any more.
bool was_brought_back(controller::cluster_view const& all, proto::run_state const& restore);

}  // namespace kopiur::openbao
