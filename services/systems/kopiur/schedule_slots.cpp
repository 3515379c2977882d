#include <algorithm>

#include "proto/codec.hpp"
#include "services/controller/core/condition.hpp"
#include "services/controller/core/metadata.hpp"
#include "services/systems/kopiur/rules/belonging.hpp"
#include "services/systems/kopiur/rules/marks.hpp"
#include "services/systems/kopiur/rules/run_ids.hpp"
#include "services/systems/kopiur/rules/slot_names.hpp"
#include "services/systems/kopiur/rules/sources.hpp"
#include "services/systems/kopiur/rules/standing.hpp"
#include "services/systems/kopiur/rules/usable.hpp"
#include "services/systems/kopiur/timed.hpp"

/// A BackupSchedule: the runs of a slot, and its status. spec/kopiur.md "BackupSchedule", decisions.md section 8.
namespace kopiur::plans {

using namespace proto;
using controller::condition;
using controller::last_fire;
using controller::objects;
using controller::sentence;
using controller::slot_run;
using controller::timed_object;
using controller::timed_report;
using rules::backup_name;
using rules::backup_name_beginning;
using rules::group_name;

namespace {

/// nullptr: it does not exist any more; another object of its name does not count.
backup_schedule const* schedule_of(objects const& all, timed_object const& timed) {
  auto* there = controller::find(all.of<backup_schedule>(), timed.object.namespace_, timed.object.name);
  return there && there->metadata.uid == timed.object.uid ? there : nullptr;
}
backup_config const* config_of(objects const& all, timed_object const& timed) {
  auto* schedule = schedule_of(all, timed);
  return schedule ? controller::find(all.of<backup_config>(), timed.object.namespace_, schedule->spec.config_ref.name) : nullptr;
}

/// The Backup of a run of the slot.
object_ref backup_of(timed_object const& timed, instant slot, slot_run const& run) {
  return ref_to<backup>(timed.object.namespace_, backup_name(timed.object.name, slot, run.source));
}

/// nullptr: not created yet, or deleted.
backup const* made_backup(objects const& all, timed_object const& timed, instant slot, slot_run const& run) {
  return controller::find(all.of<backup>(), timed.object.namespace_, backup_name(timed.object.name, slot, run.source));
}

json::value manifest(objects const& all, backup_schedule const& schedule, instant slot, slot_run const& run, bool grouped) {
  auto const &name = schedule.metadata.name, &ns = schedule.metadata.namespace_, &config = schedule.spec.config_ref.name;
  backup object{.api_version = std::string(api_version), .kind = std::string(backup::info.kind)};
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

/// The scheduled Backups of a schedule with their slots, newest first.
std::vector<std::pair<std::string_view, backup const*>> backups_of(objects const& all, timed_object const& timed) {
  std::vector<std::pair<std::string_view, backup const*>> found;
  auto const &ns = timed.object.namespace_, &name = timed.object.name;
  auto const beginning = backup_name_beginning(name);
  auto ours = [&](controller::name_key const& key) { return key.namespace_ == ns && key.name.starts_with(beginning); };
  for (auto entry = all.of<backup>().lower_bound({ns, beginning}); entry != all.of<backup>().end() && ours(entry->first); ++entry)
    if (auto slot = rules::slot_of(entry->second, timed.object.uid)) found.emplace_back(*slot, &entry->second);
  std::ranges::sort(found, std::ranges::greater{}, [](auto& one) { return one.first; });
  return found;
}

/// The Backups of one slot, one per source: the slot failed if one failed, and succeeded if all did.
struct slot_history {
  bool failed = false, succeeded = true;
  last_successful_schedule last;  ///< of the Backups that succeeded, the one that ended last

  void add(backup const& one) {
    failed |= one.status.phase == backup_phase::Failed;
    succeeded &= one.status.phase == backup_phase::Succeeded;
    if (auto ended = rules::end_of(one); ended >= last.at) last = {ended, one.metadata.name};
  }
};

void add_history(backup_schedule_status& status, std::vector<std::pair<std::string_view, backup const*>> const& history) {
  std::int64_t failures = 0;
  for (auto entry = history.begin(); entry != history.end() && !status.last_successful_schedule;) {
    slot_history slot;
    for (auto const source = entry->first; entry != history.end() && entry->first == source; ++entry) slot.add(*entry->second);
    if (slot.failed) ++failures;
    if (slot.succeeded) status.last_successful_schedule = slot.last;
  }
  status.consecutive_failures = failures;
}

/// Whether the schedule's status says that this slot was the last to fire. It says so once all runs of the slot are ordered.
bool names(objects const& all, timed_object const& timed, instant slot) {
  auto* schedule = schedule_of(all, timed);
  return schedule && schedule->status.last_schedule && schedule->status.last_schedule->scheduled_at == slot;
}

/// What the object says about this slot is kept: after a lost bus less is known.
last_schedule told(objects const& all, timed_object const& timed, last_fire const& last) {
  if (names(all, timed, last.slot)) return *schedule_of(all, timed)->status.last_schedule;
  last_schedule recorded{.scheduled_at = last.slot};
  auto own = std::ranges::find_if(last.runs, [](slot_run const& one) { return !one.slot; });
  if (own != last.runs.end()) recorded.backup_ref = backup_name(timed.object.name, last.slot, own->source);
  return recorded;
}

condition_fragment ready_of(objects const& all, timed_object const& timed, timed_report const& from) {
  auto says = [](bool good, char const* reason, std::string message) {
    return condition(condition_type::ready, good, reason, std::move(message));
  };
  if (auto* schedule = schedule_of(all, timed); schedule && controller::is_manifest_missing(schedule->metadata))
    return says(
        false, "ManifestMissing",
        "The manifest of this schedule has vanished from the manifest folder, so nothing fires; put it back, or delete the schedule.");
  if (timed.rules.suspend) return says(true, "Suspended", "The schedule is suspended on request; nothing fires.");
  if (from.unresolved) return says(false, "Unresolved", *from.unresolved);
  if (from.last.held_back) return says(true, "HeldBack", sentence(*from.last.held_back));
  return says(true, "Scheduled", "The schedule waits for its next slot.");
}

std::vector<condition_fragment> conditions_of(objects const& all, timed_object const& timed, timed_report const& from) {
  std::vector<condition_fragment> said;
  said.push_back(condition(condition_type::config_resolvable, !from.unresolved, from.unresolved ? "Unresolved" : "Resolved",
                           from.unresolved.value_or("The config and its sources can be resolved.")));
  if (from.taken)
    said.push_back(condition(condition_type::backup_skipped, true, "RunTaken", *from.taken));
  else if (from.last.held_back)
    said.push_back(condition(condition_type::backup_skipped, true, from.last.held_back->why.reason, sentence(*from.last.held_back)));
  else if (from.last.skipped)
    said.push_back(condition(condition_type::backup_skipped, true, "PredecessorRuns", sentence(*from.last.skipped)));
  else if (from.last.missed)
    said.push_back(condition(condition_type::backup_skipped, true, "Missed", sentence(*from.last.missed)));
  else
    said.push_back(condition(condition_type::backup_skipped, false, "None", "No slot was skipped or missed the last time."));
  said.push_back(ready_of(all, timed, from));
  return said;
}

std::optional<std::string> unresolved(objects const& all, timed_object const& timed) {
  auto* schedule = schedule_of(all, timed);
  if (!schedule) return std::string(backup_schedule::info.kind) + " " + timed.object.namespace_ + "/" + timed.object.name + " is gone.";
  auto* config = config_of(all, timed);
  if (!config)
    return std::string(backup_config::info.kind) + " " + timed.object.namespace_ + "/" + schedule->spec.config_ref.name +
           " does not exist; create it, or correct spec.configRef.";
  if (rules::sources_of(all, *config).empty()) return "No claim matches the sources of BackupConfig " + config->metadata.name + ".";
  return {};
}

std::optional<wait_reason> hold(objects const& all, timed_object const& timed) {
  auto* config = config_of(all, timed);
  if (!config) return {};
  if (auto why = rules::not_usable(*config)) return why;
  auto repository = rules::find_repository(all, config->spec.repository, timed.object.namespace_);
  if (!repository) {
    auto name = std::string(json::to_text(config->spec.repository.kind)) + " " + config->spec.repository.name;
    return wait_reason{"RepositoryMissing", name + ", which BackupConfig " + config->metadata.name + " names, does not exist."};
  }
  return rules::not_usable(*repository);
}

std::vector<slot_run> runs(objects const& all, timed_object const& timed, instant slot) {
  std::vector<slot_run> found;
  if (auto* config = config_of(all, timed))
    for (auto& each : rules::sources_of(all, *config))
      found.push_back({.source = each.path, .run = rules::slot_run(timed.object.namespace_, timed.key, slot, each.path)});
  return found;
}

std::optional<run_order> order(objects const& all, timed_object const& timed, instant slot, slot_run const& run, bool grouped) {
  auto* schedule = schedule_of(all, timed);
  if (!schedule) return {};
  auto made = manifest(all, *schedule, slot, run, grouped);
  return run_order{.plan = "backup", .object = backup_of(timed, slot, run), .create = std::move(made), .slot = slot};
}

std::optional<std::string> taken(timed_object const& timed, instant slot, slot_run const& run, run_state const& fact) {
  auto by_other = taken_from(backup_of(timed, slot, run), slot, fact);
  if (!by_other) return {};
  return *by_other +
         ", which this schedule did not order: the slot has made no Backup. Make one by hand, and ask the author of that object.";
}

status_fragment status(objects const& all, timed_object const& timed, timed_report const& from) {
  auto fragment = fragment_of(all, timed);
  backup_schedule_status written;
  if (from.state.last) written.last_schedule = told(all, timed, *from.state.last);
  if (from.next) written.next_schedule = next_schedule{*from.next};
  add_history(written, backups_of(all, timed));
  fragment.status = json::encode(written);
  if (!from.next) fragment.status.set("nextSchedule", nullptr);
  fragment.conditions = conditions_of(all, timed, from);
  return fragment;
}

std::optional<last_fire> last_fire_of(objects const& all, timed_object const& timed) {
  auto* schedule = schedule_of(all, timed);
  if (!schedule) return {};
  auto there = backups_of(all, timed);
  auto slot = there.empty() ? std::nullopt : instant_from(there.front().first);
  if (auto& said = schedule->status.last_schedule) slot = std::max(slot.value_or(said->scheduled_at), said->scheduled_at);
  if (!slot) return {};
  last_fire last{.slot = *slot, .scheduled_at = *slot, .runs = {}};
  auto& ns = timed.object.namespace_;
  for (auto const of_slot = to_text(*slot); auto& [at, one] : there) {
    if (at != of_slot || rules::has_ended(one->status.phase) || one->metadata.deletion_timestamp) continue;
    auto source = one->spec.source_path.value_or("");
    auto former = rules::former_slot_run(timed.key, *slot, source);
    bool before = controller::lookup(one->metadata.labels, label::run) == former;
    last.runs.push_back({.source = source, .run = before ? former : rules::slot_run(ns, timed.key, *slot, source)});
  }
  return last;
}

bool is_over(objects const& all, timed_object const& timed, last_fire const& last, slot_run const& run, run_state const* fact,
             instant now) {
  auto slot = controller::slot_of(last, run);
  if (fact) return fact->stage == run_stage::FollowThroughComplete;  // not before its application is released
  auto* object = made_backup(all, timed, slot, run);
  // A recreated schedule may reach a slot of its predecessor (if the clock was stepped back): that Backup is not this run's.
  if (object && !controller::is_made_by(object->metadata, run.run)) return false;
  // Neither fact nor object, and the run was ordered or its slot is old: the fact was lost or expired, and the Backup was deleted.
  if (!object) return run.slot || names(all, timed, slot) || now - slot > std::chrono::hours(24);
  return rules::has_ended(object->status.phase);
}

bool is_let_be(objects const& all, timed_object const& timed, last_fire const& last, slot_run const& run, instant now) {
  return is_over(all, timed, last, run, nullptr, now);
}

std::optional<object_ref> object_of(objects const& all, timed_object const& timed, instant slot, slot_run const& run) {
  auto* object = made_backup(all, timed, slot, run);
  return object ? std::optional(controller::ref_of(*object)) : std::nullopt;
}

}  // namespace

controller::timed_kind const backup_schedule_slots{.unresolved = unresolved,
                                                   .hold = hold,
                                                   .runs = runs,
                                                   .order = order,
                                                   .taken = taken,
                                                   .is_over = is_over,
                                                   .is_let_be = is_let_be,
                                                   .last_fire_of = last_fire_of,
                                                   .object_of = object_of,
                                                   .status = status};

}  // namespace kopiur::plans
