#include "services/gateway/kubernetes/jobs/job_pods.hpp"

#include "services/gateway/kubernetes/objects/kinds.hpp"
#include "services/gateway/kubernetes/objects/pod.hpp"
#include "services/gateway/kubernetes/objects/refusals.hpp"

namespace kopiur::gateway::kubernetes {

using proto::answer_code;

outcome<void> still_there(object_key const& job) {
  return refuse(answer_code::Unavailable, "The pod of " + job.text() + " has not ended within " + to_text(duration(end_may_take)) +
                                              ": its node may be lost. kopiur waits until the pod is gone.");
}

awaitable<result<json::value>> pods_named(client& api, object_key const& job) {
  constexpr char const* pod_of_job = "batch.kubernetes.io/job-name";
  return api.ask(
      {.path = path_of(*resource_of("Pod"), job.namespace_), .query = {{"labelSelector", std::string(pod_of_job) + "=" + job.name}}});
}

awaitable<outcome<void>> until_no_pod_runs(pod_access in, object_key job, std::string run) {
  for (auto since = in.time.now(); in.time.now() - since < end_may_take; co_await in.time.sleep_for(job_look)) {
    auto pods = co_await pods_named(in.api, job);
    if (!pods) co_return refused(pods.error());
    bool runs = false;
    for (auto const& each : items_of(std::move(*pods))) {
      if (has_ended(each) || label(each, ours("run")) != run) continue;
      runs = true;
      if (is_terminating(each)) continue;
      auto gone = co_await in.objects.remove({.object = ref_of_pod(each), .annotations = {}});
      if (!gone) co_return std::unexpected(gone.error());
    }
    if (!runs) co_return outcome<void>();
  }
  co_return still_there(job);
}

awaitable<outcome<void>> remove_pods(pod_access in, object_key job, std::string run) {
  auto pods = co_await pods_named(in.api, job);
  if (!pods) co_return refused(pods.error());
  for (auto const& each : items_of(std::move(*pods))) {
    if (label(each, ours("run")) != run) continue;
    if (auto gone = co_await in.objects.remove({.object = ref_of_pod(each), .annotations = {}}); !gone)
      co_return std::unexpected(gone.error());
  }
  co_return outcome<void>();
}

}  // namespace kopiur::gateway::kubernetes
