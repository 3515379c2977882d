#pragma once
#include <map>
#include <memory>

#include "services/gateway/local/local_job.hpp"

namespace kopiur::gateway::local {

/// Jobs as child processes: each has a folder (job_folder), and outlives the gateway. After a restart running Jobs are observed again.
class jobs {
 public:
  /// Loads every Job of the data folder; the next run() observes those that run.
  explicit jobs(job_context context);
  jobs(jobs const&) = delete;

  /// Observes the Jobs; ends by cancellation only. The movers continue.
  awaitable<void> run();
  outcome<std::string> create(proto::create_job spec);
  awaitable<outcome<void>> remove(proto::delete_job command);
  /// All Jobs in their current state, each after its rows, if any.
  std::vector<cluster_change> all() const;

 private:
  job_folder folder_of(std::string const& name) const { return job_folder(in_.data / "jobs" / name); }
  local_job& keep(job_folder folder, proto::create_job spec, job_record record);
  void take_up(std::string const& name);
  awaitable<void> follow(local_job& job);
  void drop(std::string const& name);
  void sweep();
  awaitable<void> keep_clean();

  job_context in_;
  std::map<std::string, std::unique_ptr<local_job>> jobs_;
  app::nursery tasks_;
  app::event removed_;
};

}  // namespace kopiur::gateway::local
