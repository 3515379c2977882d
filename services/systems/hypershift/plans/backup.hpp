#pragma once
#include "services/controller/core/plan_kind.hpp"
#include "services/systems/hypershift/request.hpp"

/// The plan etcd-backup: control plane -> health -> one at a time -> credentials -> a Job in the operator's namespace -> the URL.
namespace kopiur::hypershift {

extern controller::plan_kind const backup_plan;

/// The pod of that Job, and what it is granted. `form`: how the credentials are used. prepare() pins in `run_plan::resolved` what the
/// report has to say of the snapshot besides its place: sentences, as a text.
proto::run_plan job_plan(controller::cluster_view const& all, backup_request const& wanted, std::string const& run,
                         proto::credentials_form const& form);

/// The condition and the status of a request, from the run that carries it out.
std::vector<controller::object_status> report(controller::cluster_view const& all, proto::run_state const& run);
/// Writes the URL on the HostedCluster before the request is reported as completed.
controller::follow_through pass_on(controller::cluster_view const& all, proto::run_state const& run);

/// The condition of the request, as it is now.
struct verdict {
  bool completed = false;
  std::string_view word;  ///< its reason
  std::string message;
};
verdict verdict_of(proto::run_state const& run);

/// Writes the condition EtcdBackupSucceeded of the control plane: that a backup has begun, and how it ended.
controller::ask begun_on_plane(proto::hosted_control_plane const& plane, proto::run_state const& run);
controller::ask ended_on_plane(proto::hosted_control_plane const& plane, proto::run_state run);
/// The Event of a run that is over; nothing: it is recorded, or the run is not over.
std::optional<controller::ask> event_of(controller::cluster_view const& all, proto::run_state const& run);
/// The Event that says why kopiur does nothing with this object; nothing: kopiur does, or it is recorded.
std::optional<controller::ask> left_to_another(controller::cluster_view const& all, proto::object_ref const& object);

/// The URL that the run's upload printed; empty: it has not succeeded.
std::string url_of(proto::run_state const& run);
/// The control plane of that namespace; nullptr: there is none. Its kind's presence while that is not known.
std::expected<proto::hosted_control_plane const*, proto::kind_presence> control_plane_in(controller::objects const& all,
                                                                                         std::string const& ns);

}  // namespace kopiur::hypershift
