#pragma once
#include "services/gateway/kubernetes/jobs/co_location.hpp"
#include "services/gateway/kubernetes/jobs/job_manifest.hpp"
#include "services/gateway/kubernetes/jobs/job_pods.hpp"
#include "services/gateway/kubernetes/objects/shared_answers.hpp"

namespace kopiur::gateway::kubernetes {

/// Creates a mover's Job: with the options of its pod resolved, on a node that can mount its volumes, once.
class job_creator {
 public:
  /// `claim`: the claims that are known; others are read.
  job_creator(pod_access in, asio::any_io_executor const& loop, pod_settings settings, known_claim claim);

  /// The Job, created now or by an earlier command. Removed: this attempt was removed before, or deleted by a user; it is not started
  /// again.
  awaitable<outcome<json::value>> create(proto::create_job command);

 private:
  awaitable<outcome<json::value>> manifest_of(proto::create_job command);
  awaitable<outcome<std::map<std::string, std::string>>> images_of_workloads(proto::create_job const& command);
  awaitable<outcome<bool>> has_fresh_target(proto::create_job const& command);
  awaitable<outcome<json::array>> pods_on_nodes(std::string ns, bool cached);

  pod_access in_;
  pod_settings settings_;
  known_claim claim_;
  shared_answers<std::string, json::array> pods_now_, pods_cached_;  // by namespace: pods on nodes
};

}  // namespace kopiur::gateway::kubernetes
