#include "common/hash/stable_hash.hpp"
#include "proto/codec.hpp"
#include "services/systems/kopiur/plans/plans.hpp"
#include "services/systems/kopiur/rules/identity.hpp"
#include "services/systems/kopiur/rules/suspension.hpp"

/// maintain: kopia's quick or full maintenance of one repository, ordered by the scheduler or by a request, with `parameters.full`.
namespace kopiur::plans {

using namespace proto;

namespace {

maintenance const* object_of(cluster_view const& all, run_state const& run) {
  auto* found = controller::find(all.objects.of<maintenance>(), run.order.object.namespace_, run.order.object.name);
  return found && found->metadata.uid == run.order.object.uid ? found : nullptr;
}

bool is_full(run_state const& run) {
  auto* full = run.order.parameters.find("full");
  return full && full->as_bool() && *full->as_bool();
}

preparation prepare(cluster_view const& all, run_state const& run) {
  auto* object = object_of(all, run);
  if (!object)
    return refused{{.class_ = failure_class::InvalidWork, .message = "Maintenance " + run.order.object.name + " no longer exists."}};
  auto repository = rules::find_repository(all.objects, object->spec.repository, object->metadata.namespace_);
  if (!repository) return wait{.why = {"RepositoryMissing", "Waiting for " + object->spec.repository.name + "."}};
  if (auto no = rules::may_not_maintain(all.objects, *repository, object->metadata.namespace_))
    return refused{{.class_ = kopia_failure::AccessDenied, .message = *no}};
  if (auto why = not_usable(all.objects, *repository)) return wait{.why = *why};
  auto pods = object->spec.mover ? std::optional(mover_options{.resources = object->spec.mover->resources}) : std::nullopt;
  auto found = connection_to(all.objects, *repository, rules::home_of(*repository), std::move(pods));
  if (!found) return found.error();
  auto& way = *found;
  auto unique = *repository->status->unique_ID;
  auto owner = object->spec.ownership.owner.value_or("kopiur@" + unique);
  auto index = owner.find('@');
  way.access.username = owner.substr(0, index);
  way.access.hostname = index == owner.npos ? "kopiur" : owner.substr(index + 1);
  run_plan plan;
  plan.attempts = object->spec.failure_policy.backoff_limit + 1;
  plan.deadline = longest::within(longest::deadline, object->spec.failure_policy.active_deadline_seconds);
  plan.start_within = stated_seconds(longest::pod_start, object->spec.failure_policy.pod_start_deadline_seconds);
  plan.priority = lease_priority::Background;
  plan.leases = {{"maintenance/" + unique, lease_mode::Exclusive}};
  plan.serves = {run.order.object};
  plan.namespace_ = rules::home_of(*repository);
  kopia_of(plan).repository = way.access;
  kopia_of(plan).task = maintain_work{
      .full = is_full(run), .owner = way.access.username + "@" + way.access.hostname, .takeover = object->spec.ownership.takeover_policy};
  add_connection(plan, std::move(way));
  return ready{std::move(plan)};
}

/// The owner that kopia records, as the run read it, and since when it is ours; or the conflict with another owner. spec/kopiur.md,
/// Maintenance.
void add_ownership(status_fragment& fragment, run_state const& run, std::optional<maintenance_owner> const& before) {
  auto* result = result_of(run);
  auto* task = run.plan && result ? verb_in<maintain_work>(*run.plan) : nullptr;
  if (!task || result->owner.empty()) return;
  bool ours = result->owner == task->owner;
  maintenance_owner owner{.owner = result->owner, .claimed_at = ours ? run.finished_at : std::nullopt};
  if (before && before->owner == owner.owner) owner.claimed_at = before->claimed_at;
  fragment.status.set("ownership", json::encode(owner));
  auto recorded = "kopia records " + owner.owner + " as the owner of this repository's maintenance";
  auto message = recorded + (ours ? ", and that is this Maintenance."
                                  : ". Stop that one and set spec.ownership.takeoverPolicy to Force, or delete this Maintenance.");
  auto reason = ours ? "Claimed" : "OwnedByAnother";
  fragment.conditions.push_back(condition(condition_type::ownership_claimed, ours, reason, message));
  fragment.conditions.push_back(condition(condition_type::ownership_conflict, !ours, reason, message));
}

std::vector<object_status> report(cluster_view const& all, run_state const& run) {
  auto* object = object_of(all, run);
  if (!object || run.stage != run_stage::FollowThroughComplete || !run.outcome) return {};
  bool succeeded = run.outcome == run_outcome::Succeeded;
  auto& before = is_full(run) ? object->status.full : object->status.quick;
  json::value part = json::value::make_object();
  part.set("lastRunAt", to_text(*run.finished_at));
  if (succeeded) part.set("lastSuccessAt", to_text(*run.finished_at));
  // A run is reported more than once from its own fact, so the count changes only with a new run.
  bool counted = before && before->last_run_at == run.finished_at;
  auto failures = before ? before->consecutive_failures.value_or(0) : 0;
  part.set("consecutiveFailures", succeeded ? 0 : counted ? failures : failures + 1);
  if (succeeded && result_of(run)) part.set("lastContentReclaimedBytes", result_of(run)->reclaimed_bytes);
  json::value status = json::value::make_object();
  status.set(is_full(run) ? "full" : "quick", std::move(part));
  auto message = succeeded     ? std::string("The last maintenance succeeded.")
                 : run.failure ? run.failure->message
                               : std::string("The last maintenance failed.");
  auto reason = succeeded ? std::string("Succeeded") : std::string(run.failure ? run.failure->class_.json_text() : "Failed");
  auto reported = claim_for(run.order.object, object->metadata.generation, std::move(status),
                            {condition(condition_type::ready, succeeded, reason, message)});
  add_ownership(reported.fragment, run, object->status.ownership);
  return {std::move(reported)};
}

/// `G/skip-snapshot-cleanup` on a Maintenance cancels a stuck run, and no run begins while it is set (spec/kopiur.md, Maintenance).
std::optional<cancellation> release(cluster_view const& all, run_state const& run) {
  auto* object = object_of(all, run);
  bool skip = object && controller::lookup(object->metadata.annotations, annotation::skip_snapshot_cleanup) == "true";
  if (!skip) return {};
  return cancellation{"its annotation " + std::string(annotation::skip_snapshot_cleanup) +
                      " says so; remove it to let maintenance run again"};
}

/// Condition Allowed: False while this namespace may not maintain the repository, True once it may again.
std::vector<condition_fragment> allowed(cluster_view const& all, maintenance const& object) {
  auto repository = rules::find_repository(all.objects, object.spec.repository, object.metadata.namespace_);
  auto no = repository ? rules::may_not_maintain(all.objects, *repository, object.metadata.namespace_) : std::nullopt;
  if (no) return {condition(condition_type::allowed, false, "NotAllowed", *no)};
  if (!controller::find_condition(object.status.conditions, condition_type::allowed)) return {};
  return {condition(condition_type::allowed, true, "Allowed", "This namespace may maintain the repository.")};
}

actions handle_request(cluster_view const& all, maintenance const& object, std::string_view asked) {
  actions needs;
  auto ref = controller::ref_of(object);
  auto id = "maintain-" + hash::digest_hex({"request", ref.uid, asked}, 16);
  if (all.run(id)) return needs;
  json::value parameters = json::value::make_object();
  parameters.set("full", asked.starts_with("full"));
  needs.orders.push_back({id, {.plan = "maintain", .object = ref, .parameters = std::move(parameters)}});
  return needs;
}

}  // namespace

/// A request is a value of `G/run-maintenance`: `full` or `quick`, and an id. Each new value starts one run.
actions reconcile_maintenance(cluster_view const& all, maintenance const& object) {
  if (object.metadata.deletion_timestamp) return {};
  auto asked = controller::lookup(object.metadata.annotations, annotation::run_maintenance);
  bool handled = asked.empty() || object.status.last_handled_request == asked || rules::is_suspended(object);
  auto needs = handled ? actions() : handle_request(all, object, asked);
  json::value status = json::value::make_object();
  if (!handled) status.set("lastHandledRequest", asked);
  auto conditions = allowed(all, object);
  if (!handled || !conditions.empty())
    needs.statuses.push_back(claim_for(controller::ref_of(object), object.metadata.generation, std::move(status), std::move(conditions)));
  return needs;
}

plan_kind const maintain_plan{.name = "maintain",
                              .prepare = prepare,
                              .complete_job = complete_kopia_job,
                              .answers = is_kopia_answer,
                              .cancel = release,
                              .report = report,
                              .ends_with_its_object = true};

}  // namespace kopiur::plans
