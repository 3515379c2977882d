#include "services/maintenance-lease/core/ownership.hpp"

#include "proto/codec.hpp"
#include "services/controller/core/condition.hpp"

namespace kopiur::maintenance_lease {

using namespace proto;

std::optional<status_fragment> ownership_of(run_state const& run, std::optional<maintenance_owner> const& before) {
  auto* task = is_terminal(run.stage) && run.plan && run.result ? std::get_if<maintain_work>(&run.plan->work.task) : nullptr;
  if (!task || run.result->owner.empty()) return {};
  bool ours = run.result->owner == task->owner;
  bool same = before && before->owner == run.result->owner;
  maintenance_owner owner{.owner = run.result->owner,
                          .claimed_at = same   ? before->claimed_at
                                        : ours ? std::optional(run.changed_at)
                                               : std::nullopt};
  json::value status = json::value::make_object();
  status.set("ownership", json::encode(owner));
  auto message = ours ? "kopia records " + owner.owner + " as the owner of this repository's maintenance, and that is this Maintenance."
                      : "kopia records " + owner.owner +
                            " as the owner of this repository's maintenance. Stop that one and set spec.ownership.takeoverPolicy to Force, "
                            "or delete this Maintenance.";
  auto reason = ours ? "Claimed" : "OwnedByAnother";
  return status_fragment{.uid = run.order.object.uid,
                         .status = std::move(status),
                         .conditions = {controller::condition(condition_type::ownership_claimed, ours, reason, message),
                                        controller::condition(condition_type::ownership_conflict, !ours, reason, message)}};
}

}  // namespace kopiur::maintenance_lease
