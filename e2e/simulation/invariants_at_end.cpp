#include <algorithm>

#include "e2e/simulation/objects.hpp"
#include "e2e/simulation/story.hpp"
#include "proto/codec.hpp"
#include "proto/events/request.hpp"
#include "proto/subjects.hpp"
#include "services/gateway/core/names.hpp"
#include "services/scheduler/shell/service.hpp"

/// The invariants that hold once a story is calm: everything has ended, and nothing is left.
namespace kopiur::simulation {

using namespace proto;
using namespace std::chrono_literals;

/// A hanging mover blocks the objects it serves until the user's deadline (48 h by default): they do end, but after this run.
bool story::has_mover(std::string_view uid) const {
  return std::ranges::any_of(data_.jobs(), [&](auto& job) {
    return !job.second.over() && std::ranges::any_of(job.second.order.serves, [&](auto& served) { return served.uid == uid; });
  });
}

/// The same for everything that needs a lease such a mover holds.
bool story::is_held_by_mover(std::string_view key) const {
  return std::ranges::any_of(data_.jobs(), [&](auto& job) {
    return !job.second.over() && std::ranges::find(job.second.order.leases, key, &lease_proof::key) != job.second.order.leases.end();
  });
}

/// The object's own statement of why it waits, for the report.
std::string story::words_of(std::string const& key) const {
  auto found = data_.objects().find(key);
  auto* status = found == data_.objects().end() ? nullptr : found->second.at("status");
  return key + " " + (status ? json::dump(*status) : "without a status");
}

/// Whether this deletion may wait longer than a story: it states why, or a hanging mover holds the snapshot.
bool story::is_held(backup const& object) const {
  static constexpr std::string_view until_the_user_acts[] = {"HeldByDeletionProtection", "InUseByRestore"};
  auto& from = object.status.resolved;
  if (object.spec.pin) return true;
  constexpr duration gathering = 1min;  // a deletion younger than this had no run that could continue (seed 805844809: four seconds)
  bool asked_of_suspended = repositories_suspended_ && *object.metadata.deletion_timestamp + gathering >= repositories_suspended_;
  for (auto& each : object.status.conditions) {
    if (std::ranges::find(until_the_user_acts, each.reason) != std::end(until_the_user_acts)) return true;
    if (asked_of_suspended && each.reason == "RepositorySuspended") return true;
  }
  if (!object.status.snapshot || !from || !from->repository || !from->repository->unique_ID) return false;
  return is_held_by_mover("snapshot/" + *from->repository->unique_ID + "/" + object.status.snapshot->kopia_snapshot_ID);
}

/// A Backup of several sources ends after the last of its children.
bool story::waits_for_sibling(std::vector<backup> const& all, object_meta const& parent) const {
  return std::ranges::any_of(all, [&](backup const& one) {
    return one.metadata.namespace_ == parent.namespace_ && controller::lookup(one.metadata.labels, label::group) == parent.name &&
           has_mover(one.metadata.uid);
  });
}

/// The application of its BackupConfig is quiesced without a bound because of a hanging mover: one of its group, or one queued before it.
bool story::waits_for_application(std::vector<backup> const& all, backup const& object) const {
  auto& meta = object.metadata;
  auto name = object.spec.config_ref ? object.spec.config_ref->name : std::string();
  auto* config = object_at("BackupConfig", meta.namespace_, name);
  if (!config || !config->at("spec.hooks")) return false;
  return std::ranges::any_of(all, [&](backup const& one) {
    bool of_it = one.metadata.namespace_ == meta.namespace_ && one.spec.config_ref && one.spec.config_ref->name == name;
    return of_it && has_mover(one.metadata.uid);
  });
}

void story::check_backups_ended(std::vector<backup> const& all, instant late) {
  for (auto& one : all) {
    auto& meta = one.metadata;
    if (has_mover(meta.uid)) continue;
    bool open = !one.status.phase || one.status.phase == backup_phase::Pending || one.status.phase == backup_phase::Running;
    if (open && *meta.creation_timestamp < late && !meta.deletion_timestamp && !waits_for_sibling(all, meta) &&
        !waits_for_application(all, one))
      return violate("8 a Backup never ended", words_of("Backup/" + meta.namespace_ + "/" + meta.name));
    if (one.status.phase == backup_phase::Succeeded && !meta.deletion_timestamp) {
      auto& where = data_.repository_at("/" + meta.namespace_);
      if (one.status.snapshot && !where.snapshots.contains(one.status.snapshot->kopia_snapshot_ID))
        return violate("1 a Backup's snapshot is gone", meta.name);
    }
    if (meta.deletion_timestamp && *meta.deletion_timestamp < late && !is_held(one))
      return violate("8 a deletion never ended", words_of("Backup/" + meta.namespace_ + "/" + meta.name));
  }
}

void story::check_restores_ended(instant late) {
  for (auto& [key, object] : data_.objects()) {
    auto phase = object.text("status.phase");
    bool over = phase == "Failed" || (phase == "Completed" && (is_dry(object) || !is_planned(object)));
    bool open = object.text("kind") == "Restore" && !over && !gateway::is_terminating(object);
    auto made = instant_from(object.text("metadata.creationTimestamp"));
    if (!open || !made || *made >= late || has_mover(object.text("metadata.uid"))) continue;
    auto target = std::string(object.text("metadata.namespace")) + "/" + std::string(object.text("spec.target.pvcRef.name"));
    if (!is_held_by_mover("claim/" + std::string(cluster) + "/" + target)) return violate("8 a Restore never ended", words_of(target));
  }
}

void story::check_slots_ordered() {
  for (auto& [run, fired] : fired_) {
    auto* owner = pick("BackupSchedule", [&](json::value const& one) { return one.text("metadata.uid") == fired.first; });
    if (!owner) continue;
    auto title = run + " of schedule " + fired.first + ", fired at " + to_text(fired.second);
    auto ordered = ordered_.find(run);
    if (ordered == ordered_.end() && fired.second < home_.now() - duration(1h))
      return violate("3 a slot fired and its run was never ordered", title);
    if (ordered != ordered_.end() && ordered->second != owner->text("metadata.namespace"))
      return violate("3 the run of a slot is another namespace's", title + ": " + ordered->second);
  }
}

void story::check_requests_answered(instant late) {
  for (auto& [id, asked] : requests_)
    if (!asked.accepted && asked.sent < late) return violate("8 a request was never answered", id);
}

void story::check_snapshots_named(std::vector<backup> const& all, instant late) {
  for (auto& [path, where] : data_.repositories()) {
    auto* owner = object_at("Repository", path.substr(1), "main");
    if (owner && owner->at("spec.catalog.retain")) continue;  // with these bounds a discovered snapshot may have no Backup
    for (auto& [id, one] : where.snapshots) {
      if (one.foreign || one.row.end_time > late) continue;
      bool named = std::ranges::any_of(all, [&](auto& b) { return b.status.snapshot && b.status.snapshot->kopia_snapshot_ID == id; });
      // A later attempt of the hanging run will find it by the run's tag.
      bool run_hangs =
          !named && std::ranges::any_of(data_.jobs(), [&](auto& job) { return !job.second.over() && job.second.order.run == one.row.run; });
      bool told_later = std::ranges::any_of(all, [&](auto& b) {
        return b.status.job && one.row.run && b.status.job->name.starts_with(*one.row.run + "-") && waits_for_application(all, b);
      });
      if (!named && !run_hangs && !told_later)
        return violate("a snapshot of ours that no Backup names",
                       path + " " + id + " of " + one.row.run.value_or("nobody") + " at " + to_text(one.row.end_time));
    }
  }
}

/// 12: Backups of one group capture are of one instant.
void story::check_together(std::string const& key, json::value const& object) {
  auto group = gateway::label(object, "kopiur.home-operations.com/group");
  if (group.empty() || object.text("status.resolved.groupBy") != "VolumeGroupSnapshot") return;
  auto name = std::string(object.text("metadata.name"));
  if (copied_.contains(name)) return;  // a user's copy; the group of the original may be gone
  summary_.add("checked: capture");
  auto id = object.text("status.snapshot.kopiaSnapshotID");
  for (auto& [_, where] : data_.repositories()) {
    auto found = where.snapshots.find(std::string(id));
    if (found == where.snapshots.end()) continue;
    auto capture = found->second.capture;
    if (!capture) return violate("12 a Backup of a group was taken by itself", name);
    auto& first = together_.try_emplace(std::string(object.text("metadata.namespace")) + "/" + std::string(group), capture).first->second;
    if (first.capture != capture) violate("12 Backups of one group are of two instants", name);
    first.read_by.insert(key);
  }
}

/// 12, second half: no capture is left without a reader. A hanging mover may read until its deadline.
void story::check_captures_gone(std::vector<backup> const& all) {
  auto is_open = [](backup const& one) {
    return one.status.phase == backup_phase::Pending || one.status.phase == backup_phase::Running ||
           one.status.phase == backup_phase::Deleting;
  };
  auto is_read = [&](std::string_view ns, std::string_view group) {
    return std::ranges::any_of(all, [&](backup const& one) {
      return one.metadata.namespace_ == ns && controller::lookup(one.metadata.labels, label::group) == group && is_open(one);
    });
  };
  for (auto& [key, object] : data_.objects()) {
    auto* labels = key.starts_with("PersistentVolumeClaim/") ? object.at("metadata.labels") : nullptr;
    if (!labels || !labels->as_object()) continue;
    for (auto& [name, group] : *labels->as_object())
      if (name.starts_with(label::capture) && !is_read(object.text("metadata.namespace"), *group.as_string()))
        violate("12 a capture is left", key);
  }
}

/// The Jobs of a run are removed when it is over; not while a later attempt hangs.
void story::check_jobs_removed(instant late) {
  std::set<std::string> going_on;
  for (auto& [_, job] : data_.jobs())
    if (!job.over()) going_on.insert(job.order.run);
  for (auto& [name, job] : data_.jobs()) {
    auto& ended = job.seen.status.finished_at;
    if (job.over() && ended && *ended < late && !going_on.contains(job.order.run))
      return violate("8 a Job that ended is left", name + ", ended at " + to_text(*ended));
  }
}

/// 16: what the pods of a Job were granted goes with them.
void story::check_grants_gone() {
  bool works = std::ranges::any_of(data_.jobs(), [](auto& job) { return !job.second.over(); });
  if (!works && !data_.grants.empty()) violate("16 a grant is left behind", *data_.grants.begin());
}

/// After the calm every run has ended, and the repositories match the objects.
void story::check_end() {
  if (buckets_) return buckets_->check_end();
  auto late = home_.wall() - duration(2h);
  auto all = data_.backups();
  check_backups_ended(all, late);
  check_restores_ended(late);
  check_slots_ordered();
  check_requests_answered(late);
  check_snapshots_named(all, late);
  check_captures_gone(all);
  check_jobs_removed(late);
  check_grants_gone();
}

}  // namespace kopiur::simulation
