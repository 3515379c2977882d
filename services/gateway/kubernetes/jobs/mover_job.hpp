#pragma once
#include <memory>

#include "common/compression/similar_texts.hpp"
#include "proto/codec.hpp"
#include "services/gateway/core/mover_output.hpp"
#include "services/gateway/kubernetes/jobs/job_pods.hpp"
#include "services/gateway/kubernetes/jobs/job_secrets.hpp"
#include "services/gateway/kubernetes/jobs/job_state.hpp"
#include "services/gateway/shell/cluster.hpp"

namespace kopiur::gateway::kubernetes {

class job_registry;
class mover_job;
using held_job = std::shared_ptr<mover_job>;

/// A mover that has not started after this time is looked up in Events.
inline constexpr duration strange_after{3'000};

/// What all Jobs of a cluster share.
struct job_context {
  pod_access access;
  shared_contents& contents;
  std::function<void(cluster_change)> tell;
  app::nursery& tasks;
  job_registry& registry;
  std::string seal_secret;
  output_limits output{};
  compression::similar_texts orders{};  ///< the commands of all Jobs
};

/// One Job, from its start to its end: creates its Secret, reads its log, reports its end. It is kept alive by the registry, and by what it
/// waits for.
class mover_job : public std::enable_shared_from_this<mover_job> {
 public:
  mover_job(job_context& in, object_key its_key, proto::create_job const& command, json::value its_job);

  object_key const key;
  std::string const run;
  int const attempt;
  std::string const container;  ///< whose output is that of the Job
  json::value job;              ///< brief()
  bool gone = false;            ///< the Job no longer exists
  std::int64_t version = 0;
  proto::job_status told;
  std::vector<std::string> pages;  ///< output_pages as text: a fifth of the memory

  proto::create_job command() const { return json::read<proto::create_job>(in_.orders.unpack(order_)).value(); }
  /// What the cluster shows of it.
  job_sight sight() const;
  bool is_settled() const { return gone || sight().over; }
  bool has_reported_end() const { return finished_; }

  /// Follows it to its end. `has_secret`: its Secret existed at the start of this gateway.
  awaitable<void> begin(bool has_secret);
  /// The Job or its pod changed: reports its state, and goes on.
  void changed();
  /// Ends the mover of a Job that a user deleted, as the garbage collector would if the finalizer did not keep the Job.
  void stop_if_deleted();
  /// Whether it has waited for long without any reason; the caller explains it.
  bool is_strange(instant now) const;
  /// Neither the Job nor its pod reports why nothing happens (a quota, a volume that cannot be mounted). Events do; nullptr: they could not
  /// be read.
  void explain(warnings const* events, instant now);
  /// It no longer exists.
  void lose();

 private:
  void furnished();
  void go_on();
  awaitable<void> settled();
  awaitable<void> pause(duration longest);
  awaitable<outcome<void>> obtain_grants(proto::create_job const& command);
  awaitable<void> furnish();
  awaitable<void> follow();
  awaitable<void> attend();
  awaitable<void> look_for_pod();
  awaitable<void> follow_log();
  awaitable<void> finish();
  awaitable<void> end_pods();
  void stop();

  job_context& in_;
  std::string order_;       // the command as text in job_context::orders
  bool waits_ = false;      // has all that it needs, and has not started: no coroutine observes it
  instant asked_{};         // while it waits: when Events were last read for it
  bool finished_ = false;   // its end has been reported
  bool stopped_ = false;    // a user deleted the Job, and a finalizer keeps it, or it printed too much: the gateway ends its pod
  bool too_large_ = false;  // it printed too much
  bool no_pod_ = false;     // and after that the API server reported that none runs
  std::optional<std::pair<std::string, std::string>> trouble_;  // reason and sentence, when neither Job nor pod has one
  std::string rest_;                                            // the end of its log, without progress and rows
  app::event woken_;
};

}  // namespace kopiur::gateway::kubernetes
