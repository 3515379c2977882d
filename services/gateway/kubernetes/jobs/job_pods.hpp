#pragma once
#include "services/gateway/kubernetes/objects/objects.hpp"

/// The pods of a Job, read live.
namespace kopiur::gateway::kubernetes {

/// Poll interval for what no watch reports.
inline constexpr duration job_look{1'000};
/// How long a command waits for the end of pods.
inline constexpr std::chrono::seconds end_may_take{60};

/// What the calls need.
struct pod_access {
  client& api;
  clock& time;
  kubernetes::objects& objects;
};

/// The pods that the Job controller created for the Job.
awaitable<result<json::value>> pods_named(client& api, object_key const& job);
/// Deletes the running pods of a Job that no longer exists (`kubectl delete --cascade=orphan` leaves its pod), and waits until none runs.
awaitable<outcome<void>> until_no_pod_runs(pod_access in, object_key job, std::string run);
/// Deletes the run's pods. The volumes of a pod are deleted with the pod, not with its Job, which stays for a while.
awaitable<outcome<void>> remove_pods(pod_access in, object_key job, std::string run);
/// The refusal when a pod has not ended in time.
outcome<void> still_there(object_key const& job);

}  // namespace kopiur::gateway::kubernetes
