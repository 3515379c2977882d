#pragma once
#include <functional>
#include <map>
#include <memory>

#include "common/app/async.hpp"
#include "services/gateway/local/job_output.hpp"
#include "services/gateway/local/volumes.hpp"
#include "services/gateway/shell/cluster.hpp"

namespace kopiur::gateway::local {

/// How movers are started.
struct mover_settings {
  std::string program = "kopiur-mover";
  std::vector<std::string> environment;  ///< `NAME=value`, for every mover; secrets are added
  duration grace{10'000};                ///< between SIGTERM and SIGKILL
};

/// Movers of this host: they inherit only the search path and a few similar variables of the gateway's environment.
mover_settings movers_of_host(std::string program);

/// Jobs as child processes: each has a folder (job_folder), and outlives the gateway. After a restart running Jobs are observed again.
class jobs {
 public:
  struct ports {
    asio::any_io_executor loop;
    clock& time;
    object_store& store;
    std::function<void(cluster_change)> tell;
    std::function<void(std::string)> report;  ///< receives a sentence for the operator
  };
  /// Loads every Job of `data`; the next run() observes those that run.
  jobs(ports ports, fs::path data, mover_settings settings);
  jobs(jobs const&) = delete;
  ~jobs();

  /// Observes the Jobs; ends by cancellation only. The movers continue.
  awaitable<void> run();
  outcome<std::string> create(proto::create_job spec);
  awaitable<outcome<void>> remove(proto::delete_job command);
  /// All Jobs in their current state, each after its rows, if any.
  std::vector<cluster_change> all() const;

 private:
  struct entry;

  void take_up(std::string const& name);
  awaitable<void> follow(entry& job);
  awaitable<void> follow_once(entry& job);
  awaitable<void> pause(entry& job);
  awaitable<void> read_all(entry& job);
  void begin(entry& job);
  bool is_over(entry& job) const;
  void enforce(entry& job);
  void stop(entry& job, std::string_view reason);
  void finish(entry& job);
  void drop(std::string const& name);
  void publish(entry& job, proto::job_status status);
  void tell(entry const& job) const;

  ports ports_;
  fs::path data_;
  mover_settings settings_;
  secrets_folder secrets_;
  std::map<std::string, std::unique_ptr<entry>> jobs_;
  app::nursery tasks_;
  app::event removed_;
};

}  // namespace kopiur::gateway::local
