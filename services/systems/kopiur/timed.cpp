#include "services/systems/kopiur/timed.hpp"

#include <algorithm>

#include "common/hash/stable_hash.hpp"
#include "proto/kopiur/longest.hpp"
#include "services/controller/core/metadata.hpp"
#include "services/controller/core/run_facts.hpp"
#include "services/systems/kopiur/rules/run_ids.hpp"
#include "services/systems/kopiur/rules/slot_names.hpp"
#include "services/systems/kopiur/rules/suspension.hpp"

namespace kopiur::plans {

using namespace proto;
using controller::timed_object;
using rules::backup_name_beginning;

namespace {

timed_object slots_of(backup_schedule const& one) {
  timed_object timed{.key = one.metadata.uid,
                     .object = controller::ref_of(one),
                     .rules = one.spec.schedule,
                     .created = one.metadata.creation_timestamp.value_or(instant{}),
                     .does = "backup",
                     .kind = &backup_schedule_slots};
  if (rules::is_suspended(one) || controller::is_manifest_missing(one.metadata)) timed.rules.suspend = true;
  return timed;
}

timed_object slots_of(maintenance const& one, std::string const& part) {
  auto& slot = part == "full" ? one.spec.schedule.full : one.spec.schedule.quick;
  schedule_rules rules{
      .cron = slot.cron, .jitter = slot.jitter, .timezone = one.spec.schedule.timezone, .suspend = rules::is_suspended(one)};
  return {.key = one.metadata.uid + "-" + part,
          .object = controller::ref_of(one),
          .rules = std::move(rules),
          .created = one.metadata.creation_timestamp.value_or(instant{}),
          .does = part + " maintenance",
          .part = part,
          .kind = &maintenance_slots};
}

bool is_repository(object_ref const& object) {
  return object.kind == repository::info.kind || object.kind == cluster_repository::info.kind;
}

}  // namespace

status_fragment fragment_of(controller::objects const& all, timed_object const& timed) {
  auto* meta = controller::find_meta(all, timed.object.kind, {timed.object.namespace_, timed.object.name});
  return {.uid = timed.object.uid, .observed_generation = meta ? meta->generation : 0};
}

std::optional<std::string> taken_from(object_ref const& own, instant slot, run_state const& fact) {
  auto& there = fact.order.object;
  if (there.kind == own.kind && there.namespace_ == own.namespace_ && there.name == own.name) return {};
  return "The run of slot " + to_text(slot) + " is taken by " + there.kind + " " + there.namespace_ + "/" + there.name;
}

std::vector<timed_object> timed_of(controller::objects const& all, object_ref const& object) {
  std::vector<timed_object> found;
  if (object.kind == backup_schedule::info.kind) {
    auto* one = controller::find(all.of<backup_schedule>(), object.namespace_, object.name);
    if (one && !one->metadata.deletion_timestamp) found.push_back(slots_of(*one));
  }
  if (object.kind == maintenance::info.kind) {
    auto* one = controller::find(all.of<maintenance>(), object.namespace_, object.name);
    if (one && !one->metadata.deletion_timestamp) found = {slots_of(*one, "quick"), slots_of(*one, "full")};
  }
  if (auto repository = is_repository(object) ? rules::find_repository(all, object) : std::nullopt)
    found.push_back({.key = repository->meta->uid, .object = repository->ref(), .rules = {}, .does = {}, .part = {}});
  return found;
}

std::vector<object_ref> objects_with_clock(controller::objects const& all) {
  std::vector<object_ref> found;
  for (auto& [_, one] : all.of<backup_schedule>()) found.push_back(controller::ref_of(one));
  for (auto& [_, one] : all.of<maintenance>()) found.push_back(controller::ref_of(one));
  rules::for_each_repository(all, [&](rules::any_repository const& one) { found.push_back(one.ref()); });
  return found;
}

controller::due_runs due_by_clock(controller::objects const& all, object_ref const& object,
                                  std::function<std::vector<run_state const*>(std::string const& id, std::string_view plan)> const& runs_of,
                                  instant now) {
  auto repository = is_repository(object) ? rules::find_repository(all, object) : std::nullopt;
  if (!repository || repository->meta->uid != object.uid) return {};
  auto connects = runs_of(object.uid, "connect");
  std::erase_if(connects, [&](run_state const* one) { return one->order.object.uid != object.uid; });
  return lists_of(*repository, connects, now);
}

controller::due_runs lists_of(rules::any_repository const& repository, std::vector<run_state const*> const& connects, instant now) {
  controller::due_runs ticks;
  auto& uid = repository.meta->uid;
  bool usable = repository.status->unique_ID && !rules::is_suspended(repository) && !repository.meta->deletion_timestamp;
  if (!usable) return ticks;
  run_state const* newest = nullptr;
  for (auto* run : connects)
    if (run->outcome == run_outcome::Succeeded && (!newest || controller::is_older(*newest, *run))) newest = run;
  if (!newest) return ticks;
  auto order = [&](std::string_view why, std::string const& which) {
    ticks.due.push_back(
        {"discover-" + hash::digest_hex({"discover", uid, why, which}, 16), {.plan = "discover", .object = repository.ref()}});
  };
  order("connect", newest->run);
  auto every = std::clamp<duration>(repository.spec->catalog.refresh_interval, duration(30'000), proto::longest::wait);
  auto phase = duration(static_cast<std::int64_t>(hash::stable_hash({"list", uid}) % static_cast<std::uint64_t>(every.count())));
  auto tick = (now.time_since_epoch() - phase) / every;
  auto time = instant(phase + tick * every);
  if (time > newest->changed_at) order("tick", std::to_string(tick));
  ticks.next = time + every;
  return ticks;
}

std::vector<controller::timed_wake> timed_wakes(controller::objects const& all, object_ref const& changed) {
  std::vector<controller::timed_wake> found;
  auto add = [&](std::vector<std::string> const& keys, bool only_if_held) {
    for (auto& each : keys) found.push_back({each, only_if_held});
  };
  if (is_repository(changed)) add(schedules_at(all, changed), true);
  if (changed.kind == backup::info.kind) add(schedules_with(all, changed), false);
  if (changed.kind == backup_config::info.kind)
    for (auto& [key, one] : all.of<backup_schedule>())
      if (key.namespace_ == changed.namespace_ && one.spec.config_ref.name == changed.name) found.push_back({one.metadata.uid});
  return found;
}

std::vector<std::string> schedules_with(controller::objects const& all, object_ref const& backup) {
  auto& ns = backup.namespace_;
  std::vector<std::string> found;
  if (auto* there = controller::find(all.of<proto::backup>(), ns, backup.name)) {
    if (auto by = rules::scheduled_for(*there)) found.emplace_back(by->schedule_uid);
    return found;
  }
  for (auto& [key, schedule] : controller::in_namespace(all.of<backup_schedule>(), ns))
    if (backup.name.starts_with(backup_name_beginning(key.name))) found.push_back(schedule.metadata.uid);
  return found;
}

std::vector<std::string> schedules_at(controller::objects const& all, object_ref const& repository) {
  std::vector<std::string> found;
  for (auto& [key, schedule] : all.of<backup_schedule>()) {
    auto* config = controller::find(all.of<backup_config>(), key.namespace_, schedule.spec.config_ref.name);
    if (config && rules::names(config->spec.repository, key.namespace_, repository)) found.push_back(schedule.metadata.uid);
  }
  return found;
}

}  // namespace kopiur::plans
