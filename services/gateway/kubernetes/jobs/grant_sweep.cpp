#include "services/gateway/kubernetes/jobs/grant_sweep.hpp"

#include "services/gateway/kubernetes/jobs/job_grants.hpp"
#include "services/gateway/kubernetes/jobs/pod_manifest.hpp"
#include "services/gateway/kubernetes/objects/kinds.hpp"

namespace kopiur::gateway::kubernetes {

awaitable<void> grant_sweep::run() {
  for (;; co_await in_.time.sleep_for(settings_.every))
    if (auto done = co_await look(); !done) settings_.told(done.error());
}

/// All of them, live: an incomplete list would show a Job as absent.
awaitable<result<std::vector<json::value>>> grant_sweep::listed(std::string_view kind, std::string selector) {
  auto list =
      co_await in_.api.ask({.path = path_of(*resource_of(kind), settings_.namespace_), .query = {{"labelSelector", std::move(selector)}}});
  if (!list) co_return std::unexpected(std::move(list).error());
  std::vector<json::value> all;
  for (auto& each : items_of(std::move(*list))) {
    each.set("kind", kind);  // the items of a list have none
    all.push_back(std::move(each));
  }
  co_return all;
}

bool grant_sweep::is_old(json::value const& granted) const {
  auto made = instant_from(granted.text("metadata.creationTimestamp"));
  return made && in_.time.now() - *made >= settings_.spared_for;
}

/// By the run that has them, as their label says.
awaitable<result<grant_sweep::by_run>> grant_sweep::old_ones() {
  by_run found;
  for (auto kind : grantable_kinds) {
    auto all = co_await listed(kind, ours("run"));
    if (!all) co_return std::unexpected(std::move(all).error());
    for (auto& each : *all)
      if (is_old(each)) found[std::string(label(each, ours("run")))].push_back(ref_of(each));
  }
  co_return found;
}

awaitable<result<void>> grant_sweep::look() {
  auto old = co_await old_ones();
  if (!old) co_return std::unexpected(std::move(old).error());
  for (auto& [run, granted] : *old) {
    auto jobs = co_await listed(proto::job::info.kind, ours("run") + "=" + run);
    if (!jobs) co_return std::unexpected(std::move(jobs).error());
    if (!jobs->empty()) continue;
    auto gone = co_await revoke(in_.objects, run, std::move(granted), settings_.seal_secret);
    if (!gone) settings_.told({.message = "What was granted to a Job that is gone could not be revoked: " + gone.error().message});
  }
  co_return result<void>();
}

}  // namespace kopiur::gateway::kubernetes
