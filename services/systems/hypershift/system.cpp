#include "services/systems/hypershift/system.hpp"

#include "services/systems/hypershift/finished.hpp"
#include "services/systems/hypershift/metrics.hpp"
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
                                           .affected_by = hypershift::affected_by,
                                           .finished = hypershift::finished,
                                           .measure = hypershift::measure,
                                           .count_fact = hypershift::count};

}  // namespace kopiur
