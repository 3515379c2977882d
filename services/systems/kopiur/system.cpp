#include "services/systems/kopiur/system.hpp"

#include "services/systems/kopiur/admission.hpp"
#include "services/systems/kopiur/metrics.hpp"
#include "services/systems/kopiur/plans/plans.hpp"
#include "services/systems/kopiur/progress.hpp"
#include "services/systems/kopiur/reconcile.hpp"
#include "services/systems/kopiur/timed.hpp"

namespace kopiur {

using namespace plans;

namespace {
constexpr controller::plan_kind const* all_plans[] = {&connect_plan,   &discover_plan, &backup_plan,  &occasion_plan,
                                                      &unquiesce_plan, &delete_plan,   &restore_plan, &maintain_plan};
}  // namespace

controller::system const kopiur_system{.name = "kopiur",
                                       .plans = all_plans,
                                       .reconcile = reconcile,
                                       .resync = resync,
                                       .affected_by = affected_by,
                                       .timed_wakes = timed_wakes,
                                       .timed = timed_of,
                                       .with_clock = objects_with_clock,
                                       .due_by_clock = due_by_clock,
                                       .judges = judges,
                                       .judge = judge,
                                       .progress_of = progress_of,
                                       .measure = measure,
                                       .count_fact = count,
                                       .count_command = count};

}  // namespace kopiur
