#pragma once
#include <map>
#include <set>

#include "services/gateway/kubernetes/jobs/mover_job.hpp"

namespace kopiur::gateway::kubernetes {

/// The owner of an object that belongs to exactly one Job; nullptr: it does not.
json::value const* owning_job(json::value const& object);

/// The Jobs of kopiur in the cluster and their pods, as the watches and the answers to our writes show them, and what was reported of
/// them.
class job_registry {
 public:
  struct pod {
    json::value object;  // brief()
    bool gone = false;
  };
  struct listeners {
    std::function<void(cluster_change)> tell;
    std::function<void(held_job)> begins;  ///< a Job that is new here
  };
  /// `seal_secret`: proves that a Job is ours. `in` must be complete before the first Job comes.
  job_registry(clock& time, asio::any_io_executor loop, std::string seal_secret, job_context& in, listeners listeners);

  void take_job(json::value job);
  void lose_job(object_key const& job, std::string const& uid);
  /// A Job of kopiur has one pod: the first. Other pods with its labels, and later ones, are ignored.
  void take_pod(json::value pod);
  void lose_pod(std::string const& pod_uid);
  /// Reports the Job as gone: it was deleted, or will be.
  void drop(object_key const& key);

  bool contains(object_key const& key) const { return jobs_.contains(key); }
  /// The uid of a Job of ours that exists, and that nobody has removed; nothing: ask the cluster.
  std::optional<std::string> standing(object_key const& key) const;
  pod const* pod_of(mover_job const& one) const;
  /// Proof that nothing of it runs: the API server reports its end, or the gateway has seen its pod's end.
  bool is_over(object_key const& key, json::value const& job) const;
  /// Those that have waited for long without any reason.
  std::vector<held_job> strange(instant now) const;
  std::vector<object_key> keys() const;
  /// The Job in its current state, after its rows, if any; none when it is not known.
  std::vector<cluster_change> now(object_key const& key) const;
  /// Waits until the Job is not here any more, or until that took too long.
  awaitable<outcome<void>> until_dropped(object_key key);
  /// Reports a new status. Versions grow across restarts too, so a version never refers to two different states.
  void publish(mover_job& one, proto::job_status status);
  asio::any_io_executor const& loop() const { return loop_; }

 private:
  held_job find(object_key const& key, std::string_view uid) const;

  clock& time_;
  asio::any_io_executor loop_;
  std::string seal_secret_;
  job_context& in_;
  listeners listeners_;
  std::map<object_key, held_job> jobs_;
  std::map<std::string, pod, std::less<>> pods_;                          // by the uid of their Job
  std::map<std::string, std::pair<object_key, std::string>> job_of_pod_;  // by the pod's uid: its Job and the Job's uid
  std::set<std::string, std::less<>> dropped_uids_;                       // reported as deleted, but not deleted yet
  std::int64_t version_ = 0;
  app::event dropped_;
};

}  // namespace kopiur::gateway::kubernetes
