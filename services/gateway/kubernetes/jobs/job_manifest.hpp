#pragma once
#include <map>

#include "common/json/value.hpp"
#include "proto/events/command.hpp"
#include "services/gateway/core/refusal.hpp"
#include "services/gateway/kubernetes/jobs/pod_manifest.hpp"

/// The manifests of a Job, from the command and the settings (spec/kopiur.md, Movers; decisions.md section 4). The Job contains its
/// command, so a gateway that adopts it needs nothing else. The input of its program is in a Secret of the Job's name. The Secret is
/// created after the Job, which owns it: no container starts before it exists.
namespace kopiur::gateway::kubernetes {

/// The Job. Refused (Invalid) as pod_manifest(), and when the name is too long for a label.
outcome<json::value> job_manifest(proto::create_job const& command, pod_settings const& settings, surroundings const& there = {});

/// Whether the Job's pod has ephemeral volumes.
bool brings_volumes(json::value const& job);
/// A claim that a mover's pod created for its cache, and that is deleted with the pod.
bool is_of_a_mover(json::value const& object);

/// The values of a Job's Secrets, by their key in job_secret().
using secret_values = std::map<std::string, std::string>;
/// The Secret of the Job with that uid: the task with real paths, and the values.
outcome<json::value> job_secret(proto::create_job const& command, std::string_view job_uid, secret_values const& values);

/// The command from which a Job was created; nothing when kopiur has not sealed exactly this Job.
std::optional<proto::create_job> command_of(json::value const& job, std::string_view seal_secret);

/// Whether kopiur's finalizer keeps the Job until its end is recorded (finalizer::mover_result).
bool is_held(json::value const& job);
/// When kopiur removed a Job; empty: it did not. The ended Job stays for a while, so that a late create finds its name taken.
std::string_view removed_at(json::value const& job);
/// A merge patch that marks a Job as removed. The API server deletes the Job `kept` after its end. With `end_it` the Job ends at once,
/// because its mover may still run.
json::value removal(json::value const& job, bool end_it, instant now, duration kept);
/// A Job that never runs anything and is deleted by its TTL: it replaces a Job that was removed before it was created. It is hardened and
/// limited to pass any policy of a cluster: if it is refused, nothing proves that the other is not created later.
json::value tombstone(std::string_view run, std::string_view name, std::string_view ns, pod_settings const& settings, instant now,
                      duration kept);

}  // namespace kopiur::gateway::kubernetes
