#include <algorithm>

#include "e2e/simulation/objects.hpp"
#include "e2e/simulation/story.hpp"
#include "proto/codec.hpp"
#include "proto/events/request.hpp"
#include "proto/subjects.hpp"
#include "services/gateway/core/names.hpp"
#include "services/scheduler/core/timetable.hpp"
#include "services/scheduler/shell/service.hpp"

/// The invariants of the architecture. They read the world (objects, repositories, messages), never a service's memory.
namespace kopiur::simulation {

using namespace proto;
using namespace std::chrono_literals;

namespace {

std::vector<backup> backups_of(datacenter const& data) {
  std::vector<backup> found;
  for (auto& [key, object] : data.objects())
    if (key.starts_with("Backup/"))
      if (auto read = json::decode<backup>(object)) found.push_back(std::move(*read));
  return found;
}

bool over(sim_job const& job) { return job.seen.status.pods_gone; }

}  // namespace

/// True if this Backup was deleted because its namespace was.
bool story::went_with_namespace(backup const& one) const {
  auto home = data_.objects().find("Namespace//" + one.metadata.namespace_);
  auto gone = home == data_.objects().end() ? std::nullopt : instant_from(home->second.text("metadata.deletionTimestamp"));
  return gone && one.metadata.deletion_timestamp && *one.metadata.deletion_timestamp >= *gone;
}

/// 1 and 2: a mover may delete only the snapshot of a Backup deleted with policy Delete, or one that its own cancelled run created and no
/// Backup records.
void story::check_deletion(sim_job const& job, repository const& where, std::string const& id) {
  auto& doomed = where.snapshots.at(id);
  summary_.add("checked: deletion");
  if (doomed.foreign) return violate("2 foreign snapshot deleted", id);
  bool sweep = std::holds_alternative<sweep_work>(job.order.work.task);
  for (auto& one : backups_of(data_)) {
    if (!one.status.snapshot || one.status.snapshot->kopia_snapshot_ID != id) continue;
    if (sweep) return violate("1 a recorded snapshot was swept", one.metadata.name);
    if (one.spec.pin) return violate("2 a pinned snapshot was deleted", one.metadata.name);
    if (!one.metadata.deletion_timestamp) return violate("1 a snapshot was deleted whose Backup lives", one.metadata.name);
    auto policy = one.spec.deletion_policy ? one.spec.deletion_policy
                  : one.status.resolved    ? one.status.resolved->deletion_policy
                                           : std::nullopt;
    if (went_with_namespace(one)) return violate("1 a snapshot was deleted because a namespace was", one.metadata.name);
    if (policy != deletion_policy::Delete) return violate("1 a snapshot was deleted against its policy", one.metadata.name);
    for (auto& [name, other] : data_.jobs()) {
      auto* restore = std::get_if<restore_work>(&other.order.work.task);
      if (restore && restore->snapshot_ID == id && !over(other) && !other.acted)
        return violate("2 a snapshot was deleted that a restore uses", name);
    }
    return check_burst(one);
  }
  if (sweep && doomed.row.run == job.order.run) return;
  violate("1 a snapshot was deleted that no deleted Backup names", id);
}

/// 11, second half: a burst of deletions, our own pruning excluded, is held until a user allows it.
void story::check_burst(backup const& doomed) {
  if (doomed.metadata.annotations.contains(std::string(annotation::pruned_by))) return;
  auto* repository =
      pick("Repository", [&](json::value const& one) { return one.text("metadata.namespace") == doomed.metadata.namespace_; });
  auto allowed = repository ? instant_from(gateway::annotation(*repository, annotation::allow_mass_deletion)) : std::nullopt;
  auto asked = *doomed.metadata.deletion_timestamp;
  if (asked <= bus_lost_at_) return;  // only the runs knew of deletions before the loss: the count restarts
  executed_[doomed.metadata.namespace_ + "/" + doomed.metadata.uid] = asked;
  if (allowed && asked <= *allowed) return;
  auto within = std::ranges::count_if(executed_, [&](auto& one) {
    return one.first.starts_with(doomed.metadata.namespace_ + "/") && one.second > std::max(asked - 30min, bus_lost_at_) &&
           one.second <= asked && !(allowed && one.second <= *allowed);
  });
  if (within > 8) violate("11 a burst of deletions was not held", doomed.metadata.name);
}

/// 11, first half: a service deletes a Backup only by retention, or if it is a row without a snapshot of ours.
void story::check_removal(delete_object const& command) {
  if (command.object.kind != "Backup") return;
  auto found = data_.objects().find("Backup/" + command.object.namespace_ + "/" + command.object.name);
  if (found == data_.objects().end()) return;
  summary_.add("checked: removal");
  bool stands_for_nothing = !found->second.find("spec") && !found->second.at("status.snapshot");
  bool row = found->second.text("status.phase") == "Discovered" || stands_for_nothing;
  bool pruned = command.annotations.contains(std::string(annotation::pruned_by));
  if (!row && !pruned) return violate("11 a Backup was deleted by a service for no rule", command.object.name);
  auto gone = json::decode<backup>(found->second);
  if (pruned && gone) check_displaced(*gone);
}

/// Whether the snapshot was visible when this Restore was created: another cluster's, or that of a Backup which had Succeeded and whose
/// deletion was not requested since.
bool story::was_there(snapshot const& one, std::string const& restore) {
  auto born = born_[restore];
  if (!one.row.run) return one.since < born;
  return std::ranges::any_of(backups_of(data_), [&](backup const& each) {
    auto since = succeeded_.find(each.metadata.uid);
    bool stands = each.status.snapshot && each.status.snapshot->kopia_snapshot_ID == one.row.id && !each.metadata.deletion_timestamp;
    return stands && each.status.phase == backup_phase::Succeeded && since != succeeded_.end() && since->second + 1min < born;
  });
}

namespace {

bool is_dry(json::value const& restore) {
  auto* dry = restore.at("spec.dryRun");
  return dry && dry->as_bool() && *dry->as_bool();
}

/// The status describes the dry run; the user may have requested the act since.
bool is_planned(json::value const& restore) {
  auto* ready = condition_of(restore, "Ready");
  return ready && ready->text("reason") == "Planned";
}

}  // namespace

/// 5 and 6: a dry run writes nothing; an existing claim is filled once; never another volume's bytes; nothing older than the newest
/// snapshot that existed when the Restore was created.
void story::check_restore(sim_job const& job, snapshot const& from, std::string const& target) {
  summary_.add("checked: restore");
  auto& task = std::get<restore_work>(job.order.work.task);
  auto* asked_by = pick("Restore", [&](json::value const& one) { return one.text("metadata.uid") == job.order.serves.front().uid; });
  if (task.dry_run || (asked_by && is_dry(*asked_by))) return violate("5 a dry run was done", job.order.run);
  if (!(from.row.source == task.source)) return violate("6 a restore of another source", job.order.run);
  auto volume = from.content.substr(0, from.content.find('@'));
  auto ns = volume.substr(0, volume.find('/'));
  if ("/pvc/" + volume.substr(volume.find('/') + 1) != from.row.source.source_path || target.substr(0, target.find('/')) != ns)
    return violate("6 another volume's bytes", from.content + " into " + target);
  if (has_shrunk(ns, from.row.id)) return violate("14 a restore took a snapshot that is held", job.order.run);
  bool existing = target.ends_with("/spare");
  auto& served = job.order.serves.front();
  for (auto& [id, one] : data_.repository_at("/" + ns).snapshots)
    if (one.row.source == from.row.source && one.row.end_time > from.row.end_time && !one.row.run && was_there(one, served.uid))
      return violate("6 an older snapshot than was there", job.order.run + ": " + from.row.id + ", not " + id);
  auto times = ++restores_per_object_[served.uid];
  ++restores_per_name_[served.namespace_ + "/" + served.name];
  int asked = asked_again_.contains(served.uid) ? 2 : 1;
  if (existing && times > asked) violate("5 an existing claim was filled twice", job.order.run);
}

/// 6, second half: a completed Restore filled its claim, or no snapshot existed and the user allowed an empty volume.
void story::check_completed(json::value const& object) {
  if (object.text("kind") != "Restore" || object.text("status.phase") != "Completed" || is_planned(object)) return;
  if (!completed_.insert(std::string(object.text("metadata.uid"))).second) return;
  summary_.add("checked: completed restore");
  if (restores_per_object_.contains(std::string(object.text("metadata.uid")))) return;
  auto name = std::string(object.text("metadata.name"));
  auto key = std::string(object.text("metadata.namespace")) + "/" + name;
  if (restores_per_name_.contains(key)) return;  // an earlier Restore of that name has filled the claim
  if (doubtful_.contains(key)) return violate("13 a restore that nobody did, by a user's mark", name);
  if (object.text("spec.policy.onMissingSnapshot") != "Continue") return violate("6 an empty volume that nobody allowed", name);
  auto ns = std::string(object.text("metadata.namespace"));
  auto& where = data_.repository_at("/" + ns);
  if (!where.exists) return violate("6 an empty volume, and the repository was never read", name);
  identity who{"all", ns, std::string(object.text("spec.source.fromConfig.sourcePath"))};
  for (auto& [id, one] : where.snapshots)
    if (one.row.source == who && was_there(one, std::string(object.text("metadata.uid"))))
      return violate("6 an empty volume although there is a snapshot", name + ", " + id);
}

/// 4: no two runs act under the same key if one of them holds it exclusively.
void story::check_leases(sim_job const& job) {
  auto exclude = [](lease_proof const& a, lease_proof const& b) {
    return a.key == b.key && (a.mode == lease_mode::Exclusive || b.mode == lease_mode::Exclusive);
  };
  for (auto& [name, other] : data_.jobs()) {
    if (&other == &job || over(other) || other.order.run == job.order.run || other.seen.status.phase != job_phase::Running) continue;
    for (auto& mine : job.order.leases)
      for (auto& theirs : other.order.leases)
        if (exclude(mine, theirs))
          return violate("4 two act under " + mine.key.substr(0, mine.key.find('/')), job.order.run + " and " + name);
  }
  summary_.add("checked: leases");
}

/// Whether a request to the API server was executed late or twice. A user may delete the Backup in between, and a repeated create makes it
/// again (seed 795887325); only the server sees both.
bool story::request_came_again() {
  auto& struck = home_.faults().struck();
  return std::ranges::any_of(struck, [&](testing::injection const& one) {
    bool again = one.what == "twice" || one.what == "late";
    return again && one.id.place.ends_with("/cluster") && one.time + cluster_faults_.lateness >= home_.now();
  });
}

/// 3: one Backup for each slot and source.
void story::check_creation(json::value const& object) {
  if (object.text("kind") != "Backup") return;
  auto asked_by = gateway::annotation(object, "kopiur.home-operations.com/request");
  if (auto asked = requests_.find(std::string(asked_by.substr(asked_by.find('#') + 1))); !asked_by.empty() && asked != requests_.end()) {
    if (asked->second.accepted == false) violate("8 a request was done after it was refused", asked->first);
    asked->second.made = object.text("metadata.name");
  }
  auto slot = gateway::annotation(object, annotation::slot);
  if (slot.empty() || copied_.contains(std::string(object.text("metadata.name")))) return;
  auto key = std::string(gateway::annotation(object, annotation::schedule_uid)) + " " + std::string(slot) + " " +
             std::string(object.text("spec.sourcePath"));
  summary_.add("checked: slot");
  if (++backups_per_slot_[key] > 1 && !request_came_again()) violate("3 a slot made two Backups", key);
}

/// 7: nothing destructive begins while the bus or the API is down (an act ordered just before may still start).
void story::check_start(sim_job const& job) {
  job_named_.insert_or_assign(job.order.run + "-" + std::to_string(job.order.attempt), job.seen.uid);
  auto* restore = std::get_if<restore_work>(&job.order.work.task);
  bool destructive = std::holds_alternative<delete_work>(job.order.work.task) || (restore && !restore->dry_run);
  if (!destructive) return;
  if (home_.now() < bus_down_until_ && home_.now() > bus_down_until_ - 3min + 10s)
    violate("7 a destructive act began while the bus was down", job.order.run);
  if (home_.now() < data_.away_until && home_.now() > data_.away_until - 3min + 10s)
    violate("7 a destructive act began while the API was down", job.order.run);
}

/// 10: no message contains a Secret's value; also the parts of 3, 8 and 9 that messages show.
void story::check_message(testing::memory_stream const& in, bus::stored const& message) {
  auto& stream = in.config().name;
  summary_.add("checked: message");
  summary_.message(stream, message, decoder_);
  if (message.body.find("hunter2-secret") != std::string::npos) violate("10 a secret travels", message.subject);
  bool slot = stream == subjects::states && subjects::part(message.subject, 2) == "schedule";
  if (slot) check_slots(message);
  if (stream == subjects::answers && subjects::part(message.subject, 5) == "request") check_answer(message);
  if (stream == subjects::runs) note_order(message), note_hooks(message);
  bool removal = stream == subjects::commands && subjects::part(message.subject, 5) == "delete-object";
  if (slot || removal || stream == subjects::runs) happened();
  if (stream == subjects::status && !message.body.empty()) check_quiet(message.subject + " " + message.body);
}

void story::note_order(bus::stored const& message) {
  auto [known, first] = ordered_.try_emplace(subjects::name(subjects::part(message.subject, 4)));
  auto fact = first ? decoder_.read<run_fact>(message.body) : std::expected<run_fact, json::problem>{std::unexpect};
  if (fact) known->second = fact->state.order.object.namespace_;
}

/// 8: the answer to a request states what happened.
void story::check_answer(bus::stored const& message) {
  auto said = json::read<request_answer>(message.body);
  auto asked = said ? requests_.find(said->id) : requests_.end();
  if (asked == requests_.end()) return;
  summary_.add(said->accepted ? "checked: accepted request" : "checked: refused request");
  asked->second.accepted = said->accepted;
  if (said->accepted == asked->second.made.empty())
    violate("8 a request was told otherwise than it went", message.body + (said->accepted ? " of nothing" : " of " + asked->second.made));
}

/// 3, second half: every slot between two decisions is fired, missed, skipped or passed over, and a fired slot is ordered.
void story::check_slots(bus::stored const& message) {
  auto fact = decoder_.read<scheduler::schedule_fact>(message.body);
  if (!fact) return;
  auto& now = fact->state;
  auto before = std::exchange(slots_[now.uid], now);
  auto& said = fact->event;
  if (said.fired)
    for (auto& each : now.last->runs) fired_.try_emplace(each.run, now.uid, home_.now());
  auto* object = pick("BackupSchedule", [&](json::value const& one) { return one.text("metadata.uid") == now.uid; });
  auto rules = object ? json::decode<backup_schedule>(*object) : std::expected<backup_schedule, json::problem>{std::unexpect};
  auto table = rules ? scheduler::timetable::compile(rules->spec.schedule, now.uid) : std::unexpected(std::string());
  if (said.fired && rules) check_forbid(*rules, *said.fired);
  if (said.skipped) check_skipped(*said.skipped);
  bool comparable =
      table && before.timetable == now.timetable && table->text() == now.timetable && !said.rewound && now.settled > before.settled;
  if (!comparable) return;
  summary_.add("checked: slot accounted for");
  auto told = (said.fired && !said.fired->on_create ? 1 : 0) + (said.missed ? said.missed->count : 0) + (said.skipped ? 1 : 0) +
              (said.passed ? said.passed->count : 0);
  if (auto real = table->count(before.settled, now.settled); real != told)
    violate("3 a slot is not accounted for", now.uid + ": " + std::to_string(real) + " slots, " + std::to_string(told) + " told of");
}

/// 3: Forbid holds, also after the bus lost the record of the slot before. Excluded: a slot fired under Replace by a replica that had not
/// yet seen the edit (it names what it replaces), and Backups that are being deleted.
void story::check_forbid(backup_schedule const& schedule, controller::fired const& fired) {
  auto [last, first] = last_fired_.try_emplace(schedule.metadata.uid, fired.slot);
  auto before = std::exchange(last->second, std::max(last->second, fired.slot));
  if (first || before >= fired.slot) return;  // a fact without a new slot repeats the last event
  if (schedule.spec.schedule.concurrency_policy != concurrency_policy::Forbid || !fired.replaces.empty()) return;
  summary_.add("checked: forbid");
  for (auto& one : backups_of(data_)) {
    auto is = [&](std::string_view name, std::string_view value) { return controller::lookup(one.metadata.annotations, name) == value; };
    bool of_it = !copied_.contains(one.metadata.name) && is(annotation::schedule_uid, schedule.metadata.uid) &&
                 is(annotation::slot, to_text(before));
    if (of_it && !one.metadata.deletion_timestamp && has_mover(one.metadata.uid))
      violate("3 a slot fired while the one before still works, and concurrencyPolicy is Forbid", one.metadata.name);
  }
}

/// A hanging mover blocks the objects it serves until the user's deadline (48 h by default): they do end, but after this run.
bool story::has_mover(std::string_view uid) const {
  return std::ranges::any_of(data_.jobs(), [&](auto& job) {
    return !over(job.second) && std::ranges::any_of(job.second.order.serves, [&](auto& served) { return served.uid == uid; });
  });
}

/// The same for everything that needs a lease such a mover holds.
bool story::is_held_by_mover(std::string_view key) const {
  return std::ranges::any_of(data_.jobs(), [&](auto& job) {
    return !over(job.second) && std::ranges::find(job.second.order.leases, key, &lease_proof::key) != job.second.order.leases.end();
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
          !named && std::ranges::any_of(data_.jobs(), [&](auto& job) { return !over(job.second) && job.second.order.run == one.row.run; });
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
    if (!over(job)) going_on.insert(job.order.run);
  for (auto& [name, job] : data_.jobs()) {
    auto& ended = job.seen.status.finished_at;
    if (over(job) && ended && *ended < late && !going_on.contains(job.order.run))
      return violate("8 a Job that ended is left", name + ", ended at " + to_text(*ended));
  }
}

/// After the calm every run has ended, and the repositories match the objects.
void story::check_end() {
  auto late = home_.wall() - duration(2h);
  auto all = backups_of(data_);
  check_backups_ended(all, late);
  check_restores_ended(late);
  check_slots_ordered();
  check_requests_answered(late);
  check_snapshots_named(all, late);
  check_captures_gone(all);
  check_jobs_removed(late);
}

}  // namespace kopiur::simulation
