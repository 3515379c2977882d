#pragma once
#include <map>

#include "common/json/value.hpp"
#include "proto/events/command.hpp"
#include "services/gateway/core/jobs.hpp"

namespace kopiur::gateway::kubernetes {

/// What a Job and its pod say.
struct job_sight {
  proto::job_status status;  ///< Starting (with the reason why it waits) or Running
  bool has_log = false;      ///< its container runs, or has run
  bool over = false;         ///< proof: nothing of it runs, nor will
  job_end end;               ///< where it is over
};

/// `pod`: the Job's, as it was last; null when there was none. `pod_gone`: it is not there any more. A Job that is over has
/// ended for the API server too, or its container has: the kubelet says so only when nothing runs.
job_sight look_at(json::value const& job, json::value const* pod, bool pod_gone);

/// A Job or its pod, with no more than is asked of it later: who it is, what it says, and when we removed it. Its spec is most of it.
json::value brief(json::value const& object);

/// Reason and sentence of the newest warning, by the uid of whom it is about.
using warnings = std::map<std::string, std::pair<std::string, std::string>, std::less<>>;
/// Of Events: why nothing happens, where neither the Job nor its pod says it.
warnings newest_warnings(json::array const& events);

}  // namespace kopiur::gateway::kubernetes
