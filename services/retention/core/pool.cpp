#include "services/retention/core/pool.hpp"

#include <algorithm>

#include "proto/codec.hpp"
#include "services/retention/core/trim.hpp"
#include "services/systems/kopiur/rules/belonging.hpp"
#include "services/systems/kopiur/rules/restores.hpp"
#include "services/systems/kopiur/rules/run_ids.hpp"
#include "services/systems/kopiur/rules/suspension.hpp"

namespace kopiur::retention {

using namespace proto;

namespace {

row row_of(controller::objects const& all, backup const& object) {
  auto ended = object.status.timing && object.status.timing->end_time ? *object.status.timing->end_time
                                                                      : object.metadata.creation_timestamp.value_or(instant{});
  return {.id = object.metadata.name,
          .ended = ended,
          .origin = object.status.origin.value_or(backup_origin::manual),
          .phase = object.status.phase,
          .has_snapshot = object.status.snapshot.has_value(),
          .pinned = object.spec.pin,
          .in_use = rules::restore_of(all, object).has_value(),
          .deleting = object.metadata.deletion_timestamp.has_value()};
}

/// The set of a Backup by what was resolved when it ran: a later edit of the config does not move it.
std::optional<set_key> set_of(backup const& object) {
  auto& resolved = object.status.resolved;
  if (!resolved || !resolved->identity || !resolved->repository || !resolved->repository->unique_ID) return {};
  return set_key{*resolved->repository->unique_ID, resolved->identity->username, resolved->identity->hostname,
                 resolved->identity->source_path};
}

std::vector<catalog_row> rows_of(controller::objects const& all, backup_config const& config, auto const& wanted) {
  std::vector<catalog_row> rows;
  for (auto* object : rules::backups_of(all, config))
    if (auto set = wanted(*object) ? set_of(*object) : std::nullopt) rows.push_back({*set, row_of(all, *object)});
  return rows;
}

}  // namespace

std::vector<expired> held_surplus(controller::objects const& all, backup_config const& config, instant now) {
  std::vector<expired> going;
  if (!config.spec.retention) return going;  // then nothing is ever pruned
  auto rows = rows_of(all, config, [](backup const& one) { return one.status.phase == backup_phase::Held; });
  for (auto& [_, of_set] : by_set(rows))
    for (auto& each : trim_held(of_set, now))
      if (auto* object = controller::find(all.of<backup>(), config.metadata.namespace_, of_set[each.row].id))
        going.push_back({controller::ref_of(*object), each.reason});
  return going;
}

std::expected<std::vector<judged_set>, std::string> judge_config(controller::objects const& all, backup_config const& config, instant now) {
  auto rows = rows_of(all, config, [](backup const&) { return true; });
  auto rule = config.spec.retention ? compile(*config.spec.retention) : std::expected<policy, std::string>{policy{}};
  if (!rule) return std::unexpected(rule.error());
  std::vector<judged_set> sets;
  for (auto& [key, of_set] : by_set(rows)) sets.push_back({key, explain(of_set, *rule, now)});
  return sets;
}

std::vector<expired> expired_of(controller::objects const& all, backup_config const& config, std::vector<judged_set> const& sets) {
  std::vector<expired> going;
  for (auto& set : sets)
    for (auto& row : set.rows) {
      auto* object = row.keep ? nullptr : controller::find(all.of<backup>(), config.metadata.namespace_, row.id);
      if (object) going.push_back({controller::ref_of(*object), row.text});
    }
  return going;
}

std::vector<expired> failed_history(controller::objects const& all, backup_schedule const& schedule, instant now) {
  std::vector<row> rows;
  std::vector<backup const*> objects;
  for (auto& [_, object] : controller::in_namespace(all.of<backup>(), schedule.metadata.namespace_)) {
    auto slot = rules::slot_of(object, schedule.metadata.uid);
    if (!slot) continue;
    rows.push_back(row_of(all, object));
    rows.back().slot = *slot;
    objects.push_back(&object);
  }
  std::vector<expired> going;
  for (auto& each : trim_failed(rows, schedule.spec.failed_jobs_history_limit, now))
    going.push_back({controller::ref_of(*objects[each.row]), each.reason});
  return going;
}

namespace {

struct prune {
  instant time{};
  std::int64_t deleted = 0;
};

/// Derived from the objects, so that every replica reports the same: the Backups that are being deleted with our stamp, else the last
/// reported prune.
std::optional<prune> last_prune(controller::objects const& all, backup_config const& config) {
  std::optional<prune> last;
  if (auto& before = config.status.retention; before && before->last_prune_at)
    last = prune{*before->last_prune_at, before->last_prune_deleted.value_or(0)};
  auto known = last ? last->time : instant::min();
  prune fresh{known, 0};
  for (auto* object : rules::backups_of(all, config)) {
    auto& gone_at = object->metadata.deletion_timestamp;
    bool ours = !controller::lookup(object->metadata.annotations, annotation::pruned_by).empty();
    if (ours && gone_at && *gone_at > known) fresh = {std::max(fresh.time, *gone_at), fresh.deleted + 1};
  }
  return fresh.deleted > 0 ? std::optional(fresh) : last;
}

}  // namespace

bool is_paused(backup_config const& config) { return rules::is_suspended(config) || controller::is_manifest_missing(config.metadata); }

status_fragment status_of(controller::objects const& all, backup_config const& config, std::vector<judged_set> const& sets) {
  auto saved = [&](explained const& row) {
    auto* object = row.keep ? controller::find(all.of<backup>(), config.metadata.namespace_, row.id) : nullptr;
    return object && object->status.phase == backup_phase::Succeeded && object->status.snapshot;
  };
  std::int64_t active = 0;
  for (auto& set : sets) active += std::ranges::count_if(set.rows, saved);
  json::value part = json::value::make_object();
  part.set("activeBackupCount", active);
  if (auto last = last_prune(all, config)) part.set("lastPruneAt", to_text(last->time)), part.set("lastPruneDeleted", last->deleted);
  status_fragment fragment{.uid = config.metadata.uid, .observed_generation = config.metadata.generation};
  fragment.status.set("retention", std::move(part));
  return fragment;
}

}  // namespace kopiur::retention
