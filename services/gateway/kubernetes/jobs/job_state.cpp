#include "services/gateway/kubernetes/jobs/job_state.hpp"

#include <algorithm>

#include "proto/codec.hpp"
#include "services/gateway/kubernetes/jobs/job_manifest.hpp"
#include "services/gateway/kubernetes/objects/api.hpp"
#include "services/gateway/kubernetes/objects/pod.hpp"

namespace kopiur::gateway::kubernetes {

using json::value;

namespace {

/// A normal short state of every container.
bool is_usual(std::string_view reason) { return reason.empty() || reason == "ContainerCreating" || reason == "PodInitializing"; }

void say_why_it_waits(proto::job_status& status, value const& pod, value const* state) {
  if (auto* waiting = state ? state->find("waiting") : nullptr; waiting && !is_usual(waiting->text("reason"))) {
    status.reason = waiting->text("reason"), status.message = waiting->text("message");
    return;
  }
  if (auto* unscheduled = condition(pod, "PodScheduled", "False"))
    status.reason = unscheduled->text("reason"), status.message = unscheduled->text("message");
}

std::string how_it_ended(value const& ended) {
  auto* code = ended.find("exitCode");
  auto number = code && code->as_int() ? *code->as_int() : 0;
  if (ended.text("reason") == "OOMKilled") return "out of memory: raise mover.resources.limits.memory";
  return number > 128 ? "signal " + std::to_string(number - 128) : "exit status " + std::to_string(number);
}

/// The container whose state is that of the pod: the main one, or before it starts an init container that failed.
value const* container_that_counts(value const& pod) {
  auto* init = pod.at("status.initContainerStatuses");
  if (init && init->as_array())
    for (auto const& each : *init->as_array()) {
      auto* code = each.at("state.terminated.exitCode");
      if (code && code->as_int() && *code->as_int() != 0) return &each;
    }
  return first_of(pod.at("status.containerStatuses"));
}

/// Why the pod failed without a reason from its container: evicted, refused by the node.
std::string why_pod_failed(value const& pod) {
  std::string text(pod.text("status.reason"));
  if (auto message = pod.text("status.message"); !message.empty()) text += (text.empty() ? "" : ": ") + std::string(message);
  return text;
}

}  // namespace

job_sight look_at(value const& job, value const* pod, bool pod_gone) {
  job_sight sight;
  auto* failed = condition(job, "Failed");
  auto* failing = failed ? failed : condition(job, "FailureTarget");
  bool job_over = failed || condition(job, "Complete");
  if (failing && failing->text("reason") == "DeadlineExceeded") sight.end.stopped = stop_deadline;

  auto* container = pod ? container_that_counts(*pod) : nullptr;
  auto* state = container ? container->find("state") : nullptr;
  auto* running = state ? state->find("running") : nullptr;
  auto* ended = state ? state->find("terminated") : nullptr;
  bool pod_over = pod && has_ended(*pod);

  sight.has_log = !pod_gone && (running || ended);
  bool deleted = is_terminating(job);  // a pod that was never seen may still run
  sight.over = pod_over || (job_over && (!pod || pod_gone)) || (deleted && pod_gone);
  sight.end.started = running || ended;
  if (ended) {
    sight.end.said = ended->text("message");
    sight.end.container = container->text("name");
    if (auto* code = ended->find("exitCode"); code && code->as_int()) sight.end.exit_status = *code->as_int();
    sight.end.ending = how_it_ended(*ended);
  } else if (pod_over) {
    sight.end.ending = why_pod_failed(*pod);
  } else if (failed && !pod) {
    sight.end.ending = failed->text("message");
  } else if (deleted) {
    sight.end.ending = "its Job was deleted, not by kopiur";
  }
  if (running || ended) {
    sight.status.phase = proto::job_phase::Running;
    sight.status.started_at = instant_from((running ? running : ended)->text("startedAt"));
  } else if (pod) {
    say_why_it_waits(sight.status, *pod, state);
  }
  if (ended) sight.status.finished_at = instant_from(ended->text("finishedAt"));
  return sight;
}

value brief(value const& object) {
  auto part = [&](std::string const& container, std::initializer_list<char const*> names) {
    auto kept = value::make_object();
    for (std::string name : names)
      if (auto* it = object.at(container + "." + name)) kept.set(name, *it);
    return kept;
  };
  auto metadata = part("metadata", {"name", "namespace", "uid", "creationTimestamp", "deletionTimestamp"});
  if (auto removed = removed_at(object); !removed.empty()) metadata.set("annotations", json::object{{ours("removed-at"), removed}});
  auto it = value::make_object();
  it.set("metadata", std::move(metadata));
  it.set("status", part("status", {"phase", "reason", "message", "conditions", "initContainerStatuses", "containerStatuses"}));
  return it;
}

warnings newest_warnings(json::array const& events) {
  std::map<std::string_view, std::pair<std::string_view, value const*>> newest;
  for (auto const& each : events) {
    if (each.text("type") != "Warning") continue;
    auto when = std::max(each.text("lastTimestamp"), std::max(each.text("eventTime"), each.text("metadata.creationTimestamp")));
    auto& entry = newest[each.text("involvedObject.uid")];
    if (!entry.second || entry.first <= when) entry = {when, &each};
  }
  warnings found;
  for (auto const& [uid, of] : newest)
    found.emplace(uid, std::pair(std::string(of.second->text("reason")), std::string(of.second->text("message"))));
  return found;
}

}  // namespace kopiur::gateway::kubernetes
