#include "services/executor/core/openbao/claim.hpp"

namespace kopiur::executor::openbao {

namespace {

json::value operation(std::string_view name, std::string_view path, json::value content) {
  auto out = json::value::make_object();
  out.set("op", name);
  out.set("path", path);
  out.set("value", std::move(content));
  return out;
}

std::string_view claiming_pod(json::value const& object) { return object.text("status.submissionClaim.podUID"); }

std::string container_of(json::value const& pod) {
  auto* all = pod.at("status.containerStatuses");
  auto* list = all ? all->as_array() : nullptr;
  if (!list || list->empty()) return "";
  for (auto& each : *list)
    if (each.text("name") == "openbao") return std::string(each.text("containerID"));
  return std::string(list->front().text("containerID"));
}

judgement differs(std::string why) {
  return {standing::mismatch, std::move(why) + " Nothing was submitted. This pod belongs to another execution: delete its Job."};
}

}  // namespace

target_pod with_pod(target_pod known, json::value const& pod) {
  known.uid = pod.text("metadata.uid");
  known.ip = pod.text("status.podIP");
  known.container = container_of(pod);
  return known;
}

judgement judge(json::value const& object, request_identity const& who) {
  auto name = "The OpenBaoRestore " + who.name;
  if (object.text("metadata.uid") != who.uid) return differs(name + " has another uid than RESTORE_REQUEST_UID.");
  if (object.text("status.execution.operationID") != who.operation)
    return differs(name + " has another operationID than RESTORE_OPERATION_ID.");
  if (object.at("metadata.deletionTimestamp")) return differs(name + " is being deleted.");
  auto* claimed = object.at("status.submissionClaim");
  if (claimed && claiming_pod(object) == who.pod_uid)
    return {standing::own, "This pod has claimed the submission before. It submits nothing twice, and nobody knows whether it did."};
  if (claimed && !claimed->is_null())
    return {standing::taken, "The pod with the uid " + std::string(claiming_pod(object)) + " has claimed the submission."};
  auto stage = object.text("status.execution.stage");
  if (stage != "Committed" && stage != "Created") return differs(name + " is in the stage " + std::string(stage) + ".");
  return {standing::open, {}};
}

json::value patch_of(claim const& what, request_identity const& who) {
  auto content = json::value::make_object();
  auto set = [&](std::string_view name, std::string const& text) {
    if (!text.empty()) content.set(name, text);
  };
  set("podUID", what.pod_uid);
  set("targetPodName", what.target.name);
  set("targetPodUID", what.target.uid);
  set("targetPodIP", what.target.ip);
  set("targetContainerID", what.target.container);
  set("digest", what.digest);
  content.set("size", what.size);
  content.set("claimedAt", to_text(std::chrono::floor<std::chrono::seconds>(what.claimed_at)));
  auto patch = json::value::make_array();
  patch.push(operation("test", "/metadata/uid", who.uid));
  patch.push(operation("test", "/status/execution/operationID", who.operation));
  patch.push(operation("test", "/status/submissionClaim", nullptr));
  patch.push(operation("add", "/status/submissionClaim", std::move(content)));
  return patch;
}

bool has_claim(json::value const& object, claim const& what) {
  return claiming_pod(object) == what.pod_uid && object.text("status.submissionClaim.digest") == what.digest;
}

}  // namespace kopiur::executor::openbao
