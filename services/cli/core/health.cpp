#include "services/cli/core/health.hpp"

#include <algorithm>
#include <map>

#include "proto/codec.hpp"
#include "services/cli/core/formatting.hpp"
#include "services/cli/core/suspending.hpp"
#include "services/scheduler/core/timetable.hpp"
#include "services/systems/kopiur/rules/belonging.hpp"
#include "services/systems/kopiur/rules/identity.hpp"
#include "services/systems/kopiur/rules/standing.hpp"
#include "services/systems/kopiur/timed.hpp"

namespace kopiur::cli {

using namespace proto;

namespace {

std::string title(object_meta const& meta) { return meta.namespace_.empty() ? meta.name : meta.namespace_ + "/" + meta.name; }

condition const* not_ready(std::vector<condition> const& all) {
  auto found =
      std::ranges::find_if(all, [](auto& one) { return one.type == condition_type::ready && one.status != condition_status::True; });
  return found == all.end() ? nullptr : &*found;
}

/// The schedule's status keeps its last success even after that Backup was deleted.
std::optional<instant> last_success(controller::objects const& all, backup_schedule const& schedule) {
  auto newest = newest_success(all, schedule.metadata.namespace_, schedule.spec.config_ref.name);
  if (auto& of_slot = schedule.status.last_successful_schedule) newest = std::max(newest.value_or(instant{}), of_slot->at);
  return newest;
}

struct screen {
  controller::objects const& all;
  std::string const& ns;
  bool everywhere;
  instant now;
  rules::good_times good{all};
  std::vector<finding> found{};

  bool shows(object_meta const& meta) const { return everywhere || meta.namespace_.empty() || meta.namespace_ == ns; }
  void say(mood mood, std::string area, object_meta const& meta, std::string text) {
    found.push_back({mood, std::move(area), title(meta), std::move(text)});
  }

  /// Adds the finding for a suspended object; false: it is not suspended.
  bool suspended(std::string area, auto const& one, object_meta const& meta, std::vector<condition> const& conditions,
                 std::string_view consequence) {
    if (!rules::is_suspended(one)) return false;
    say(mood::attention, std::move(area), meta, suspended_finding(rules::suspension_of(one), conditions, consequence, now));
    return true;
  }

  /// Reports a spec or password that continues to work but would be refused today.
  void fitness(std::string area, object_meta const& meta, std::vector<condition> const& all_of_it) {
    for (auto& each : all_of_it)
      if ((each.type == condition_type::spec_fit || each.type == condition_type::password_fit) && each.status == condition_status::False)
        say(mood::attention, area, meta, each.message);
  }

  void repository(rules::any_repository const& one) {
    if (!shows(*one.meta)) return;
    fitness("repository", *one.meta, one.status->conditions);
    if (suspended("repository", one, *one.meta, one.status->conditions, "nothing runs on it")) return;
    auto phase = one.status->phase.value_or(repository_phase::Pending);
    auto* why = not_ready(one.status->conditions);
    if (phase == repository_phase::Ready) {
      auto holds = held_by(all, *one.status);
      return say(mood::good, "repository", *one.meta,
                 holds ? "Ready: " + std::to_string(holds->snapshots) + (holds->snapshots == 1 ? " snapshot" : " snapshots") +
                             ", newest of each source " + size_text(holds->bytes) + "."
                       : "Ready.");
    }
    bool wrong = phase == repository_phase::Failed || phase == repository_phase::Degraded;
    say(wrong ? mood::bad : mood::waiting, "repository", *one.meta, std::string(json::to_text(phase)) + (why ? ": " + why->message : "."));
  }

  void config(backup_config const& one) {
    if (!shows(one.metadata)) return;
    fitness("config", one.metadata, one.status.conditions);
    if (controller::is_manifest_missing(one.metadata))
      return say(mood::attention, "config", one.metadata,
                 "Its manifest has vanished, so no backup of it is taken, and none is pruned: put the file back, or delete the config.");
    suspended("config", one, one.metadata, one.status.conditions, "no backup of it is taken, and none is pruned");
  }

  /// Why the schedule creates no Backups although it is not suspended.
  std::optional<wait_reason> held(backup_schedule const& one) const {
    auto slots = plans::timed_of(all, controller::ref_of(one));
    return slots.empty() ? std::nullopt : slots.front().kind->hold(all, slots.front());
  }

  void schedule(backup_schedule const& one) {
    if (!shows(one.metadata)) return;
    auto* config = controller::find(all.of<backup_config>(), one.metadata.namespace_, one.spec.config_ref.name);
    bool gone = controller::is_manifest_missing(one.metadata);
    if (gone)
      return say(mood::attention, "schedule", one.metadata,
                 "Its manifest has vanished, so it is suspended: put the file back, or delete the schedule.");
    if (suspended("schedule", one, one.metadata, one.status.conditions, "nothing fires")) return;
    if (!config)
      return say(mood::bad, "schedule", one.metadata,
                 "BackupConfig " + one.spec.config_ref.name + " does not exist: create it, or correct spec.configRef.");
    auto last = last_success(all, one);
    auto since = last ? "last success " + when_text(*last, now) : "it has never succeeded";
    auto next = one.status.next_schedule ? ", next " + when_text(one.status.next_schedule->at, now) : std::string();
    auto failures = one.status.consecutive_failures.value_or(0);
    auto failed = failures ? ", " + std::to_string(failures) + " failed in a row" : std::string();
    auto stopped = held(one);
    if (is_overdue(one, last, now))
      return say(mood::bad, "schedule", one.metadata,
                 "Overdue: " + since + failed + next + ". " +
                     (stopped ? stopped->message : "See: kopiur backups --config " + one.spec.config_ref.name));
    if (stopped) return say(mood::attention, "schedule", one.metadata, "It makes no Backups: " + stopped->message);
    if (failures) return say(mood::attention, "schedule", one.metadata, "On time, but the last run failed: " + since + failed + next + ".");
    say(last ? mood::good : mood::waiting, "schedule", one.metadata,
        last ? "On time: " + since + next + "." : "It waits for its first slot" + next + ".");
  }

  /// Reports that the newest ended Backup of a config failed, even when no schedule exists that would report it.
  void newest(proto::backup const& one) {
    if (!shows(one.metadata) || one.status.phase != backup_phase::Failed || one.metadata.deletion_timestamp) return;
    say(mood::attention, "backup", one.metadata,
        "The newest of " + one.spec.config_ref->name +
            " failed: " + (one.status.failure ? one.status.failure->message : std::string("no reason is known.")));
  }

  void backup(proto::backup const& one) {
    if (!shows(one.metadata)) return;
    auto* why = not_ready(one.status.conditions);
    if (one.metadata.deletion_timestamp) {
      auto* failed = &one.status.conditions;
      auto stuck = std::ranges::find_if(
          *failed, [](auto& c) { return c.type == condition_type::snapshot_deletion_failed && c.status == condition_status::True; });
      if (stuck != failed->end())
        say(mood::bad, "backup", one.metadata, "Its snapshot cannot be deleted: " + stuck->message);
      else if (now - *one.metadata.deletion_timestamp > std::chrono::minutes(2))
        say(mood::attention, "backup", one.metadata,
            "Deletion started " + when_text(*one.metadata.deletion_timestamp, now) + (why ? ": " + why->message : "."));
      return;
    }
    auto phase = one.status.phase.value_or(backup_phase::Pending);
    if (phase == backup_phase::Running) {
      auto done =
          one.status.progress && one.status.progress->percent ? " " + std::to_string(*one.status.progress->percent) + "%" : std::string();
      say(mood::waiting, "backup", one.metadata, "Running" + done + ".");
    }
    if (phase == backup_phase::Held && why && good.follow(one))
      say(mood::attention, "backup", one.metadata,
          "A newer Backup of the source succeeded. Accept this one, or delete it. " + why->message);
    else if (phase == backup_phase::Held && why)
      say(mood::bad, "backup", one.metadata, why->message);
    if (phase == backup_phase::Pending)
      say(mood::waiting, "backup", one.metadata, why ? why->message : std::string("It waits for its turn."));
  }

  void restore(proto::restore const& one) {
    if (!shows(one.metadata)) return;
    auto phase = one.status.phase.value_or(restore_phase::Pending);
    auto* why = not_ready(one.status.conditions);
    if (phase == restore_phase::Completed) return;
    if (phase == restore_phase::Failed)
      return say(mood::attention, "restore", one.metadata,
                 "It failed: " + (one.status.failure ? one.status.failure->message
                                  : why              ? why->message
                                                     : std::string("no reason is known.")));
    if (!one.spec.target) return;  // a passive Restore waits by design
    say(mood::waiting, "restore", one.metadata, std::string(json::to_text(phase)) + (why ? ": " + why->message : "."));
  }

  void maintenance(proto::maintenance const& one) {
    if (!shows(one.metadata)) return;
    suspended("maintenance", one, one.metadata, one.status.conditions, "space is not freed");
    auto failures = [](auto& run) { return run ? run->consecutive_failures.value_or(0) : 0; };
    auto in_a_row = std::max(failures(one.status.quick), failures(one.status.full));
    auto conflict = std::ranges::find_if(
        one.status.conditions, [](auto& c) { return c.type == condition_type::ownership_conflict && c.status == condition_status::True; });
    if (conflict != one.status.conditions.end()) return say(mood::bad, "maintenance", one.metadata, conflict->message);
    if (in_a_row > 2)
      return say(mood::bad, "maintenance", one.metadata, "It failed " + std::to_string(in_a_row) + " times in a row: space is not freed.");
    if (in_a_row > 0) say(mood::attention, "maintenance", one.metadata, "The last run failed; the next one tries again.");
  }

  /// A resource or an access: what it needs is said by its own status.
  void provided(std::string area, object_meta const& meta, std::vector<condition> const& conditions, std::string good_text) {
    if (!shows(meta)) return;
    auto* why = not_ready(conditions);
    bool new_one = conditions.empty();
    if (!why && !new_one) return say(mood::good, std::move(area), meta, std::move(good_text));
    auto passes =
        std::ranges::any_of(conditions, [](auto& one) { return one.type == "Reconciling" && one.status == condition_status::True; });
    say(new_one || passes ? mood::waiting : mood::bad, std::move(area), meta, new_one ? "It waits for the provisioner." : why->message);
  }
};

/// The Backup of each config that ended last; imported history does not count.
std::vector<proto::backup const*> newest_ended(controller::objects const& all) {
  std::map<std::pair<std::string_view, std::string_view>, proto::backup const*> found;
  for (auto& [key, one] : all.of<backup>()) {
    if (!rules::has_ended(one.status.phase) || !one.spec.config_ref || one.spec.import_ || !one.status.timing ||
        !one.status.timing->end_time)
      continue;
    auto& last = found[{key.namespace_, one.spec.config_ref->name}];
    if (!last || *last->status.timing->end_time < *one.status.timing->end_time) last = &one;
  }
  std::vector<proto::backup const*> all_of_them;
  for (auto& [_, one] : found) all_of_them.push_back(one);
  return all_of_them;
}

}  // namespace

std::optional<instant> newest_success(controller::objects const& all, std::string const& ns, std::string const& config) {
  std::optional<instant> newest;
  for (auto& [key, one] : all.of<backup>()) {
    bool counts =
        key.namespace_ == ns && one.spec.config_ref && one.spec.config_ref->name == config && one.status.phase == backup_phase::Succeeded;
    if (counts && !one.spec.import_ && one.status.timing && one.status.timing->end_time)
      newest = std::max(newest.value_or(instant{}), *one.status.timing->end_time);
  }
  return newest;
}

std::optional<holdings> held_by(controller::objects const& all, repository_status const& repository) {
  std::map<std::string, backup const*> newest;
  holdings known;
  for (auto& [_, one] : all.of<backup>()) {
    bool lies_there = one.status.snapshot && repository.unique_ID && rules::lies_in(one, *repository.unique_ID);
    if (!lies_there || one.metadata.deletion_timestamp) continue;
    ++known.snapshots;
    auto*& best = newest[rules::identity_text(one.status.snapshot->identity)];
    if (!best || rules::end_of(*best) < rules::end_of(one)) best = &one;
  }
  for (auto& [_, one] : newest) known.bytes += one->status.stats ? one->status.stats->size_bytes : 0;
  auto& listed = repository.storage_stats;
  if (listed && listed->snapshot_count > known.snapshots) return holdings{listed->snapshot_count, listed->total_size};
  return listed || known.snapshots > 0 ? std::optional(known) : std::nullopt;
}

bool is_overdue(backup_schedule const& schedule, std::optional<instant> newest, instant now) {
  auto& rules = schedule.spec.schedule;
  auto times = rules::is_suspended(schedule) ? std::unexpected(std::string()) : scheduler::timetable::compile(rules, schedule.metadata.uid);
  if (!times) return false;
  auto since = std::max(newest.value_or(instant{}), schedule.metadata.creation_timestamp.value_or(instant{}));
  auto begun = times->newest_begun(now);
  return begun && *begun > since && times->count(since, *begun) >= 2;
}

std::vector<finding> health(controller::objects const& all, std::string const& ns, bool everywhere, instant now) {
  screen screen{all, ns, everywhere, now};
  rules::for_each_repository(all, [&](auto const& one) { screen.repository(one); });
  for (auto& [_, one] : all.of<backup_config>()) screen.config(one);
  for (auto& [_, one] : all.of<backup_schedule>()) screen.schedule(one);
  for (auto& [_, one] : all.of<maintenance>()) screen.maintenance(one);
  for (auto& [_, one] : all.of<backup>()) screen.backup(one);
  for (auto* one : newest_ended(all)) screen.newest(*one);
  for (auto& [_, one] : all.of<restore>()) screen.restore(one);
  for (auto& [_, one] : all.of<proto::buckety>())
    screen.provided("buckety", one.metadata, one.status.conditions,
                    "Ready: " + one.status.backend_resource_name.value_or("") + " on " + one.status.backend.value_or("") + ".");
  for (auto& [_, one] : all.of<buckety_access>())
    screen.provided("access", one.metadata, one.status.conditions, "Ready: Secret " + one.spec.credentials_secret_name + ".");
  std::vector<finding> sorted;
  auto take = [&](auto fits) { std::ranges::copy_if(screen.found, std::back_inserter(sorted), fits, &finding::mood); };
  take([](mood state) { return state == mood::bad; });
  take([](mood state) { return state == mood::attention; });
  take([](mood state) { return state != mood::bad && state != mood::attention; });
  return sorted;
}

}  // namespace kopiur::cli
