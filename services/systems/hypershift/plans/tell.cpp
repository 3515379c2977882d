#include "proto/codec.hpp"
#include "services/controller/core/event_once.hpp"
#include "services/systems/hypershift/plans/backup.hpp"
#include "services/systems/hypershift/reasons.hpp"

/// What others are told of a backup: an Event on the object, and a condition on its control plane.
namespace kopiur::hypershift {

using namespace proto;
using controller::ask;

namespace {

/// After that, an Event whose answer is gone is not recorded again.
constexpr duration tell_within = std::chrono::minutes(10);

ask condition_on(hosted_control_plane const& plane, verdict const& is, instant since, std::string key) {
  condition says{.type = std::string(condition_type::etcd_backup_succeeded),
                 .status = is.completed ? condition_status::True : condition_status::False,
                 .last_transition_time = since,
                 .reason = std::string(is.word),
                 .message = is.message};
  swap_status write{.object = controller::ref_of(plane),
                    .path = {"conditions", "type=" + says.type},
                    .expect = {},
                    .whatever = true,
                    .set = json::encode(says)};
  return {gateway_command{std::move(write)}, std::move(key)};
}

}  // namespace

ask begun_on_plane(hosted_control_plane const& plane, run_state const& run) {
  verdict begun{false, reason::in_progress, "A snapshot of etcd is being taken for " + run.order.object.name + "."};
  return condition_on(plane, begun, run.prepared_at.value_or(run.ordered_at), run.run + "-begun");
}

ask ended_on_plane(hosted_control_plane const& plane, run_state run) {
  auto since = run.changed_at;
  run.stage = run_stage::FollowThroughComplete;
  return condition_on(plane, verdict_of(run), since, run.run + "-ended");
}

std::optional<ask> event_of(controller::cluster_view const& all, run_state const& run) {
  if (run.stage != run_stage::FollowThroughComplete) return std::nullopt;
  auto is = verdict_of(run);
  record_event event{run.order.object, is.completed ? "Normal" : "Warning", std::string(is.word), std::move(is.message)};
  return controller::event_once(all, std::move(event), run.run + "-event", run.changed_at, tell_within);
}

std::optional<ask> left_to_another(controller::cluster_view const& all, object_ref const& object) {
  if (all.objects.presence_of<hcp_etcd_backup>() != kind_presence::OfAnother) return std::nullopt;
  auto* one = controller::find(all.objects.of<hcp_etcd_backup>(), object.namespace_, object.name);
  if (!one || one->metadata.deletion_timestamp || !one->status.conditions.empty()) return std::nullopt;
  record_event event{controller::ref_of(*one), "Normal", "ServedByHyperShift",
                     "HyperShift's operator has defined HCPEtcdBackup here and runs, so kopiur leaves this object to it. An EtcdBackup is "
                     "taken by kopiur."};
  return controller::event_once(all, std::move(event), one->metadata.uid + "-of-another", all.now, tell_within);
}

}  // namespace kopiur::hypershift
