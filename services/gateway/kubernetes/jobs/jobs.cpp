#include "services/gateway/kubernetes/jobs/jobs.hpp"

#include <algorithm>
#include <set>

#include "proto/codec.hpp"
#include "proto/core/kubernetes.hpp"
#include "services/gateway/kubernetes/jobs/jobs_entry.hpp"
#include "services/gateway/kubernetes/jobs/pod_options.hpp"
#include "services/gateway/kubernetes/objects/kinds.hpp"
#include "services/gateway/kubernetes/objects/pod.hpp"
#include "services/gateway/kubernetes/objects/refusals.hpp"
#include "services/gateway/kubernetes/volumes/claim_in_use.hpp"
#include "services/gateway/kubernetes/volumes/populate.hpp"

namespace kopiur::gateway::kubernetes {

using namespace std::chrono_literals;
using proto::answer_code;

namespace {

constexpr duration end_may_take = 60s;
constexpr int tries = 5;
constexpr char const* pod_of_job = "batch.kubernetes.io/job-name";

reflector::options with_our_run(std::string_view kind, jobs::settings const& settings) {
  return {.resource = *resource_of(kind), .namespace_ = settings.namespace_, .selector = ours("run"), .told = settings.told};
}

outcome<void> still_there(object_key const& job) {
  return refuse(answer_code::Unavailable, "The pod of " + job.text() + " has not ended within " + to_text(end_may_take) +
                                              ": its node may be lost. kopiur waits until the pod is gone.");
}

/// The owner of an object that belongs to exactly one Job; nullptr: it does not.
json::value const* owning_job(json::value const& object) {
  auto* owners = object.at("metadata.ownerReferences");
  auto* owner = owners && owners->as_array() && owners->as_array()->size() == 1 ? &owners->as_array()->front() : nullptr;
  return owner && owner->text("kind") == "Job" ? owner : nullptr;
}

}  // namespace

jobs::jobs(client& api, clock& time, asio::any_io_executor loop, settings settings, sinks sinks)
    : api_(api),
      time_(time),
      loop_(std::move(loop)),
      settings_(std::move(settings)),
      sinks_(std::move(sinks)),
      objects_(api),
      jobs_seen_(api, time, with_our_run("Job", settings_),
                 {[this](json::value job) { take_job(std::move(job)); }, [this](object_key key, std::string uid) { lose_job(key, uid); },
                  [this] { one_listed(); }}),
      pods_seen_(api, time, with_our_run("Pod", settings_),
                 {[this](json::value pod) { take_pod(std::move(pod)); }, [this](object_key, std::string uid) { lose_pod(uid); },
                  [this] { one_listed(); }}),
      warnings_(time, loop_, {.age = strange_after, .rest_factor = 20}, [this](std::string ns) { return warnings_in(std::move(ns)); }),
      pods_now_(time, loop_, {}, [this](std::string ns) { return pods_on_nodes(std::move(ns), false); }),
      pods_lately_(time, loop_, {}, [this](std::string ns) { return pods_on_nodes(std::move(ns), true); }),
      contents_(time, loop_, {}, [this](object_key key) { return objects_.read({key.kind, key.namespace_, key.name, ""}); }),
      tasks_(loop_),
      dropped_(loop_),
      listed_(loop_) {}

jobs::~jobs() = default;

awaitable<void> jobs::run() {
  tasks_.spawn(jobs_seen_.run());
  tasks_.spawn(pods_seen_.run());
  tasks_.spawn(learn_secrets());
  tasks_.spawn(explain_all());
  co_await tasks_.join();
}

// ---- state from the cluster

void jobs::one_listed() {
  if (!told()) return;
  sinks_.listed();
  listed_.notify();
}

/// Learns once which Jobs have their Secrets. A new gateway would otherwise send thousands of creates for Secrets that exist.
awaitable<void> jobs::learn_secrets() {
  auto options = with_our_run(proto::secret::info.kind, settings_);
  options.metadata_only = true;
  for (reflector secrets(api_, time_, std::move(options)); !secrets_told_;) {
    auto change = co_await secrets.next();
    if (std::holds_alternative<kopiur::kubernetes::started_over>(change)) have_secrets_.clear();
    auto* secret = std::get_if<kopiur::kubernetes::object_is>(&change);
    auto* job = secret && !is_terminating(secret->object) ? owning_job(secret->object) : nullptr;
    if (job && job->text("name") == secret->object.text("metadata.name")) have_secrets_.emplace(job->text("uid"));
    secrets_told_ = std::holds_alternative<kopiur::kubernetes::all_told>(change);
  }
  listed_.notify();
}

void jobs::take_job(json::value job) {
  auto key = key_of(job);
  if (dropped_uids_.contains(uid_of(job))) return;
  auto& one = entries_[key];
  if (!one) {
    auto command = command_of(job, settings_.pods.seal_secret);
    bool removed = !removed_at(job).empty() && look_at(job, nullptr, false).over;
    if (!command || removed) {
      entries_.erase(key);
      return;
    }
    one = std::make_shared<entry>(loop_, key, *command);
    one->job = brief(job);
    refresh(one);
    tasks_.spawn(begin(one));
    return stop_where_deleted(one);
  }
  one->job = brief(job);
  if (one->finished && !removed_at(one->job).empty()) return drop(key);
  refresh(one);
  stop_where_deleted(one);
}

/// Ends the mover of a Job that a user deleted, as the garbage collector would if the finalizer did not keep the Job.
void jobs::stop_where_deleted(held const& one) {
  if (one->stopped || !is_terminating(one->job) || !removed_at(one->job).empty()) return;
  one->stopped = true;
  auto end_pods = [](jobs& all, held it) -> awaitable<void> {
    // Twice: the controller may have created a pod before it saw the deletion.
    for (int clean = 0; clean < 2 && !it->gone; co_await all.time_.sleep_for(job_look))
      clean = co_await all.until_no_pod_runs(it->key, it->run) ? clean + 1 : 0;
    it->no_pod = true;
    all.refresh(it);
  };
  tasks_.spawn(end_pods(*this, one));
}

void jobs::lose_job(object_key const& job, std::string const& uid) {
  drop(job);
  dropped_uids_.erase(uid);
}

/// A Job of kopiur has one pod: the first. Other pods with its labels, and later ones, are ignored.
void jobs::take_pod(json::value pod) {
  auto* owner = owning_job(pod);
  if (!owner) return;
  object_key job{"Job", std::string(pod.text("metadata.namespace")), std::string(owner->text("name"))};
  auto uid = std::string(owner->text("uid"));
  auto& first = pods_[uid];
  bool is_later = !first.object.is_null() && uid_of(first.object) != uid_of(pod) &&
                  pod.text("metadata.creationTimestamp") >= first.object.text("metadata.creationTimestamp");
  if (is_later) return;
  job_of_pod_.insert_or_assign(std::string(uid_of(pod)), std::pair(job, uid));
  first = {brief(pod), false};
  if (auto one = entry_of(job, uid)) refresh(one);
}

void jobs::lose_pod(std::string const& pod_uid) {
  auto node = job_of_pod_.extract(pod_uid);
  if (!node) return;
  auto const& [job, uid] = node.mapped();
  auto first = pods_.find(uid);
  if (first == pods_.end() || uid_of(first->second.object) != pod_uid) return;
  first->second.gone = true;
  if (auto one = entry_of(job, uid))
    refresh(one);
  else
    pods_.erase(first);
}

jobs::held jobs::entry_of(object_key const& key, std::string_view uid) const {
  auto found = entries_.find(key);
  return found != entries_.end() && uid_of(found->second->job) == uid ? found->second : nullptr;
}

jobs::first_pod const* jobs::pod_of(entry const& one) const {
  auto found = pods_.find(uid_of(one.job));
  return found == pods_.end() ? nullptr : &found->second;
}

/// `lately`: from the API server's watch cache, milliseconds old. A consistent list may wait for etcd, for 100 ms if the server just did
/// so.
awaitable<outcome<json::array>> jobs::pods_on_nodes(std::string ns, bool lately) {
  call what{.path = path_of(*resource_of("Pod"), ns),
            .query = {{"fieldSelector", "spec.nodeName!=,status.phase!=Succeeded,status.phase!=Failed"}}};
  if (lately) what.query.emplace("resourceVersion", "0");
  auto pods = co_await api_.ask(std::move(what));
  if (!pods) co_return refused(pods.error());
  co_return items_of(std::move(*pods));
}

awaitable<result<json::value>> jobs::pods_named(object_key const& job) {
  return api_.ask(
      {.path = path_of(*resource_of("Pod"), job.namespace_), .query = {{"labelSelector", std::string(pod_of_job) + "=" + job.name}}});
}

/// The two watches are not synchronised: a Job may be reported as over before its pod was reported at all.
awaitable<void> jobs::look_for_pod(entry const& one) {
  auto found = co_await pods_named(one.key);
  if (!found) co_return;
  for (auto& each : items_of(std::move(*found))) {
    each.set("kind", "Pod");
    take_pod(std::move(each));
  }
}

job_sight jobs::sight_of(entry const& one) const {
  auto* pod = pod_of(one);
  auto sight = look_at(one.job, pod ? &pod->object : nullptr, pod && pod->gone);
  sight.over = sight.over || one.no_pod;
  return sight;
}

bool jobs::is_settled(entry const& one) const { return one.gone || sight_of(one).over; }

/// Proof that nothing of it runs: the API server reports its end, or the gateway has seen its pod's end.
bool jobs::is_over(object_key const& key, json::value const& job) const {
  auto known = entry_of(key, uid_of(job));
  return (known && sight_of(*known).over) || look_at(job, nullptr, false).over;
}

// ---- what is reported

cluster_change jobs::change_of(entry const& one) const {
  return seen_object{job_object(job_of(one.command(), std::string(uid_of(one.job)), one.told), one.version)};
}

/// Versions grow across restarts too, so a version never refers to two different states.
void jobs::publish(entry& one, proto::job_status status) {
  if (one.gone) return;
  if (one.version > 0 && json::encode(status) == json::encode(one.told)) return;
  one.told = std::move(status);
  one.version = version_ = std::max<std::int64_t>(version_ + 1, time_.now().time_since_epoch().count());
  sinks_.tell(change_of(one));
}

void jobs::refresh(held const& one) {
  if (!one->finished) {
    auto status = sight_of(*one).status;
    status.finished_at.reset();
    if (status.phase == proto::job_phase::Starting && status.reason.empty() && one->trouble)
      std::tie(status.reason, status.message) = *one->trouble;
    publish(*one, std::move(status));
  }
  one->woken.notify();
  go_on(one);
}

std::vector<cluster_change> jobs::all() const {
  std::vector<cluster_change> known;
  for (auto& [_, one] : entries_) {
    for (std::int64_t page = 1; auto& rows : one->pages) known.push_back(job_rows{one->run, one->attempt, page++, rows});
    known.push_back(change_of(*one));
  }
  return known;
}

void jobs::drop(object_key const& key) {
  auto found = entries_.extract(key);
  if (!found) return;
  auto& one = *found.mapped();
  one.gone = true;
  dropped_uids_.emplace(uid_of(one.job));
  pods_.erase(std::string(uid_of(one.job)));
  one.woken.notify();
  sinks_.tell(gone_object{{"Job", key.namespace_, key.name, std::string(uid_of(one.job))}});
  dropped_.notify();
}

// ---- commands

/// Whether a restore's target was created for it, and is still empty. The mark of the claim was verified before the command was sent; here
/// it must name the Restore that the command serves.
awaitable<outcome<bool>> jobs::has_fresh_target(proto::create_job const& command) {
  auto* target = target_of(command);
  if (!target) co_return false;
  auto claim = co_await claim_at(api_, settings_.claim, key_to<proto::persistent_volume_claim>(command.namespace_, target->claim_name));
  if (!claim) co_return std::unexpected(claim.error());
  bool filled = !annotation(*claim, proto::annotation::restored_by).empty();
  auto restore = annotation(*claim, proto::annotation::made_for);
  bool made = std::ranges::any_of(command.serves, [&](proto::object_ref const& one) { return !one.uid.empty() && one.uid == restore; });
  co_return is_prime(*claim) || (!filled && made);
}

namespace {

/// A restore waits for the workload whose user it inherits: it may be deployed or started later. A backup without its workload fails.
answer_code code_without_workload(answer_code code, proto::create_job const& command) {
  if (code != answer_code::NotFound) return code;
  return std::holds_alternative<proto::restore_work>(command.work.task) ? answer_code::Unavailable : answer_code::Invalid;
}

}  // namespace

awaitable<outcome<std::string>> jobs::create(proto::create_job command) {
  if (!command.pod.is_null()) {
    auto wish = json::decode<proto::mover_options>(command.pod);
    if (!wish) co_return refuse(answer_code::Invalid, "mover: " + wish.error().text());
    auto clear = co_await resolved(api_, command.namespace_, std::move(*wish));
    if (!clear) co_return refuse(code_without_workload(clear.error().code, command), clear.error().message);
    command.pod = json::encode(*clear);
  }
  if (auto free = co_await free_to_fill(pods_now_, command); !free) co_return std::unexpected(free.error());
  auto placement = co_await placement_for(api_, settings_.claim, pods_lately_, command);
  if (!placement) co_return std::unexpected(placement.error());
  auto fresh = co_await has_fresh_target(command);
  if (!fresh) co_return std::unexpected(fresh.error());
  auto manifest = job_manifest(command, settings_.pods, {std::move(*placement), *fresh});
  if (!manifest) co_return std::unexpected(manifest.error());
  if (auto may = co_await allowed(api_, *manifest); !may) co_return std::unexpected(may.error());
  auto made = co_await objects_.create(std::move(*manifest));
  if (!made) co_return std::unexpected(made.error());
  if (!removed_at(*made).empty())
    co_return refuse(answer_code::Removed,
                     "The Job " + std::string(made->text("metadata.name")) + " was removed before; this attempt is not started again.");
  if (is_held(*made) && is_terminating(*made))
    co_return refuse(answer_code::Removed, "The Job " + std::string(made->text("metadata.name")) +
                                               " was deleted, not by kopiur; this attempt is not started again.");
  if (!command_of(*made, settings_.pods.seal_secret))
    co_return refuse(answer_code::AlreadyExists,
                     "A Job " + std::string(made->text("metadata.name")) + " exists, and kopiur did not create it: delete it.");
  auto uid = std::string(uid_of(*made));
  if (!entries_.contains(key_of(*made))) take_job(std::move(*made));  // the watch reports it later; its Secret is created now
  co_return uid;
}

awaitable<outcome<void>> jobs::remove(proto::delete_job command) {
  auto name = job_name(command.run, command.attempt);
  if (!name) co_return std::unexpected(name.error());
  object_key key{"Job", command.namespace_, *name};
  auto ended = co_await end(key, command);
  if (!ended) co_return std::unexpected(ended.error());
  if (ended->is_null()) co_return co_await until_no_pod_runs(key, command.run);
  bool brought_volumes = brings_volumes(*ended), held = is_held(*ended);
  auto uid = std::string(uid_of(*ended));
  if (!command_of(*ended, settings_.pods.seal_secret)) {  // a tombstone: the Job is deleted, but its pods may exist
    if (auto proven = co_await until_no_pod_runs(key, command.run); !proven) co_return proven;
  } else if (is_over(key, *ended)) {
    drop(key);
  } else {
    take_job(std::move(*ended));  // observed to its end, whether or not the watch has reported it
  }
  if (auto proven = co_await until_dropped(key); !proven) co_return proven;
  if (brought_volumes)
    if (auto gone = co_await remove_pods(key, command.run); !gone) co_return gone;
  auto gone = co_await objects_.remove({.object = proto::ref_to<proto::secret>(key.namespace_, key.name), .annotations = {}});
  if (!gone && gone.error().code != answer_code::NotFound) co_return std::unexpected(gone.error());
  if (held) co_return co_await release(key, uid, command);
  co_return outcome<void>();
}

/// Its end is recorded: removes the finalizer. If a user deleted the Job, it is deleted now, and a tombstone replaces it.
awaitable<outcome<void>> jobs::release(object_key const& key, std::string uid, proto::delete_job const& command) {
  auto free = co_await objects_.patch(
      {.object = {"Job", key.namespace_, key.name, uid}, .remove_finalizers = {std::string(proto::finalizer::mover_result)}});
  if (!free && free.error().code != answer_code::NotFound) co_return std::unexpected(free.error());
  if (free && !free->is_null() && !is_terminating(*free)) co_return outcome<void>();
  for (auto since = time_.now(); time_.now() - since < end_may_take; co_await time_.sleep_for(job_look)) {
    auto there = co_await objects_.read({"Job", key.namespace_, key.name, uid});
    if (there) continue;
    if (there.error().code != answer_code::NotFound) co_return std::unexpected(there.error());
    auto marked = co_await end(key, command);
    if (!marked) co_return std::unexpected(marked.error());
    co_return outcome<void>();
  }
  co_return still_there(key);
}

/// A namespace that is being deleted accepts no new objects, so it needs no tombstone.
awaitable<bool> jobs::is_closed(std::string ns) {
  auto there = co_await objects_.read(proto::ref_to<proto::core_namespace>("", std::move(ns)));
  co_return there&& is_terminating(*there);
}

/// The Job, marked as removed by kopiur. A missing Job is replaced by a tombstone; null when none can be created any more.
awaitable<outcome<json::value>> jobs::end(object_key const& key, proto::delete_job const& command) {
  for (int left = tries;; --left) {
    auto there = co_await objects_.read({key.kind, key.namespace_, key.name, ""});
    if (!there && there.error().code != answer_code::NotFound) co_return there;
    auto done =
        there ? co_await ended_by_us(key, command, std::move(*there))
              : co_await objects_.create(tombstone(command.run, key.name, key.namespace_, settings_.pods, time_.now(), settings_.kept));
    bool marked = done && !removed_at(*done).empty();
    if (marked || left == 0) co_return done;
    if (done) continue;  // it was just created
    auto code = done.error().code;
    if (!there && code == answer_code::Forbidden && co_await is_closed(key.namespace_)) co_return json::value();
    if (code != answer_code::Conflict && code != answer_code::Ambiguous && code != answer_code::NotFound) co_return done;
    if (!there && code == answer_code::NotFound) co_return json::value();  // its whole namespace was deleted
  }
}

awaitable<outcome<json::value>> jobs::ended_by_us(object_key const& key, proto::delete_job const& command, json::value there) {
  if (label(there, ours("run")) != command.run)
    co_return refuse(answer_code::Forbidden, key.text() + " does not belong to the run " + command.run + ": kopiur leaves it alone.");
  if (!removed_at(there).empty()) co_return there;
  co_return co_await objects_.merge(key, removal(there, !is_over(key, there), time_.now(), settings_.kept));
}

/// Deletes the running pods of a Job that no longer exists (`kubectl delete --cascade=orphan` leaves its pod), and waits until none runs.
awaitable<outcome<void>> jobs::until_no_pod_runs(object_key const& job, std::string const& run) {
  for (auto since = time_.now(); time_.now() - since < end_may_take; co_await time_.sleep_for(job_look)) {
    auto pods = co_await pods_named(job);
    if (!pods) co_return refused(pods.error());
    bool runs = false;
    for (auto const& each : items_of(std::move(*pods))) {
      if (has_ended(each) || label(each, ours("run")) != run) continue;
      runs = true;
      if (is_terminating(each)) continue;
      auto gone = co_await objects_.remove({.object = ref_of_pod(each), .annotations = {}});
      if (!gone) co_return std::unexpected(gone.error());
    }
    if (!runs) co_return outcome<void>();
  }
  co_return still_there(job);
}

/// The volumes of a pod are deleted with the pod, not with its Job, which stays for a while.
awaitable<outcome<void>> jobs::remove_pods(object_key const& job, std::string const& run) {
  auto pods = co_await pods_named(job);
  if (!pods) co_return refused(pods.error());
  for (auto const& each : items_of(std::move(*pods))) {
    if (label(each, ours("run")) != run) continue;
    if (auto gone = co_await objects_.remove({.object = ref_of_pod(each), .annotations = {}}); !gone)
      co_return std::unexpected(gone.error());
  }
  co_return outcome<void>();
}

awaitable<outcome<void>> jobs::until_dropped(object_key const& key) {
  auto since = time_.now();
  while (true) {
    auto found = entries_.find(key);
    if (found == entries_.end()) co_return outcome<void>();
    if (time_.now() - since > end_may_take) co_return still_there(key);
    auto epoch = dropped_.epoch();
    co_await app::first_of(dropped_.wait(epoch), time_.sleep_for(job_look));
  }
}

}  // namespace kopiur::gateway::kubernetes
