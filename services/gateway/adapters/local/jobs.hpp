#pragma once
#include <functional>
#include <map>
#include <memory>

#include "common/app/async.hpp"
#include "services/gateway/adapters/local/job_output.hpp"
#include "services/gateway/adapters/local/volumes.hpp"
#include "services/gateway/shell/cluster.hpp"

namespace kopiur::gateway::local {

/// How movers are started.
struct mover_settings {
  std::string program = "kopiur-mover";
  std::vector<std::string> environment;  ///< `NAME=value`, for every mover; secrets come on top
  duration grace{10'000};                ///< between SIGTERM and SIGKILL
};

/// Movers of this host: of our own environment they get the search path and the like alone.
mover_settings movers_of_host(std::string program);

/// Jobs as child processes: each has a folder (job_folder), and outlives us. After a restart those that run are followed again.
class jobs {
 public:
  struct ports {
    asio::any_io_executor loop;
    clock& time;
    object_store& store;
    std::function<void(cluster_change)> tell;
    std::function<void(std::string)> report;  ///< a sentence for whoever runs us
  };
  /// Takes up every Job of `data`; movers that run are followed from the next run() on.
  jobs(ports to, fs::path data, mover_settings settings);
  jobs(jobs const&) = delete;
  ~jobs();

  /// Follows the Jobs; ends by cancellation only. The movers live on.
  awaitable<void> run();
  outcome<std::string> create(proto::create_job spec);
  awaitable<outcome<void>> remove(proto::delete_job command);
  /// All Jobs as they are, the rows of those that have some before them.
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

  ports to_;
  fs::path data_;
  mover_settings settings_;
  secrets_folder secrets_;
  std::map<std::string, std::unique_ptr<entry>> jobs_;
  app::nursery followers_;
  app::event removed_;
};

}  // namespace kopiur::gateway::local
