#pragma once
#include "services/controller/core/plan_kind.hpp"

namespace kopiur::openbao {

/// The plan openbao-backup: one snapshot of a cluster, into the store of its `spec.backup`, when its annotation asks for it.
extern controller::plan_kind const backup_plan;

}  // namespace kopiur::openbao
