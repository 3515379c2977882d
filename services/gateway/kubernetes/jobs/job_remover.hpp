#pragma once
#include "services/gateway/kubernetes/jobs/job_manifest.hpp"
#include "services/gateway/kubernetes/jobs/job_registry.hpp"

namespace kopiur::gateway::kubernetes {

/// Ends a Job and proves that nothing of it runs. Its name stays taken for a while: a late create is refused.
class job_remover {
 public:
  /// `kept`: how long a removed Job keeps its name.
  job_remover(pod_access in, pod_settings settings, duration kept, job_registry& registry)
      : in_(in), settings_(std::move(settings)), kept_(kept), registry_(registry) {}

  awaitable<outcome<void>> remove(proto::delete_job command);

 private:
  awaitable<outcome<void>> until_it_ended(object_key const& key, std::string const& run, json::value ended, bool is_tombstone);
  awaitable<bool> is_closed(std::string ns);
  awaitable<outcome<json::value>> end(object_key const& key, proto::delete_job const& command);
  awaitable<outcome<json::value>> ended_by_us(object_key const& key, proto::delete_job const& command, json::value there);
  awaitable<outcome<void>> release(object_key const& key, std::string uid, proto::delete_job const& command);

  pod_access in_;
  pod_settings settings_;
  duration kept_;
  job_registry& registry_;
};

}  // namespace kopiur::gateway::kubernetes
