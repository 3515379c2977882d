#include "services/gateway/kubernetes/jobs/job_registry.hpp"

#include <ranges>

#include "services/gateway/kubernetes/jobs/job_manifest.hpp"

namespace kopiur::gateway::kubernetes {

namespace {

cluster_change change_of(mover_job const& one) {
  return seen_object{job_object(job_of(one.command(), std::string(uid_of(one.job)), one.told), one.version)};
}

}  // namespace

json::value const* owning_job(json::value const& object) {
  auto* owners = object.at("metadata.ownerReferences");
  auto* owner = owners && owners->as_array() && owners->as_array()->size() == 1 ? &owners->as_array()->front() : nullptr;
  return owner && owner->text("kind") == proto::job::info.kind ? owner : nullptr;
}

job_registry::job_registry(clock& time, asio::any_io_executor loop, std::string seal_secret, job_context& in, listeners listeners)
    : time_(time), loop_(loop), seal_secret_(std::move(seal_secret)), in_(in), listeners_(std::move(listeners)), dropped_(loop) {}

void job_registry::take_job(json::value job) {
  auto key = key_of(job);
  if (dropped_uids_.contains(uid_of(job))) return;
  auto known = jobs_.find(key);
  if (known != jobs_.end()) {
    auto one = known->second;
    one->job = brief(job);
    if (one->has_reported_end() && !removed_at(one->job).empty()) return drop(key);
    one->changed();
    return one->stop_if_deleted();
  }
  auto command = command_of(job, seal_secret_);
  bool removed = !removed_at(job).empty() && look_at(job, nullptr, false).over;
  if (!command || removed) return;
  auto one = std::make_shared<mover_job>(in_, key, *command, brief(job));
  jobs_.emplace(key, one);
  one->changed();
  listeners_.begins(one);
  one->stop_if_deleted();
}

std::optional<std::string> job_registry::standing(object_key const& key) const {
  auto found = jobs_.find(key);
  if (found == jobs_.end() || found->second->gone) return std::nullopt;
  auto& job = found->second->job;
  if (!removed_at(job).empty() || is_terminating(job)) return std::nullopt;
  return std::string(uid_of(job));
}

void job_registry::lose_job(object_key const& job, std::string const& uid) {
  drop(job);
  dropped_uids_.erase(uid);
}

void job_registry::take_pod(json::value pod) {
  auto* owner = owning_job(pod);
  if (!owner) return;
  auto job = key_to<proto::job>(std::string(pod.text("metadata.namespace")), std::string(owner->text("name")));
  auto uid = std::string(owner->text("uid"));
  auto& first = pods_[uid];
  bool is_later = !first.object.is_null() && uid_of(first.object) != uid_of(pod) &&
                  pod.text("metadata.creationTimestamp") >= first.object.text("metadata.creationTimestamp");
  if (is_later) return;
  job_of_pod_.insert_or_assign(std::string(uid_of(pod)), std::pair(job, uid));
  first = {brief(pod), false};
  if (auto one = find(job, uid)) one->changed();
}

void job_registry::lose_pod(std::string const& pod_uid) {
  auto node = job_of_pod_.extract(pod_uid);
  if (!node) return;
  auto const& [job, uid] = node.mapped();
  auto first = pods_.find(uid);
  if (first == pods_.end() || uid_of(first->second.object) != pod_uid) return;
  first->second.gone = true;
  if (auto one = find(job, uid))
    one->changed();
  else
    pods_.erase(first);
}

void job_registry::drop(object_key const& key) {
  auto found = jobs_.extract(key);
  if (!found) return;
  auto& one = *found.mapped();
  auto uid = std::string(uid_of(one.job));
  dropped_uids_.insert(uid);
  pods_.erase(uid);
  one.lose();
  listeners_.tell(gone_object{proto::ref_to<proto::job>(key.namespace_, key.name, std::move(uid))});
  dropped_.notify();
}

held_job job_registry::find(object_key const& key, std::string_view uid) const {
  auto found = jobs_.find(key);
  return found != jobs_.end() && uid_of(found->second->job) == uid ? found->second : nullptr;
}

job_registry::pod const* job_registry::pod_of(mover_job const& one) const {
  auto found = pods_.find(uid_of(one.job));
  return found == pods_.end() ? nullptr : &found->second;
}

bool job_registry::is_over(object_key const& key, json::value const& job) const {
  auto known = find(key, uid_of(job));
  return (known && known->sight().over) || look_at(job, nullptr, false).over;
}

std::vector<held_job> job_registry::strange(instant now) const {
  std::vector<held_job> found;
  for (auto& [_, one] : jobs_)
    if (one->is_strange(now)) found.push_back(one);
  return found;
}

std::vector<object_key> job_registry::keys() const {
  auto known = std::views::keys(jobs_);
  return {known.begin(), known.end()};
}

std::vector<cluster_change> job_registry::now(object_key const& key) const {
  auto found = jobs_.find(key);
  if (found == jobs_.end()) return {};
  auto& one = *found->second;
  std::vector<cluster_change> known;
  for (std::int64_t page = 1; auto& rows : one.pages)
    known.push_back(job_rows{one.run, one.attempt, page++, json::read<proto::output_page>(rows).value()});
  known.push_back(change_of(one));
  return known;
}

awaitable<outcome<void>> job_registry::until_dropped(object_key key) {
  for (auto since = time_.now(); jobs_.contains(key);) {
    if (time_.now() - since > end_may_take) co_return still_there(key);
    auto epoch = dropped_.epoch();
    co_await app::first_of(dropped_.wait(epoch), time_.sleep_for(job_look));
  }
  co_return outcome<void>();
}

void job_registry::publish(mover_job& one, proto::job_status status) {
  if (one.gone) return;
  if (one.version > 0 && json::encode(status) == json::encode(one.told)) return;
  one.told = std::move(status);
  one.version = version_ = std::max<std::int64_t>(version_ + 1, time_.now().time_since_epoch().count());
  listeners_.tell(change_of(one));
}

}  // namespace kopiur::gateway::kubernetes
