#pragma once
#include "services/controller/core/plan_kind.hpp"
#include "services/systems/hypershift/request.hpp"

/// The plan etcd-backup: control plane -> health -> one at a time -> credentials -> a Job in the operator's namespace -> the URL.
namespace kopiur::hypershift {

extern controller::plan_kind const backup_plan;

/// The pod of that Job, and what it is granted. `form`: how the credentials are used.
proto::run_plan job_plan(controller::cluster_view const& all, backup_request const& wanted, std::string const& run,
                         proto::credentials_form const& form);

/// The condition and the status of a request, from the run that carries it out.
std::vector<controller::object_status> report(controller::cluster_view const& all, proto::run_state const& run);
/// Writes the URL on the HostedCluster before the request is reported as completed.
std::vector<controller::ask> pass_on(controller::cluster_view const& all, proto::run_state const& run);

/// The URL that the run's upload printed; empty: it has not succeeded.
std::string url_of(proto::run_state const& run);
/// The control plane of that namespace; nullptr: there is none. Its kind's presence while that is not known.
std::expected<proto::hosted_control_plane const*, proto::kind_presence> control_plane_in(controller::objects const& all,
                                                                                         std::string const& ns);

}  // namespace kopiur::hypershift
