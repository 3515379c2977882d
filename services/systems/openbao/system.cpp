#include "services/systems/openbao/system.hpp"

#include "services/systems/openbao/metrics.hpp"
#include "services/systems/openbao/plans/backup.hpp"
#include "services/systems/openbao/plans/restore.hpp"
#include "services/systems/openbao/plans/settle.hpp"
#include "services/systems/openbao/reconcile.hpp"

namespace kopiur {

namespace {
constexpr controller::plan_kind const* plans[] = {&openbao::restore_plan, &openbao::settle_plan, &openbao::backup_plan};
}  // namespace

controller::system const openbao_system{.name = "openbao",
                                        .plans = plans,
                                        .reconcile = openbao::reconcile,
                                        .resync = openbao::resync,
                                        .affected_by = openbao::affected_by,
                                        .measure = openbao::measure,
                                        .count_fact = openbao::count};

}  // namespace kopiur
