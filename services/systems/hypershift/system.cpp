#include "services/systems/hypershift/system.hpp"

#include "services/systems/hypershift/plans/backup.hpp"
#include "services/systems/hypershift/reconcile.hpp"

namespace kopiur {

namespace {
constexpr controller::plan_kind const* plans[] = {&hypershift::backup_plan};
}  // namespace

controller::system const hypershift_system{.name = "hypershift",
                                           .plans = plans,
                                           .reconcile = hypershift::reconcile,
                                           .resync = hypershift::resync,
                                           .affected_by = hypershift::affected_by};

}  // namespace kopiur
