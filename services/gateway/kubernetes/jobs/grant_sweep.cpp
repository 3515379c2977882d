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

awaitable<result<void>> grant_sweep::look_at(json::value granted) {
  std::string run(label(granted, ours("run")));
  auto made = instant_from(granted.text("metadata.creationTimestamp"));
  if (!made || in_.time.now() - *made < settings_.spared_for) co_return result<void>();
  auto jobs = co_await listed(proto::job::info.kind, ours("run") + "=" + run);
  if (!jobs) co_return std::unexpected(std::move(jobs).error());
  if (!jobs->empty()) co_return result<void>();
  std::vector<proto::object_ref> refs{ref_of(granted)};
  auto gone = co_await revoke(in_.objects, std::move(run), std::move(refs), settings_.seal_secret);
  if (!gone) settings_.told({.message = "What was granted to a Job that is gone could not be revoked: " + gone.error().message});
  co_return result<void>();
}

awaitable<result<void>> grant_sweep::look() {
  for (auto kind : grantable_kinds) {
    auto all = co_await listed(kind, ours("run"));
    if (!all) co_return std::unexpected(std::move(all).error());
    for (auto& each : *all)
      if (auto done = co_await look_at(std::move(each)); !done) co_return done;
  }
  co_return result<void>();
}

}  // namespace kopiur::gateway::kubernetes
