#pragma once
#include <map>
#include <memory>
#include <vector>

#include "services/gateway/kubernetes/jobs/co_location.hpp"
#include "services/gateway/kubernetes/jobs/job_manifest.hpp"
#include "services/gateway/kubernetes/jobs/job_secrets.hpp"
#include "services/gateway/kubernetes/jobs/job_state.hpp"
#include "services/gateway/kubernetes/objects/api.hpp"
#include "services/gateway/shell/cluster.hpp"

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
  };
  struct sinks {
    std::function<void(cluster_change)> tell;
    std::function<void()> listed;  ///< once: all existing Jobs and pods were reported
  };
  jobs(client& api, clock& time, asio::any_io_executor loop, settings settings, sinks sinks);
  jobs(jobs const&) = delete;
  ~jobs();

  /// Ends by cancellation only. Movers continue.
  awaitable<void> run();
  awaitable<outcome<std::string>> create(proto::create_job command);
  awaitable<outcome<void>> remove(proto::delete_job command);
  /// All Jobs in their current state, each after its rows, if any.
  std::vector<cluster_change> all() const;
  bool told() const { return jobs_seen_.told() && pods_seen_.told(); }

 private:
  struct entry;
  struct first_pod {
    json::value object;  // brief()
    bool gone = false;
  };
  using held = std::shared_ptr<entry>;

  void one_listed();
  void take_job(json::value job);
  void lose_job(object_key const& job, std::string const& uid);
  void take_pod(json::value pod);
  void lose_pod(std::string const& pod_uid);
  held entry_of(object_key const& key, std::string_view uid) const;
  first_pod const* pod_of(entry const& one) const;
  awaitable<result<json::value>> pods_named(object_key const& job);
  awaitable<void> look_for_pod(entry const& one);
  void refresh(held const& one);
  void publish(entry& one, proto::job_status status);
  cluster_change change_of(entry const& one) const;
  job_sight sight_of(entry const& one) const;
  bool is_settled(entry const& one) const;
  bool is_over(object_key const& key, json::value const& job) const;
  awaitable<void> settled(entry& one);
  awaitable<void> pause(entry& one, duration longest);

  awaitable<void> learn_secrets();
  awaitable<void> begin(held one);
  awaitable<void> furnish(held one);
  void go_on(held const& one);
  awaitable<void> follow(held one);
  awaitable<void> attend(entry& one);
  awaitable<void> explain_all();
  awaitable<void> explain(held one);
  awaitable<outcome<warnings>> warnings_in(std::string ns);
  awaitable<outcome<json::array>> pods_on_nodes(std::string ns, bool lately);
  awaitable<outcome<bool>> has_fresh_target(proto::create_job const& command);
  awaitable<void> follow_log(entry& one);
  awaitable<void> finish(held one);
  void drop(object_key const& key);

  awaitable<bool> is_closed(std::string ns);
  awaitable<outcome<json::value>> end(object_key const& key, proto::delete_job const& command);
  awaitable<outcome<json::value>> ended_by_us(object_key const& key, proto::delete_job const& command, json::value there);
  awaitable<outcome<void>> until_no_pod_runs(object_key const& job, std::string const& run);
  awaitable<outcome<void>> until_dropped(object_key const& key);
  awaitable<outcome<void>> release(object_key const& key, std::string uid, proto::delete_job const& command);
  void stop_where_deleted(held const& one);
  awaitable<outcome<void>> remove_pods(object_key const& job, std::string const& run);

  client& api_;
  clock& time_;
  asio::any_io_executor loop_;
  settings settings_;
  sinks sinks_;
  objects objects_;
  collection jobs_seen_, pods_seen_;
  std::map<object_key, held> entries_;
  std::map<std::string, first_pod, std::less<>> pods_;                    // by the uid of their Job
  std::map<std::string, std::pair<object_key, std::string>> job_of_pod_;  // by the pod's uid: its Job and the Job's uid
  std::set<std::string, std::less<>> dropped_uids_;                       // reported as deleted, but not deleted yet
  std::set<std::string, std::less<>> have_secrets_;                       // uids of Jobs whose Secrets existed at the start
  bool secrets_told_ = false;
  std::int64_t version_ = 0;
  shared_answers<std::string, warnings> warnings_;                   // by namespace
  shared_answers<std::string, json::array> pods_now_, pods_lately_;  // by namespace: pods on nodes
  shared_contents contents_;
  app::nursery tasks_;
  app::event dropped_, listed_;
};

}  // namespace kopiur::gateway::kubernetes
