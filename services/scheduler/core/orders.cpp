#include "services/scheduler/core/orders.hpp"

#include <algorithm>

#include "common/hash/stable_hash.hpp"
#include "proto/codec.hpp"
#include "services/controller/core/condition.hpp"
#include "services/controller/core/run_facts.hpp"
#include "services/scheduler/core/messages.hpp"
#include "services/systems/kopiur/rules/belonging.hpp"
#include "services/systems/kopiur/rules/marks.hpp"
#include "services/systems/kopiur/rules/run_ids.hpp"
#include "services/systems/kopiur/rules/slot_names.hpp"
#include "services/systems/kopiur/rules/sources.hpp"
#include "services/systems/kopiur/rules/standing.hpp"
#include "services/systems/kopiur/rules/suspension.hpp"
#include "services/systems/kopiur/rules/usable.hpp"

namespace kopiur::scheduler {

using rules::backup_name;
using rules::backup_name_beginning;
using rules::group_name;

using namespace proto;
using controller::condition;

namespace {

line line_of(backup_schedule const& one) {
  line to{.key = one.metadata.uid,
          .object = controller::ref_of(one),
          .rules = one.spec.schedule,
          .created = one.metadata.creation_timestamp.value_or(instant{}),
          .full = {}};
  to.manifest_missing = controller::is_manifest_missing(one.metadata);
  if (rules::is_suspended(one) || to.manifest_missing) to.rules.suspend = true;
  return to;
}

line line_of(maintenance const& one, bool full) {
  auto& slot = full ? one.spec.schedule.full : one.spec.schedule.quick;
  schedule_rules rules{
      .cron = slot.cron, .jitter = slot.jitter, .timezone = one.spec.schedule.timezone, .suspend = rules::is_suspended(one)};
  return {.key = one.metadata.uid + (full ? "-full" : "-quick"),
          .object = controller::ref_of(one),
          .rules = std::move(rules),
          .created = one.metadata.creation_timestamp.value_or(instant{}),
          .full = full};
}

/// Null once it is gone; another one of its name is not it.
backup_schedule const* schedule_of(controller::objects const& all, line const& of) {
  auto* there = controller::find(all.schedules, of.object.namespace_, of.object.name);
  return there && there->metadata.uid == of.object.uid ? there : nullptr;
}
backup_config const* config_of(controller::objects const& all, line const& of) {
  auto* schedule = schedule_of(all, of);
  return schedule ? controller::find(all.configs, of.object.namespace_, schedule->spec.config_ref.name) : nullptr;
}

json::value manifest(controller::objects const& all, backup_schedule const& schedule, instant slot, slot_run const& run, bool grouped) {
  auto const &name = schedule.metadata.name, &ns = schedule.metadata.namespace_, &config = schedule.spec.config_ref.name;
  backup object{.api_version = std::string(api_version), .kind = "Backup"};
  object.metadata.name = backup_name(name, slot, run.source);
  object.metadata.namespace_ = ns;
  auto& labels = object.metadata.labels;
  labels[std::string(label::backup_schedule)] = name;
  labels[std::string(label::run)] = run.run;
  if (grouped) labels[std::string(label::group)] = group_name(name, slot);
  object.metadata.annotations[std::string(annotation::slot)] = to_text(slot);
  object.metadata.annotations[std::string(annotation::schedule_uid)] = schedule.metadata.uid;
  object.spec.config_ref = {config};
  object.spec.source_path = run.source;
  rules::mark(all, object);
  return json::encode(object);
}

/// The scheduled Backups of a schedule with their slots, the newest first.
std::vector<std::pair<std::string_view, backup const*>> backups_of(controller::objects const& all, line const& of) {
  std::vector<std::pair<std::string_view, backup const*>> found;
  auto const &ns = of.object.namespace_, &name = of.object.name;
  auto const beginning = backup_name_beginning(name);
  auto ours = [&](controller::name_key const& key) { return key.namespace_ == ns && key.name.starts_with(beginning); };
  for (auto at = all.backups.lower_bound({ns, beginning}); at != all.backups.end() && ours(at->first); ++at)
    if (auto slot = rules::slot_of(at->second, of.object.uid)) found.emplace_back(*slot, &at->second);
  std::ranges::sort(found, std::ranges::greater{}, [](auto& one) { return one.first; });
  return found;
}

/// The Backups that one slot has made, one of a source: it failed when one of them did, and succeeded when all of them did.
struct slot_history {
  bool failed = false, succeeded = true;
  last_successful_schedule last;  ///< of those that succeeded the one that ended last

  void add(backup const& one) {
    failed |= one.status.phase == backup_phase::Failed;
    succeeded &= one.status.phase == backup_phase::Succeeded;
    if (auto ended = rules::end_of(one); ended >= last.at) last = {ended, one.metadata.name};
  }
};

void add_history(backup_schedule_status& to, std::vector<std::pair<std::string_view, backup const*>> const& history) {
  std::int64_t failures = 0;
  for (auto at = history.begin(); at != history.end() && !to.last_successful_schedule;) {
    slot_history slot;
    for (auto const of = at->first; at != history.end() && at->first == of; ++at) slot.add(*at->second);
    if (slot.failed) ++failures;
    if (slot.succeeded) to.last_successful_schedule = slot.last;
  }
  to.consecutive_failures = failures;
}

/// Does the schedule's status say that this slot was the last to fire? It says so once all its runs are ordered.
bool names(controller::objects const& all, line const& of, instant slot) {
  auto* schedule = schedule_of(all, of);
  return schedule && schedule->status.last_schedule && schedule->status.last_schedule->scheduled_at == slot;
}

/// What the object says of this slot already stays: after a lost bus we know less.
last_schedule told(controller::objects const& all, line const& of, last_fire const& last) {
  if (names(all, of, last.slot)) return *schedule_of(all, of)->status.last_schedule;
  last_schedule to{.scheduled_at = last.slot};
  auto own = std::ranges::find_if(last.runs, [](slot_run const& one) { return !one.slot; });
  if (own != last.runs.end()) to.backup_ref = backup_name(of.object.name, last.slot, own->source);
  return to;
}

condition_fragment ready_of(line const& of, outcome const& last, std::optional<std::string> const& problem) {
  auto says = [](bool good, char const* reason, std::string message) {
    return condition(condition_type::ready, good, reason, std::move(message));
  };
  if (of.manifest_missing)
    return says(
        false, "ManifestMissing",
        "The manifest of this schedule has vanished from the manifest folder, so nothing fires; put it back, or delete the schedule.");
  if (of.rules.suspend) return says(true, "Suspended", "The schedule is suspended, as it was asked to be; nothing fires.");
  if (problem) return says(false, "Unresolved", *problem);
  if (last.held_back) return says(true, "HeldBack", sentence(*last.held_back));
  return says(true, "Scheduled", "The schedule waits for its next slot.");
}

std::vector<condition_fragment> conditions_of(line const& of, outcome const& last, std::optional<std::string> const& problem,
                                              std::optional<std::string> const& theirs) {
  std::vector<condition_fragment> said;
  said.push_back(condition(condition_type::config_resolvable, !problem, problem ? "Unresolved" : "Resolved",
                           problem.value_or("The config and its sources can be resolved.")));
  if (theirs)
    said.push_back(condition(condition_type::backup_skipped, true, "RunTaken", *theirs));
  else if (last.held_back)
    said.push_back(condition(condition_type::backup_skipped, true, last.held_back->why.reason, sentence(*last.held_back)));
  else if (last.skipped)
    said.push_back(condition(condition_type::backup_skipped, true, "PredecessorRuns", sentence(*last.skipped)));
  else if (last.missed)
    said.push_back(condition(condition_type::backup_skipped, true, "Missed", sentence(*last.missed)));
  else
    said.push_back(condition(condition_type::backup_skipped, false, "None", "No slot was skipped or missed the last time."));
  said.push_back(ready_of(of, last, problem));
  return said;
}

}  // namespace

std::vector<line> lines_of(controller::objects const& all, object_ref const& object) {
  if (object.kind == "BackupSchedule") {
    auto* one = controller::find(all.schedules, object.namespace_, object.name);
    return one && !one->metadata.deletion_timestamp ? std::vector{line_of(*one)} : std::vector<line>{};
  }
  auto* one = object.kind == "Maintenance" ? controller::find(all.maintenances, object.namespace_, object.name) : nullptr;
  return one && !one->metadata.deletion_timestamp ? std::vector{line_of(*one, false), line_of(*one, true)} : std::vector<line>{};
}

std::vector<line> lines_of(controller::objects const& all) {
  std::vector<line> found;
  auto add = [&](object_ref const& object) { std::ranges::move(lines_of(all, object), std::back_inserter(found)); };
  for (auto& [key, _] : all.schedules) add({"BackupSchedule", key.namespace_, key.name, ""});
  for (auto& [key, _] : all.maintenances) add({"Maintenance", key.namespace_, key.name, ""});
  return found;
}

std::optional<std::string> unresolved(controller::objects const& all, line const& of) {
  if (of.full) return {};
  auto* schedule = schedule_of(all, of);
  if (!schedule) return "BackupSchedule " + of.object.namespace_ + "/" + of.object.name + " is gone.";
  auto* config = config_of(all, of);
  if (!config)
    return "BackupConfig " + of.object.namespace_ + "/" + schedule->spec.config_ref.name +
           " is not there; create it, or correct spec.configRef.";
  if (rules::sources_of(all, *config).empty()) return "No claim matches the sources of BackupConfig " + config->metadata.name + ".";
  return {};
}

std::optional<wait_reason> hold_of(controller::objects const& all, line const& of) {
  auto* config = config_of(all, of);
  if (!config) return {};
  if (auto why = rules::not_usable(*config)) return why;
  auto repository = rules::find_repository(all, config->spec.repository, of.object.namespace_);
  if (!repository) {
    auto name = std::string(json::to_text(config->spec.repository.kind)) + " " + config->spec.repository.name;
    return wait_reason{"RepositoryMissing", name + ", which BackupConfig " + config->metadata.name + " names, is not there."};
  }
  return rules::not_usable(*repository);
}

std::vector<std::string> sources_for(controller::objects const& all, line const& of) {
  if (of.full) return {""};
  std::vector<std::string> paths;
  if (auto* config = config_of(all, of))
    for (auto& each : rules::sources_of(all, *config)) paths.push_back(each.path);
  return paths;
}

std::optional<run_order> order_of(controller::objects const& all, line const& of, instant slot, slot_run const& run, bool grouped) {
  if (of.full) {
    json::value parameters = json::value::make_object();
    parameters.set("full", *of.full);
    return run_order{.plan = "maintain", .object = of.object, .parameters = std::move(parameters), .slot = slot};
  }
  auto* schedule = schedule_of(all, of);
  if (!schedule) return {};
  object_ref object{"Backup", of.object.namespace_, backup_name(of.object.name, slot, run.source), ""};
  auto made = manifest(all, *schedule, slot, run, grouped);
  return run_order{.plan = "backup", .object = std::move(object), .create = std::move(made), .slot = slot};
}

list_ticks lists_of(rules::any_repository const& repository, std::vector<run_state const*> const& connects, instant now) {
  list_ticks ticks;
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
  auto every = std::max(repository.spec->catalog.refresh_interval, duration(30'000));
  auto phase = duration(static_cast<std::int64_t>(hash::stable_hash({"list", uid}) % static_cast<std::uint64_t>(every.count())));
  auto tick = (now.time_since_epoch() - phase) / every;
  auto at = instant(phase + tick * every);
  if (at > newest->changed_at) order("tick", std::to_string(tick));
  ticks.next = at + every;
  return ticks;
}

std::optional<std::string> taken(line const& of, instant slot, slot_run const& run, run_state const& fact) {
  auto& there = fact.order.object;
  auto name = of.full ? of.object.name : backup_name(of.object.name, slot, run.source);
  if (there.kind == (of.full ? "Maintenance" : "Backup") && there.namespace_ == of.object.namespace_ && there.name == name) return {};
  return "The run of slot " + to_text(slot) + " is taken by " + there.kind + " " + there.namespace_ + "/" + there.name +
         ", which is not this schedule's: the slot has made no Backup. Make one by hand, and ask whoever wrote that object.";
}

status_fragment status_of(controller::objects const& all, line const& of, schedule_state const& state, outcome const& last,
                          std::optional<instant> next, std::optional<std::string> const& problem,
                          std::optional<std::string> const& theirs) {
  auto* meta = controller::find_meta(all, of.object.kind, {of.object.namespace_, of.object.name});
  status_fragment claim{.uid = of.object.uid, .observed_generation = meta ? meta->generation : 0};
  if (of.full) {
    json::value part = json::value::make_object();
    part.set("nextScheduledAt", next ? json::value(to_text(*next)) : json::value(nullptr));
    claim.status.set(*of.full ? "full" : "quick", std::move(part));
    return claim;
  }
  backup_schedule_status to;
  if (state.last) to.last_schedule = told(all, of, *state.last);
  if (next) to.next_schedule = next_schedule{*next};
  add_history(to, backups_of(all, of));
  claim.status = json::encode(to);
  if (!next) claim.status.set("nextSchedule", nullptr);
  claim.conditions = conditions_of(of, last, problem, theirs);
  return claim;
}

std::vector<std::string> schedules_with(controller::objects const& all, object_ref const& backup) {
  auto& ns = backup.namespace_;
  std::vector<std::string> found;
  if (auto* there = controller::find(all.backups, ns, backup.name)) {
    if (auto by = rules::scheduled_for(*there)) found.emplace_back(by->schedule_uid);
    return found;
  }
  for (auto& [key, schedule] : controller::in_namespace(all.schedules, ns))
    if (backup.name.starts_with(backup_name_beginning(key.name))) found.push_back(schedule.metadata.uid);
  return found;
}

std::vector<std::string> schedules_at(controller::objects const& all, object_ref const& repository) {
  std::vector<std::string> found;
  for (auto& [key, schedule] : all.schedules) {
    auto* config = controller::find(all.configs, key.namespace_, schedule.spec.config_ref.name);
    if (config && rules::names(config->spec.repository, key.namespace_, repository)) found.push_back(schedule.metadata.uid);
  }
  return found;
}

std::optional<last_fire> last_fire_of(controller::objects const& all, line const& of) {
  auto* schedule = of.full ? nullptr : schedule_of(all, of);
  if (!schedule) return {};
  auto there = backups_of(all, of);
  auto slot = there.empty() ? std::nullopt : instant_from(there.front().first);
  if (auto& said = schedule->status.last_schedule) slot = std::max(slot.value_or(said->scheduled_at), said->scheduled_at);
  if (!slot) return {};
  last_fire last{.slot = *slot, .scheduled_at = *slot, .runs = {}};
  auto& ns = of.object.namespace_;
  for (auto const of_slot = to_text(*slot); auto& [at, one] : there) {
    if (at != of_slot || rules::has_ended(one->status.phase) || one->metadata.deletion_timestamp) continue;
    auto source = one->spec.source_path.value_or("");
    auto former = rules::former_slot_run(of.key, *slot, source);
    bool before = controller::lookup(one->metadata.labels, label::run) == former;
    last.runs.push_back({.source = source, .run = before ? former : rules::slot_run(ns, of.key, *slot, source)});
  }
  return last;
}

bool is_over(controller::objects const& all, line const& of, last_fire const& last, slot_run const& run, run_state const* fact,
             instant now) {
  auto slot = slot_of(last, run);
  if (fact) return fact->stage == run_stage::FollowThroughComplete;  // not before its application is let go
  if (of.full) return true;
  auto* object = controller::find(all.backups, of.object.namespace_, backup_name(of.object.name, slot, run.source));
  // A schedule that was made anew under its name may come to a slot of the former one (the clock went back): that Backup is not this run's.
  if (object && !controller::is_made_by(object->metadata, run.run)) return false;
  // Neither fact nor object, and it was ordered, or long ago: the fact was lost or has aged out, and the Backup was deleted.
  if (!object) return run.slot || names(all, of, slot) || now - slot > std::chrono::hours(24);
  return rules::has_ended(object->status.phase);
}

}  // namespace kopiur::scheduler
