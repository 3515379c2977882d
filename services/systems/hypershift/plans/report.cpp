#include "common/encoding/text.hpp"
#include "proto/codec.hpp"
#include "services/controller/core/condition.hpp"
#include "services/controller/core/run_facts.hpp"
#include "services/systems/hypershift/encryption.hpp"
#include "services/systems/hypershift/plans/backup.hpp"
#include "services/systems/hypershift/reasons.hpp"

namespace kopiur::hypershift {

using namespace proto;
using controller::object_status;

namespace {

std::string_view rejected_of(std::string_view kind) {
  return kind == hcp_etcd_backup::info.kind ? reason::rejected : reason::already_in_progress;
}

std::string_view step_of(run_state const& run) {
  switch (run.stage) {
    case run_stage::Due:
      return "The control plane and its etcd are being checked.";
    case run_stage::Prepared:
    case run_stage::Committed:
      return "The Job is being created.";
    case run_stage::Created:
      return "The snapshot is being taken and uploaded.";
    default:
      return "The snapshot is uploaded; what was made for it is being removed.";
  }
}

verdict while_open(run_state const& run) {
  bool unhealthy = run.stage == run_stage::Due && run.waits && run.waits->reason == reason::unhealthy;
  return {false, unhealthy ? reason::unhealthy : reason::in_progress, run.waits ? run.waits->message : std::string(step_of(run))};
}

/// What the plan pinned, after a blank; empty: nothing, or the run has no plan.
std::string remarks_of(run_state const& run) {
  auto* text = run.plan && run.plan->resolved ? run.plan->resolved->as_string() : nullptr;
  return text && !text->empty() ? " " + *text : "";
}

/// Success needs a URL: without one nobody finds the snapshot (B6.17).
verdict at_the_end(run_state const& run) {
  auto url = url_of(run);
  if (!url.empty()) return {true, reason::succeeded, "The snapshot is at " + url + "." + remarks_of(run)};
  if (run.outcome == run_outcome::Succeeded)
    return {false, reason::failed, "The Job succeeded, but did not say where the snapshot is: look for it in the store."};
  auto why = run.failure.value_or(run_failure{.message = "The run failed and did not say why."});
  if (why.class_ == failure_class::LeaseTaken)
    return {false, rejected_of(run.order.object.kind),
            "Another backup of the etcd in " + run.order.object.namespace_ + " is in progress: make a new object when it has ended."};
  auto message = why.stderr_tail.empty() ? why.message : why.message + " " + why.stderr_tail;
  return {false, reason::failed, std::move(message)};
}

json::value encryption_of(hosted_control_plane const* plane) {
  etcd_encryption_metadata out;
  auto key = plane ? kms_key_of(*plane) : std::nullopt;
  if (key) out.kms_encryption = kms_encryption_state::Enabled;
  if (key && !key->empty()) out.kms_key_ID = *key;
  return json::encode(out);
}

}  // namespace

verdict verdict_of(run_state const& run) { return run.stage == run_stage::FollowThroughComplete ? at_the_end(run) : while_open(run); }

std::string url_of(run_state const& run) {
  auto* result = is_terminal(run.stage) && run.outcome == run_outcome::Succeeded && run.result ? run.result->as<pod_report>() : nullptr;
  return result ? std::string(encoding::trimmed(result->text)) : "";
}

std::vector<object_status> report(controller::cluster_view const& all, run_state const& run) {
  auto wanted = find_request(all.objects, run.order.object);
  if (!wanted || wanted->meta->uid != run.order.object.uid) return {};
  auto is = verdict_of(run);
  auto status = json::value::make_object();
  if (is.completed) {
    status.set("snapshotURL", url_of(run));
    auto plane = control_plane_in(all.objects, wanted->meta->namespace_);
    if (run.order.object.kind == etcd_backup::info.kind) status.set("encryptionMetadata", encryption_of(plane ? *plane : nullptr));
    if (wanted->s3 && !wanted->s3->kms_key.empty())
      status.set("encryptionMetadata", json::object{{"aws", json::object{{"kmsKeyARN", wanted->s3->kms_key}}}});
  }
  auto condition = controller::condition(condition_type::backup_completed, is.completed, std::string(is.word), is.message);
  status_fragment fragment{.uid = wanted->meta->uid,
                           .observed_generation = wanted->meta->generation,
                           .status = std::move(status),
                           .conditions = {std::move(condition)}};
  return {{run.order.object, std::move(fragment)}};
}

}  // namespace kopiur::hypershift
