#pragma once
#include <string>
#include <vector>

#include "services/controller/core/asks.hpp"
#include "services/controller/core/objects.hpp"

/// The Jobs of runs, and the object that a run was ordered for.
namespace kopiur::controller {

/// The Jobs of that run in the namespace, of all attempts.
std::vector<proto::job const*> jobs_of(objects const& all, std::string const& ns, std::string const& run);
/// What ends, or removes, a Job that no run has any more.
ask stop_left_job(proto::job const& left);
/// The object that the run was ordered for: by its uid. Where whoever ordered it could not know that, because the run makes the object: by
/// the run's mark on it, until the plan knows the uid. (A mark can be copied, a uid cannot.)
bool is_object_of(proto::run_state const& run, proto::object_meta const& meta);

}  // namespace kopiur::controller
