#pragma once
#include <map>

#include "common/json/value.hpp"
#include "proto/events/command.hpp"
#include "services/gateway/core/jobs.hpp"

namespace kopiur::gateway::kubernetes {

/// The state of a Job and its pod.
struct job_sight {
  proto::job_status status;  ///< Starting (with the reason of waiting) or Running
  bool has_log = false;      ///< its container runs, or has run
  bool over = false;         ///< proof: nothing of it runs, nor will
  job_end end;               ///< when it is over
};

/// `pod`: the Job's pod in its last state; null when there was none. `pod_gone`: it no longer exists. A Job that is over has ended for the
/// API server, or its container has: the kubelet reports that only when nothing runs.
job_sight look_at(json::value const& job, json::value const* pod, bool pod_gone);

/// A Job or its pod, reduced to what is needed later: identity, status, and when kopiur removed it. Most of the size is the spec.
json::value brief(json::value const& object);

/// Reason and sentence of the newest warning, by the uid of its object.
using warnings = std::map<std::string, std::pair<std::string, std::string>, std::less<>>;
/// From Events: why nothing happens, when neither the Job nor its pod reports it.
warnings newest_warnings(json::array const& events);

}  // namespace kopiur::gateway::kubernetes
