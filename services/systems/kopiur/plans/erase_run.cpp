#include <algorithm>

#include "proto/codec.hpp"
#include "services/systems/kopiur/plans/erase.hpp"
#include "services/systems/kopiur/plans/plans.hpp"
#include "services/systems/kopiur/rules/identity.hpp"

/// The run that deletes snapshots. Before it acts, it reads each object of its order again from the cluster.
namespace kopiur::plans {

using namespace proto;

namespace {

std::vector<doomed> items_of(run_state const& run) {
  auto* items = run.order.parameters.find("items");
  auto read = items ? json::decode<std::vector<doomed>>(*items) : std::vector<doomed>{};
  return read ? *read : std::vector<doomed>{};
}

/// Live reads from the API server, for one run.
class live_reads {
 public:
  live_reads(cluster_view const& all, std::string run) : all_(all), run_(std::move(run)) {}
  /// Nothing: it does not exist, or the read is still pending.
  template <class T>
  std::optional<T> of(object_ref object) {
    auto key = run_ + "-" + (object.uid.empty() ? object.kind + "-" + object.name : object.uid);
    auto* said = all_.answer(read_object::member, key);
    bool known = said && (said->code == answer_code::Ok || said->code == answer_code::NotFound);
    if (said && !known) trouble = " " + said->message;
    if (!known) {
      asks.push_back({gateway_command{read_object{std::move(object)}}, std::move(key)});
      return {};
    }
    auto live = said->object ? json::decode<T>(*said->object) : std::expected<T, json::problem>{std::unexpect};
    unreadable = said->code == answer_code::Ok && !live;
    return live ? std::optional(std::move(*live)) : std::nullopt;
  }
  bool unreadable = false;  ///< the object read last exists but cannot be parsed
  std::vector<ask> asks;    ///< pending reads
  std::string trouble;      ///< why a read failed

 private:
  cluster_view const& all_;
  std::string run_;
};

/// The run that took a Backup's snapshot, from the name of the Job in its status; nothing: the status names none.
std::optional<std::string> run_of(backup const& object) {
  auto& job = object.status.job;
  auto dash = job ? job->name.rfind('-') : std::string::npos;
  return dash == std::string::npos ? std::nullopt : std::optional(job->name.substr(0, dash));
}

struct sure_item {
  doomed item;
  doomed_snapshot snapshot;
};

/// Only a live read that this run requested decides, never a tombstone, a missing object or the informer cache. A namespace is marked as
/// deleted before its Backups, so a live read of it shows whether a Backup is deleted with it.
plan_part<std::vector<sure_item>> confirm(cluster_view const& all, run_state const& run, rules::any_repository const& repository) {
  std::vector<sure_item> sure;
  live_reads read(all, run.run);
  for (auto item : items_of(run)) {
    auto live = read.of<backup>(ref_to<backup>(item.namespace_, item.name, item.uid));
    auto ns = read.of<core_namespace>(ref_to<core_namespace>("", item.namespace_));
    bool doomed_for_sure = live && !read.unreadable && live->metadata.uid == item.uid && live->metadata.deletion_timestamp &&
                           live->status.snapshot && live->status.snapshot->kopia_snapshot_ID == item.snapshot && !live->spec.pin &&
                           effective_policy(*live) == deletion_policy::Delete && rules::lies_in(*live, *repository.status->unique_ID) &&
                           !stays_with_namespace(ns ? &*ns : nullptr, *live, &repository);
    if (doomed_for_sure)
      sure.push_back({std::move(item), {live->status.snapshot->kopia_snapshot_ID, live->status.snapshot->identity, run_of(*live)}});
  }
  if (read.asks.empty()) return sure;
  return std::unexpected(
      wait{.why = {"ReadingLive", "Reading each Backup and its namespace from the cluster before its snapshot is deleted." + read.trouble},
           .look_again = all.now + duration(15'000),
           .asks = std::move(read.asks)});
}

preparation prepare(cluster_view const& all, run_state const& run) {
  auto kind = run.order.object.kind == cluster_repository::info.kind ? repository_kind::ClusterRepository : repository_kind::Repository;
  auto repository =
      rules::find_repository(all.objects, {.kind = kind, .name = run.order.object.name, .namespace_ = {}}, run.order.object.namespace_);
  if (!repository || repository->meta->uid != run.order.object.uid)
    return refused{invalid("The repository of these snapshots no longer exists.")};
  if (auto why = not_usable(all.objects, *repository)) return wait{.why = *why};
  auto confirmed = confirm(all, run, *repository);
  if (!confirmed) return confirmed.error();
  if (confirmed->empty()) return nothing_to_do{"None of these Backups is to be deleted any more."};
  auto way = connection_to(all.objects, *repository, rules::home_of(*repository));
  if (!way) return way.error();
  auto unique = *repository->status->unique_ID;
  run_plan plan;
  // Retried until a list confirms it (decisions.md section 5): for an hour within one run, then by a new run, so a hanging mover holds its
  // leases for no longer than that.
  plan.attempts = 1'000'000;
  plan.deadline = std::chrono::hours(1);
  plan.namespace_ = rules::home_of(*repository);
  plan.priority = lease_priority::Background;
  plan.leases = {repository_slot(all, unique)};
  delete_work task;
  for (auto& [item, snapshot] : *confirmed) {
    plan.leases.push_back({snapshot_key(unique, snapshot.id), lease_mode::Exclusive});
    plan.serves.push_back(ref_to<backup>(item.namespace_, item.name, item.uid));
    task.snapshots.push_back(std::move(snapshot));
  }
  std::ranges::sort(plan.leases, {}, &lease_need::key);
  kopia_of(plan).repository = std::move(way->access);
  kopia_of(plan).task = std::move(task);
  add_connection(plan, std::move(*way));
  return ready{std::move(plan)};
}

}  // namespace

plan_kind const delete_plan{.name = "delete", .prepare = prepare, .complete_job = complete_kopia_job, .answers = is_kopia_answer};

}  // namespace kopiur::plans
