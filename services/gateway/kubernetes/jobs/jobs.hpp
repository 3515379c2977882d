#pragma once
#include <set>
#include <vector>

#include "services/gateway/core/mover_output.hpp"
#include "services/gateway/kubernetes/jobs/grant_sweep.hpp"
#include "services/gateway/kubernetes/jobs/job_creator.hpp"
#include "services/gateway/kubernetes/jobs/job_registry.hpp"
#include "services/gateway/kubernetes/jobs/job_remover.hpp"
#include "services/gateway/kubernetes/objects/api.hpp"

namespace kopiur::gateway::kubernetes {

/// Runs movers as Jobs of the cluster: creates them, observes their pods and logs, and ends them. All state of a Job is in the cluster, so
/// a gateway adopts all Jobs when it starts.
class jobs {
 public:
  struct settings {
    pod_settings pods;
    std::string namespace_;                                        ///< empty: all
    duration kept{300'000};                                        ///< how long a removed Job keeps its name
    std::function<void(error const&)> told = [](error const&) {};  ///< receives failures of watches
    known_claim claim{};                                           ///< the claims that are known; others are read
    bool grants = false;                                           ///< plans of a served system grant something
    output_limits output{};
  };
  struct sinks {
    std::function<void(cluster_change)> tell;
    std::function<void()> listed;  ///< once: all existing Jobs and pods were reported
  };
  jobs(client& api, clock& time, asio::any_io_executor loop, settings settings, sinks sinks);
  jobs(jobs const&) = delete;

  /// Ends by cancellation only. Movers continue.
  awaitable<void> run();
  /// The uid of the Job.
  awaitable<outcome<std::string>> create(proto::create_job command);
  awaitable<outcome<void>> remove(proto::delete_job command) { return remover_.remove(std::move(command)); }
  job_registry const& registry() const { return registry_; }
  bool told() const { return jobs_seen_.told() && pods_seen_.told(); }

 private:
  void one_listed();
  awaitable<void> begin(held_job one);
  awaitable<void> learn_secrets();
  awaitable<void> explain_all();
  awaitable<outcome<warnings>> warnings_in(std::string ns);

  client& api_;
  clock& time_;
  settings settings_;
  sinks sinks_;
  objects objects_;
  shared_contents contents_;
  app::nursery tasks_;
  job_context context_;
  job_registry registry_;
  job_creator creator_;
  job_remover remover_;
  grant_sweep sweep_;
  collection jobs_seen_, pods_seen_;
  std::set<std::string, std::less<>> have_secrets_;  // uids of Jobs whose Secrets existed at the start
  bool secrets_told_ = false;
  shared_answers<std::string, warnings> warnings_;  // by namespace
  app::event listed_;
};

}  // namespace kopiur::gateway::kubernetes
