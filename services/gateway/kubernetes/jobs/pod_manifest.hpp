#pragma once
#include <map>
#include <optional>

#include "common/json/value.hpp"
#include "proto/events/command.hpp"
#include "services/gateway/core/refusal.hpp"
#include "services/gateway/kubernetes/jobs/co_location.hpp"

/// The pod of a Job: hardened as the `restricted` standard requires, with the options of its plan merged over it. All that depends on what
/// runs in it is stated by the command.
namespace kopiur::gateway::kubernetes {

struct pod_settings {
  std::string image;  ///< of the mover
  std::string pull_policy = "IfNotPresent";
  std::string seal_secret;                      ///< the key that seals Jobs (seal.hpp)
  std::map<std::string, std::string> images{};  ///< of the containers of plans, by their role
  /// Requests and limits of a mover for which its object states none.
  std::optional<json::value> mover_resources{};
};

/// Existing objects that affect a Job's pod.
struct surroundings {
  kubernetes::placement placement{};
  bool fresh_target = false;                    ///< the claim that the Job fills contains no data of users
  std::map<std::string, std::string> images{};  ///< those of workloads, by the name of the container that runs them
};

/// The `spec` of the pod. Refused (Invalid) when the command needs what a pod cannot have: a folder of the host, a claim of another
/// namespace, an image that no setting names.
outcome<json::value> pod_manifest(proto::create_job const& command, std::string const& job, pod_settings const& settings,
                                  surroundings const& there);
/// The pod of a Job that never runs.
json::value idle_pod(pod_settings const& settings);
json::value labels_of_job(std::string_view run);

/// Real folders of a pod, by their name in paths of the task.
std::map<std::string, std::string> folders_of(proto::create_job const& command);
/// The container whose output and end are those of the Job.
std::string_view main_container(proto::create_job const& command);
/// The key of `use` in the Secret of the Job. Refused when its target is not a plain variable or file.
outcome<std::string> secret_key_of(proto::secret_use const& use);

/// Of a claim that a pod created for its cache, and that is deleted with the pod.
std::string cache_label();
/// The file of the task in the Secret of a Job.
inline constexpr std::string_view task_file = "work.json";

}  // namespace kopiur::gateway::kubernetes
