#include <algorithm>

#include "common/hash/stable_hash.hpp"
#include "e2e/simulation/datacenter.hpp"
#include "proto/codec.hpp"
#include "services/controller/core/jobs.hpp"
#include "services/gateway/core/jobs.hpp"

/// Jobs, and what their movers do to the repositories: a model of kopia's behaviour that shares no code with the real driver.
namespace kopiur::simulation {

using namespace proto;
using namespace std::chrono_literals;
using gateway::refuse;

gateway::outcome<std::string> datacenter::create_job(proto::create_job const& order) {
  auto name = order.run + "-" + std::to_string(order.attempt);
  if (ended_jobs_.contains(name)) return refuse(answer_code::Removed, "Job " + name + " was ended already.");
  if (auto found = jobs_.find(name); found != jobs_.end()) return found->second.seen.uid;
  if (auto why = closed(order.namespace_)) return std::unexpected(std::move(*why));
  auto capture = capture_for(order.namespace_, order.volumes);
  if (!capture) return std::unexpected(capture.error());
  ++counts["jobs"];
  auto& job = jobs_[name];
  job.capture = *capture;
  job.order = order;
  for (auto& each : controller::refs_of(controller::grants_of(order.body))) grants.insert(key_text(each));
  job.seen = gateway::job_of(order, "job-" + std::to_string(++made_), {});
  show(job);
  home_.at(home_.now() + luck_.between(200ms, 3s), [this, name] { start_job(name); });
  auto* pods = std::get_if<pod_plan>(&order.body);
  auto* restore = verb_in<restore_work>(order);
  bool twice = (second_restores && restore && !restore->dry_run) || (second_uploads && pods && pods->main.name == "upload");
  if (twice && !order.run.ends_with("x")) {
    auto again = order;
    again.run += "x", again.leases.clear();
    (void)create_job(again);
  }
  return jobs_[name].seen.uid;
}

gateway::outcome<int> datacenter::capture_for(std::string const& ns, std::vector<volume_use> const& volumes) {
  int capture = 0;
  for (auto& use : volumes) {
    if (!use.copy || !use.copy->together) continue;
    auto& group = *use.copy->together;
    if (use.copy->taken && !captures_late && !captures_.contains(ns + "/" + group.name))
      return refuse(answer_code::Invalid, "The capture " + group.name + " is gone.");
    auto taken = take(ns, group);
    if (!taken) return std::unexpected(taken.error());
    capture = *taken;
  }
  return capture;
}

gateway::outcome<bool> datacenter::capture_volumes(proto::capture_volumes const& command) {
  if (ended_jobs_.contains(command.run + "-1")) return refuse(answer_code::Removed, "The run " + command.run + " is over.");
  if (captures_late) return true;
  auto capture = capture_for(command.namespace_, command.volumes);
  return capture ? gateway::outcome<bool>(true) : std::unexpected(capture.error());
}

void datacenter::mark(std::string const& ns, std::string const& claim, std::string const& label, std::optional<std::string> text) {
  auto found = objects_.find(key_text("PersistentVolumeClaim", ns, claim));
  if (found == objects_.end() || (gateway::label(found->second, label).empty() && !text)) return;
  auto next = found->second;
  auto* labels = next.find("metadata")->find("labels");
  if (!labels) labels = &next.find("metadata")->set("labels", json::value::make_object());
  if (text)
    labels->set(label, *text);
  else
    labels->erase(label);
  store(found->first, std::move(next));
}

/// Returns the number of the capture. The first caller creates it; it may be ready only a little later.
gateway::outcome<int> datacenter::take(std::string const& ns, proto::capture const& together) {
  for (auto& claim : together.claims)
    if (!objects_.contains(key_text("PersistentVolumeClaim", ns, claim)))
      return refuse(answer_code::Unavailable, "The claim " + claim + " does not exist.");
  if (torn_captures) captures_.erase(ns + "/" + together.name);
  auto [at, fresh] = captures_.try_emplace(ns + "/" + together.name, captured_ + 1);
  if (!fresh) return at->second;
  ++captured_, ++counts["captures"];
  if (on_capture) on_capture(ns, captured_);
  for (auto& claim : together.claims) mark(ns, claim, gateway::ours(together.name), together.group);
  if (luck_.chance(0.3)) return refuse(answer_code::Unavailable, "The capture " + together.name + " is not ready yet.");
  return captured_;
}

gateway::outcome<bool> datacenter::delete_capture(proto::delete_capture const& command) {
  if (on_capture_deleted) on_capture_deleted();
  if (captures_.erase(command.namespace_ + "/" + command.name)) ++counts["captures deleted"];
  for (auto& claim : command.claims) mark(command.namespace_, claim, gateway::ours(command.name), {});
  return true;
}

bool datacenter::remove_job(proto::delete_job const& command) {
  auto name = command.run + "-" + std::to_string(command.attempt);
  auto granted = command.grants;
  if (auto job = jobs_.find(name); job != jobs_.end()) granted = controller::refs_of(controller::grants_of(job->second.order.body));
  if (!end_job(name)) return false;
  if (!keeps_grants)
    for (auto& each : granted) grants.erase(key_text(each));
  return true;
}

bool datacenter::end_job(std::string const& name) {
  ended_jobs_.insert(name);
  return stop_job(name);
}

bool datacenter::stop_job(std::string const& name) {
  auto found = jobs_.find(name);
  if (found == jobs_.end()) return true;
  auto& job = found->second;
  if (job.seen.status.pods_gone) {
    object_ref gone{"Job", job.seen.namespace_, name, job.seen.uid};
    jobs_.erase(found);
    tell(gateway::gone_object{gone});
    return true;
  }
  if (!std::exchange(job.asked_to_stop, true))  // kopia first finishes the uploads in flight, and exits 0
    home_.at(home_.now() + luck_.between(500ms, 10s),
             [this, name] { finish(name, job_phase::Finished, {}, "Deleted", "It was told to stop."); });
  return false;
}

void datacenter::kill_job(std::string const& name) {
  finish(name, job_phase::Lost, {}, "Deleted", "It was killed.");
  (void)stop_job(name);
}

void datacenter::start_job(std::string const& name) {
  auto found = jobs_.find(name);
  if (found == jobs_.end() || found->second.seen.status.pods_gone) return;
  auto& job = found->second;
  if (on_start) on_start(job);
  if (thaws_early && on_hook) on_hook(job.order.run, job.order.namespace_, false);
  job.seen.status.phase = job_phase::Running;
  job.seen.status.started_at = home_.wall();
  show(job);
  home_.at(home_.now() + std::chrono::seconds(job.order.deadline_seconds),
           [this, name] { finish(name, job_phase::Lost, {}, "DeadlineExceeded", "It ran into its deadline."); });
  testing::chance const odds[] = {
      {faults.dies_before, "mover dies before acting"}, {faults.hangs, "mover hangs"}, {faults.fails, "mover fails"}};
  auto blow = home_.draw(mover_site_, "mover", "start", name, odds);
  bool long_one = luck_.chance(0.05);
  bool long_list = verb_in<list_work>(job.order) && luck_.chance(0.1);
  if (long_list) ++counts["long list"];
  auto later = home_.now() + (long_list ? luck_.between(2min, 6min) : long_one ? luck_.between(20s, 90s) : luck_.between(1s, 12s));
  if (long_one && !blow) tell(gateway::job_progress{job.order.run, json::encode(kopia_progress{})});
  if (!blow)
    home_.at(later, [this, name] { act(name); });
  else if (blow->which == 0)
    home_.at(later, [this, name] { finish(name, job_phase::Lost, {}, "", "Its node went away."); });
  else if (blow->which == 2)
    home_.at(later, [this, name] {
      auto entry = jobs_.find(name);
      if (entry == jobs_.end()) return;
      kopia_result result{.run = entry->second.order.run, .attempt = entry->second.order.attempt};
      result.failure = run_failure{.class_ = kopia_failure::Unreachable, .message = "The backend could not be reached.", .retryable = true};
      finish(name, job_phase::Finished, std::move(result));
    });
}

void datacenter::act(std::string const& name) {
  auto found = jobs_.find(name);
  if (found == jobs_.end() || found->second.seen.status.pods_gone || found->second.asked_to_stop) return;
  auto& job = found->second;
  job.acted = true;
  if (on_act) on_act(job);
  if (is_of_openbao(job)) return act_on_bao(name);
  auto* plan = std::get_if<pod_plan>(&job.order.body);
  auto result = plan ? *gateway::ended({}, job.order, end_of_containers(*plan), home_.wall()).result : job_result(perform(job));
  home_.note("mover", "acted", name, json::to_text(result.outcome));
  testing::chance const odds[] = {{faults.dies_after, "mover dies after acting"}, {faults.loses_result, "mover's result is lost"}};
  auto blow = home_.draw(mover_site_, odds);
  auto later = home_.now() + luck_.between(100ms, 5s);
  if (blow)
    home_.at(later, [this, name] { finish(name, job_phase::Lost, {}, "", "Its result was lost."); });
  else
    home_.at(later, [this, name, result = std::move(result)]() mutable { finish(name, job_phase::Finished, std::move(result)); });
}

void datacenter::finish(std::string const& name, job_phase phase, std::optional<job_result> result, std::string reason,
                        std::string message) {
  auto found = jobs_.find(name);
  if (found == jobs_.end() || found->second.seen.status.pods_gone) return;
  auto& status = found->second.seen.status;
  ++counts["jobs " + std::string(json::to_text(phase))];
  status.phase = phase, status.pods_gone = true;
  status.result = std::move(result), status.reason = std::move(reason), status.message = std::move(message);
  status.finished_at = home_.wall();
  if (secret_in_log) status.log_tail = "connected with hunter2-secret";
  show(found->second);
}

void datacenter::show(sim_job const& job) { tell(gateway::seen_object{gateway::job_object(job.seen, ++version_)}); }

kopia_result datacenter::list(sim_job& job, repository& where) {
  kopia_result result{
      .run = job.order.run, .attempt = job.order.attempt, .outcome = proto::outcome::Succeeded, .unique_ID = where.unique_ID};
  gateway::row_pager pager;
  std::int64_t page = 0;
  auto give = [&](std::optional<output_page> rows) {
    if (rows) tell(gateway::job_rows{job.order.run, job.order.attempt, ++page, std::move(*rows)});
  };
  for (auto& [_, one] : where.snapshots)
    if (!ours_alone || !one.foreign) give(pager.add(json::encode(one.row))), ++result.rows;
  give(pager.finish());
  job.seen.status.row_pages = page;
  return result;
}

namespace {

kopia_result failed(sim_job const& job, failure_name why, std::string message, bool retryable) {
  return {.run = job.order.run,
          .attempt = job.order.attempt,
          .outcome = proto::outcome::Failed,
          .failure = run_failure{.class_ = why, .message = std::move(message), .retryable = retryable}};
}

/// The newest good snapshot of the source that another run created.
snapshot_row const* good_before(std::string const& run, snapshot_work const& task, repository const& where) {
  std::vector<snapshot const*> older;
  for (auto& [_, one] : where.snapshots)
    if (one.row.source == task.source && one.row.run != run) older.push_back(&one);
  std::ranges::sort(older, {}, &snapshot::since);
  snapshot_row const *good = nullptr, *held_last = nullptr;
  for (auto* one : older) {
    if (one->row.baseline && held_last && one->row.baseline->snapshot == held_last->id) good = held_last;
    bool shrank = one->row.run && good && 2 * one->row.files < good->files;
    bool held = shrank || std::ranges::find(task.watch.held, one->row.id) != task.watch.held.end();
    (held && one->row.id != task.watch.last_good ? held_last : good) = &one->row;
  }
  return good;
}

/// Reports a shrinkage if `made` has less than half the files of `good`.
std::optional<shrinkage> compare(snapshot const& made, snapshot_work const& task, snapshot_row const* good) {
  if (!good || task.watch.percent == 0 || 2 * made.row.files >= good->files) return {};
  return shrinkage{.snapshot = made.row.id, .predecessor = good->id, .files = made.row.files, .files_before = good->files};
}

std::string claim_of(sim_job const& job, std::string_view volume) {
  for (auto& each : job.order.volumes)
    if (each.name == volume) return each.claim_namespace + "/" + each.claim_name;
  return {};
}

}  // namespace

void datacenter::save(sim_job const& job, snapshot_work const& task, repository& where, kopia_result& done) {
  auto own = std::ranges::find_if(where.snapshots, [&](auto& one) { return one.second.row.run == job.order.run; });
  auto* before = good_before(job.order.run, task, where);
  if (own == where.snapshots.end()) {  // no earlier attempt saved it
    auto claim = claim_of(job, "source");
    auto& from = volumes_[claim];
    auto id = hash::digest_hex({"snapshot", std::to_string(++made_)}, 32);
    snapshot fresh{.row = {.id = id,
                           .source = task.source,
                           .start_time = home_.wall(),
                           .end_time = home_.wall(),
                           .size_bytes = from.files * 10,
                           .files = from.files,
                           .run = job.order.run},
                   .content = claim + "@" + std::to_string(from.version),
                   .capture = job.capture,
                   .since = home_.now()};
    auto extra = task.watch.last_good ? task.watch.last_good : before ? std::optional(before->id) : std::nullopt;
    if (extra && task.watch.percent > 0 && !without_baselines) fresh.row.baseline = baseline{*extra, task.watch.percent};
    done.stats = snapshot_stats{.size_bytes = fresh.row.size_bytes};
    own = where.snapshots.emplace(id, std::move(fresh)).first;
  }
  done.snapshot = own->second.row;
  if (!blind_to_shrinking) done.shrunk = compare(own->second, task, before);
}

/// What a pod of plain containers does: its main container writes what the variable ECHO holds, and fails when that is empty. An upload
/// writes where it has put the snapshot.
gateway::job_end datacenter::end_of_containers(pod_plan const& plan) {
  ++counts["pods of plain containers"];
  if (plan.main.name == "upload")
    return {.said = "s3://snapshots/" + std::to_string(++made_) + ".db", .exit_status = 0, .container = plan.main.name};
  auto echo = plan.main.env.find("ECHO");
  bool good = echo != plan.main.env.end() && !echo->second.empty();
  return {
      .said = good ? echo->second : "", .exit_status = good ? 0 : 1, .container = plan.main.name, .ending = good ? "" : "exit status 1"};
}

kopia_result datacenter::perform(sim_job& job) {
  auto& order = kopia_of(job.order);
  auto& where = repositories_[std::get<filesystem_backend>(order.repository->backend).path];
  if (!where.reachable) return failed(job, kopia_failure::Unreachable, "The backend could not be reached.", true);
  kopia_result done{.run = job.order.run, .attempt = job.order.attempt, .outcome = proto::outcome::Succeeded};
  if (auto* connect = std::get_if<connect_work>(&order.task); connect && !where.exists) {
    if (!connect->create || !connect->create->enabled) return failed(job, kopia_failure::NotInitialized, "There is no repository.", false);
    where.exists = true, where.unique_ID = hash::digest_hex({"unique", std::to_string(++made_)}, 16), done.created = true;
  }
  if (!where.exists) return failed(job, kopia_failure::NotInitialized, "There is no repository.", false);
  if (order.repository->unique_ID && *order.repository->unique_ID != where.unique_ID)
    return failed(job, kopia_failure::WrongRepository, "Another repository.", false);
  done.unique_ID = where.unique_ID;
  if (auto* task = std::get_if<snapshot_work>(&order.task)) {
    ++counts["snapshots"];
    save(job, *task, where, done);
  } else if (auto* restore = std::get_if<restore_work>(&order.task)) {
    auto found = where.snapshots.find(choose_snapshot ? choose_snapshot(where, restore->snapshot_ID) : restore->snapshot_ID);
    if (found == where.snapshots.end()) return failed(job, kopia_failure::SnapshotMissing, "The snapshot does not exist.", false);
    if (restore->dry_run && !dry_runs_write) {
      ++counts["dry runs"];
      done.preview = restore_preview{.snapshot_ID = restore->snapshot_ID, .files = 1, .bytes = 1000, .created = 1};
      return done;
    }
    ++counts["restores"];
    auto target = claim_of(job, "target");
    if (on_restore) on_restore(job, found->second, target);
    volumes_[target].content = found->second.content;
    done.restored_files = 1, done.ownership = ownership_report{.entries = 2};
  } else if (auto* gone = std::get_if<delete_work>(&order.task)) {
    for (auto& asked : gone->snapshots) {
      auto id = choose_doomed ? choose_doomed(where, asked.id) : asked.id;
      auto there = where.snapshots.find(id);
      if (there == where.snapshots.end()) continue;
      bool meant = choose_doomed || (there->second.row.source == asked.source && (!asked.run || there->second.row.run == asked.run));
      if (!meant) {
        done.remaining.push_back(id);
        continue;
      }
      ++counts["snapshots deleted"];
      if (on_delete) on_delete(job, where, id);
      where.snapshots.erase(id);
    }
    done.remaining_count = std::ssize(done.remaining);
    done.deleted_count = std::ssize(gone->snapshots) - done.remaining_count;
    if (done.remaining_count > 0) {
      auto no = failed(job, kopia_failure::SnapshotMissing, "A snapshot is another's.", false);
      no.remaining = done.remaining, no.remaining_count = done.remaining_count, no.deleted_count = done.deleted_count;
      return no;
    }
  } else if (auto* sweep = std::get_if<sweep_work>(&order.task)) {
    std::vector<std::string> ids;
    for (auto& [id, one] : where.snapshots)
      if (one.row.run == sweep->run && std::ranges::find(sweep->keep, id) == sweep->keep.end()) ids.push_back(id);
    for (auto& id : ids) {
      ++counts["snapshots swept"];
      if (on_delete) on_delete(job, where, id);
      where.snapshots.erase(id);
    }
  } else if (std::holds_alternative<maintain_work>(order.task)) {
    ++counts["maintenances"];
  } else if (std::holds_alternative<list_work>(order.task)) {
    ++counts["lists"];
    return list(job, where);
  }
  return done;
}

}  // namespace kopiur::simulation
