#include <algorithm>
#include <set>

#include "common/hash/stable_hash.hpp"
#include "services/controller/core/run_facts.hpp"
#include "services/systems/kopiur/plans/plans.hpp"
#include "services/systems/kopiur/rules/standing.hpp"

/// occasion: a run that quiesces an application once for several Backups: those of one slot, or of one manual Backup of several sources.
/// Used if the config has hooks or captures its claims together. core/occasion.cpp; decisions.md section 3.
namespace kopiur::plans {

using namespace proto;
using namespace std::chrono_literals;

namespace {

constexpr std::string_view group_parameter = "group";

/// A Backup that does not exist yet may still arrive for this long after the order.
constexpr duration latecomers = 1min;

/// Includes the creator of the group: a schedule or Backup that was recreated under its name starts a new occasion. (A user who writes
/// these annotations only moves his own Backup into another occasion, or into none.)
std::string id_of(backup const& object, std::string const& config) {
  auto& meta = object.metadata;
  auto maker = std::string(controller::lookup(meta.annotations, annotation::schedule_uid)) +
               std::string(controller::lookup(meta.annotations, annotation::group_uid));
  return "occasion-" + hash::digest_hex({meta.namespace_, config, rules::group_of(object), maker}, 16);
}

/// The Backups that the occasion is for.
std::vector<backup const*> backups_of(cluster_view const& all, run_state const& run) {
  auto& config = run.order.object;
  auto found = backups_of_group(all, config.namespace_, run.order.parameters.text(group_parameter));
  std::erase_if(found, [&](backup const* one) {
    return !one->spec.config_ref || one->spec.config_ref->name != config.name || id_of(*one, config.name) != run.run;
  });
  return found;
}

bool holds_all(cluster_view const& all, run_state const& run) {
  return std::ranges::all_of(run.plan->leases, [&](lease_need const& need) { return controller::holds(all.lease(need.key), run); });
}

std::string claim_of(run_plan const& plan) {
  auto source = std::ranges::find(*plan.volumes, copied_volume, &volume_use::name);
  return source == plan.volumes->end() ? std::string() : source->claim_name;
}

attendant look_at(cluster_view const& all, run_state const& occasion, backup const& one) {
  using standing = attendant::state;
  auto* run = all.run(backup_run_id(all, one));
  attendant who{.who = {.run = run ? run->run : std::string(), .claim = {}}, .name = one.metadata.name};
  bool ended = one.metadata.deletion_timestamp || rules::has_ended(one.status.phase) ||
               (run && (run->cancelled || is_terminal(run->stage) || (run->plan && run->plan->occasion != occasion.run)));
  if (ended) return who.is = standing::over, who;
  if (!run || !run->plan || !backup_plan.receipt(all, *run)) return who;
  who.who.claim = claim_of(*run->plan);
  bool can = run->plan->rests == rest_until::Copied || run->stage != run_stage::Prepared || holds_all(all, *run);
  who.is = can ? standing::ready : standing::prepared;
  return who;
}

/// One attendant for each current source of the config, and for each Backup of a source.
std::vector<attendant> attendants(cluster_view const& all, run_state const& run) {
  std::vector<attendant> found;
  std::set<std::string> paths;
  for (auto* one : backups_of(all, run)) {
    found.push_back(look_at(all, run, *one));
    paths.insert(one->spec.source_path.value_or(""));
  }
  auto* config = ordered_config(all, run);
  bool may_come = all.now - run.ordered_at < latecomers;
  if (config && may_come)
    for (auto& each : rules::sources_of(all.objects, *config))
      if (!paths.contains(each.path)) found.push_back({.who = {}, .is = attendant::state::missing, .name = each.path});
  return found;
}

bool nobody_is_left(cluster_view const& all, run_state const& run) {
  if (run.gathered_at)
    return std::ranges::none_of(run.members, [&](auto& each) {
      auto* member = all.run(each.run);
      return member && !member->cancelled && !is_terminal(member->stage);
    });
  return std::ranges::all_of(attendants(all, run), [](auto& each) { return each.is == attendant::state::over; });
}

std::optional<cancellation> cancel(cluster_view const& all, run_state const& run) {
  bool acts = run.stage == run_stage::Committed;  // the engine handles that stage itself
  if (acts || !all.objects.listed || !nobody_is_left(all, run)) return {};
  return cancellation{"none of its Backups is left"};
}

std::vector<std::string> concerns(cluster_view const& all, run_state const& run) {
  std::vector<std::string> runs;
  for (auto* one : backups_of(all, run)) runs.push_back(backup_run_id(all, *one));
  return runs;
}

preparation prepare(cluster_view const& all, run_state const& run) {
  auto* config = ordered_config(all, run);
  if (!config) return wait{.why = {"ConfigMissing", "Waiting for BackupConfig " + run.order.object.name + "."}};
  if (std::ranges::none_of(attendants(all, run), takes_part))
    return wait{.why = {"WaitingForSources", "Waiting until one of its sources is ready."}};
  run_plan plan{.gathers = true};
  if (auto no = add_hooks(all, *config, copying_of(all, *config), run, plan)) return *no;
  failure_policy const usual;
  auto stated = config->spec.failure_policy ? config->spec.failure_policy->active_deadline_seconds : std::nullopt;
  plan.deadline = longest::within(longest::deadline, stated.value_or(usual.active_deadline_seconds));
  plan.namespace_ = config->metadata.namespace_;
  return ready{std::move(plan)};
}

std::string reason_of(run_state const& run) { return run.waits ? " It waits: " + run.waits->message : std::string(); }

cancellation came_too_late(run_state const& run, run_state const& occasion) {
  auto when = occasion.gathered_at ? "at " + to_text(*occasion.gathered_at) : std::string("before it was ready");
  return {.why = "The other sources of group " + std::string(occasion.order.parameters.text(group_parameter)) + " were taken " + when +
                 ", a minute after the first of them was ready at the latest, so this Backup would be of another moment." + reason_of(run),
          .as = failure_class::MissedOccasion};
}

}  // namespace

std::optional<occasion> occasion_of(cluster_view const& all, backup const& object, backup_config const& config) {
  auto group = rules::group_of(object);
  bool alone = object.spec.import_ || group.empty();
  if (alone || !(has_hooks(config) || grouping_of(all, config) != group_by::None)) return {};
  auto parameters = json::value::make_object();
  parameters.set(group_parameter, std::string(group));
  return occasion{.id = id_of(object, config.metadata.name),
                  .order = {.plan = "occasion", .object = controller::ref_of(config), .parameters = std::move(parameters)}};
}

std::optional<wait> before_it_has_begun(cluster_view const& all, occasion const& occasion) {
  constexpr duration look_again{15'000};
  if (all.run(occasion.id)) return {};
  return wait{.why = {"WaitingForSources", "Waiting until the common part of its group starts."},
              .look_again = all.now + look_again,
              .asks = {{new_run{occasion.id, occasion.order}, ""}}};
}

std::optional<cancellation> left_behind(cluster_view const& all, run_state const& run, std::optional<std::string> const& id) {
  auto* occasion = id && !is_terminal(run.stage) ? all.run(*id) : nullptr;
  if (!occasion) return {};
  bool settled = occasion->gathered_at || is_terminal(occasion->stage), takes_part = controller::is_member(*occasion, run.run);
  auto wrong = occasion->failure;
  if (!wrong && occasion->cancelled) wrong = controller::cancelled(*occasion);
  bool of_this_one = takes_part || (wrong && wrong->class_ != failure_class::Cancelled);  // otherwise the others were cancelled by users
  if (wrong && of_this_one && !controller::has_its_copy(run)) return cancellation{.why = wrong->message, .as = wrong->class_};
  return settled && !takes_part ? std::optional(came_too_late(run, *occasion)) : std::nullopt;
}

plan_kind const occasion_plan{.name = "occasion",
                              .prepare = prepare,
                              .cancel = cancel,
                              .sharing_hooks = sharing_ordered_hooks,
                              .concerns = concerns,
                              .attendants = attendants};

}  // namespace kopiur::plans
