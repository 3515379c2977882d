#pragma once
#include <map>

#include "common/json/value.hpp"
#include "proto/events/command.hpp"
#include "services/gateway/adapters/kubernetes/co_location.hpp"
#include "services/gateway/core/refusal.hpp"

/// The Job of a mover, as the API takes it: the command and the settings in, manifests out (spec/kopiur.md, Movers; decisions.md section
/// 4). The Job carries its command, so that whoever takes it up needs nothing else. What the mover is told stands in a Secret of the Job's
/// name, which is made after the Job, belongs to it, and goes with it: until it is there no container starts.
namespace kopiur::gateway::kubernetes {

struct pod_settings {
  std::string image;  ///< of the mover
  std::string pull_policy = "IfNotPresent";
  std::string seal_secret;  ///< what a Job is sealed with (seal.hpp)
};

/// What is there already, as it bears on a mover's pod.
struct surroundings {
  placement place{};
  bool fresh_target = false;  ///< a restore's target holds nothing of anybody's
};

/// Refused (Invalid) where the command wants what a pod cannot have: a folder of
/// the host, a claim of another namespace, a name that is too long for a label.
outcome<json::value> job_manifest(proto::create_job const& command, pod_settings const& how, surroundings const& there = {});

/// Does the Job's pod bring volumes along?
bool brings_volumes(json::value const& job);
/// A claim that a mover's pod brought along for its cache, and that goes with it.
bool is_of_a_mover(json::value const& object);

/// The values of a Job's Secrets, by their place in job_secret().
using secret_values = std::map<std::string, std::string>;
/// The name in job_secret() of what `use` brings. Refused where it goes to no plain variable or file.
outcome<std::string> place_of(proto::secret_use const& use);
/// The Secret of the Job with that uid: the work with real paths, and the values.
outcome<json::value> job_secret(proto::create_job const& command, std::string_view job_uid, secret_values const& values);

/// The command that a Job was made from; nothing where it is none of ours: not sealed by us for just this Job.
std::optional<proto::create_job> command_of(json::value const& job, std::string_view seal_secret);

/// A finalizer of ours holds the Job until its end is recorded (finalizer::mover_result).
bool is_held(json::value const& job);
/// When a Job was removed by us; empty: it was not. It stays for a while after that, ended: so a create that comes late finds its name
/// taken.
std::string_view removed_at(json::value const& job);
/// What marks a Job as removed: merged into it. The API server's own clean-up takes it away `kept` after its end, which comes at once where
/// its mover may still run (`end_it`).
json::value removal(json::value const& job, bool end_it, instant now, duration kept);
/// A Job that never does anything and goes by itself: in the place of one that was removed before it was made. As hardened and limited as
/// any policy of a cluster may want it: where it is refused, nothing proves that the other is not made after all.
json::value tombstone(std::string_view run, std::string_view name, std::string_view ns, pod_settings const& how, instant now,
                      duration kept);

}  // namespace kopiur::gateway::kubernetes
