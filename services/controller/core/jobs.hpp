#pragma once
#include <string>
#include <vector>

#include "services/controller/core/asks.hpp"
#include "services/controller/core/objects.hpp"

/// The Jobs of runs, and the object that a run was ordered for.
namespace kopiur::controller {

/// The Jobs of that run in the namespace, of all attempts.
std::vector<proto::job const*> jobs_of(objects const& all, std::string const& ns, std::string const& run);
/// What the pods of such a Job are granted (proto::pod_plan::grants), as manifests; none for a Job that runs kopia.
std::vector<json::value> const& grants_of(proto::job_body const& body);
/// Their references, without uids.
std::vector<proto::object_ref> refs_of(std::vector<json::value> const& grants);
/// The request that stops or removes a Job whose run no longer exists.
ask stop_left_job(proto::job const& left);
/// Whether the run was ordered for this object: by its uid. When the run itself creates the object, the uid was unknown at that time: then
/// the run's mark on the object decides until the plan knows the uid. (A mark can be copied, a uid cannot.)
bool is_object_of(proto::run_state const& run, proto::object_meta const& meta);

}  // namespace kopiur::controller
