#pragma once
#include <map>

#include "services/gateway/kubernetes/jobs/job_pods.hpp"
#include "services/gateway/kubernetes/objects/objects.hpp"

namespace kopiur::gateway::kubernetes {

/// Revokes what was granted to a run of which no Job exists any more: the bus has lost the run and a user has deleted the Job, or a gateway
/// died between a grant and its check. Nobody else would.
class grant_sweep {
 public:
  struct settings {
    std::string namespace_;        ///< of Jobs and grants; empty: all
    std::string seal_secret;       ///< proves that kopiur granted something
    duration every{300'000};       ///< how often it looks
    duration spared_for{900'000};  ///< a younger grant stays: its run may be at work
    std::function<void(error const&)> told = [](error const&) {};
  };
  grant_sweep(pod_access in, settings settings) : in_(in), settings_(std::move(settings)) {}

  /// Ends by cancellation only.
  awaitable<void> run();
  /// Looks once. A failure to read leaves everything as it is.
  awaitable<result<void>> look();

 private:
  awaitable<result<std::vector<json::value>>> listed(std::string_view kind, std::string selector);
  using by_run = std::map<std::string, std::vector<proto::object_ref>>;
  awaitable<result<by_run>> old_ones();
  bool is_old(json::value const& granted) const;

  pod_access in_;
  settings settings_;
};

}  // namespace kopiur::gateway::kubernetes
