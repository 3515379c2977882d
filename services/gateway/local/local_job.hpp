#pragma once
#include <functional>

#include "common/app/async.hpp"
#include "services/gateway/local/job_output.hpp"
#include "services/gateway/local/job_start.hpp"
#include "services/gateway/shell/cluster.hpp"

namespace kopiur::gateway::local {

/// What all Jobs of this host share.
struct job_context {
  asio::any_io_executor loop;
  clock& time;
  object_store& store;
  std::function<void(cluster_change)> tell;
  std::function<void(std::string)> report;  ///< receives a sentence for the operator
  fs::path data;
  mover_settings settings;
  secrets_folder secrets;
};

/// One Job: starts its mover, observes it to its end, and stops it at its limits. All of its state is in its folder, so another gateway can
/// go on with it.
class local_job {
 public:
  local_job(job_context& in, job_folder home, proto::create_job order, job_record known);
  local_job(local_job const&) = delete;

  std::string name() const { return folder_.path().filename().string(); }
  std::string const& uid() const { return record_.uid; }
  std::string const& namespace_of() const { return spec_.namespace_; }
  bool has_ended() const;
  /// It ended because it was deleted.
  bool is_deleted() const { return deleted_; }

  /// After a restart: finds its mover, which may still run.
  void take_up();
  /// Until it has ended. A full disk does not end the gateway: after a pause it goes on from the state in the folder.
  awaitable<void> follow();
  void stop(std::string_view reason);
  /// Its current state, after its rows, if any.
  void list(std::vector<cluster_change>& changes) const;
  /// Its folder says that it is deleted.
  void mark_deleted() { folder_.mark_deleted(); }

 private:
  awaitable<void> follow_once();
  awaitable<void> pause();
  awaitable<void> read_all();
  void begin();
  bool is_over();
  void enforce();
  void finish();
  void publish(proto::job_status status);
  cluster_change change() const;

  job_context& in_;
  job_folder folder_;
  proto::create_job spec_;
  job_record record_;
  job_log log_;
  std::unique_ptr<job_output> output_;
  std::int64_t pages_ = 0;
  std::vector<std::string> secret_values_;
  std::optional<process::identity> process_;
  std::optional<stop_record> stopping_;
  bool terminated_ = false;  // SIGTERM was sent since this gateway started
  bool deleted_ = false;
  std::string ending_;  // how its mover ended
  app::event woken_;
  asio::posix::stream_descriptor exit_;  // readable when the mover has ended; closed when that is not known
};

}  // namespace kopiur::gateway::local
