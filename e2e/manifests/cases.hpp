#pragma once
#include <string>
#include <vector>

#include "proto/events/run.hpp"
#include "services/gateway/kubernetes/jobs/job_manifest.hpp"

namespace kopiur::manifests {

/// One Job: from the plan of one run, and what surrounds its pod.
struct job_case {
  std::string name;  ///< of its golden file
  proto::run_plan plan;
  gateway::kubernetes::surroundings there{};
  bool undoing = false;  ///< the Job removes what the cancelled run left
};
/// Each verb, each backend that differs in its manifest, and each option of a mover's pod.
std::vector<job_case> job_cases();

}  // namespace kopiur::manifests
