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
  bool sweep = verb_in<sweep_work>(job.order);
  for (auto& one : data_.backups()) {
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
      auto* restore = verb_in<restore_work>(other.order);
      if (restore && restore->snapshot_ID == id && !other.over() && !other.acted)
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
  return std::ranges::any_of(data_.backups(), [&](backup const& each) {
    auto since = succeeded_.find(each.metadata.uid);
    bool stands = each.status.snapshot && each.status.snapshot->kopia_snapshot_ID == one.row.id && !each.metadata.deletion_timestamp;
    return stands && each.status.phase == backup_phase::Succeeded && since != succeeded_.end() && since->second + 1min < born;
  });
}

/// 5 and 6: a dry run writes nothing; an existing claim is filled once; never another volume's bytes; nothing older than the newest
/// snapshot that existed when the Restore was created.
void story::check_restore(sim_job const& job, snapshot const& from, std::string const& target) {
  summary_.add("checked: restore");
  auto& task = std::get<restore_work>(kopia_of(job.order).task);
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
    if (&other == &job || other.over() || other.order.run == job.order.run || other.seen.status.phase != job_phase::Running) continue;
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
/// 17: a control plane has one backup at a time.
void story::check_control_plane(sim_job const& job) {
  auto plane_of = [](sim_job const& one) {
    auto* pods = std::get_if<pod_plan>(&one.order.body);
    return pods && pods->main.name == "upload" ? pods->grants.at(0).text("metadata.namespace") : std::string_view();
  };
  if (plane_of(job).empty()) return;
  for (auto& [_, other] : data_.jobs())
    if (&other != &job && !other.over() && plane_of(other) == plane_of(job))
      violate("17 two backups of one control plane", other.order.run + " and " + job.order.run);
}

void story::check_start(sim_job const& job) {
  check_control_plane(job);
  job_named_.insert_or_assign(job.order.run + "-" + std::to_string(job.order.attempt), job.seen.uid);
  auto* restore = verb_in<restore_work>(job.order);
  bool destructive = verb_in<delete_work>(job.order) || (restore && !restore->dry_run);
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
  for (auto& one : data_.backups()) {
    auto is = [&](std::string_view name, std::string_view value) { return controller::lookup(one.metadata.annotations, name) == value; };
    bool of_it = !copied_.contains(one.metadata.name) && is(annotation::schedule_uid, schedule.metadata.uid) &&
                 is(annotation::slot, to_text(before));
    if (of_it && !one.metadata.deletion_timestamp && has_mover(one.metadata.uid))
      violate("3 a slot fired while the one before still works, and concurrencyPolicy is Forbid", one.metadata.name);
  }
}

}  // namespace kopiur::simulation
