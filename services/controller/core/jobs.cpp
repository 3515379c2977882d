#include "services/controller/core/jobs.hpp"

#include <algorithm>

#include "services/controller/core/metadata.hpp"

namespace kopiur::controller {

using namespace proto;

std::vector<job const*> jobs_of(objects const& all, std::string const& ns, std::string const& run) {
  std::vector<job const*> found;
  name_key first{ns, run + "-"};
  auto& jobs = all.of<job>();
  for (auto entry = jobs.lower_bound(first);
       entry != jobs.end() && entry->first.namespace_ == ns && entry->first.name.starts_with(first.name); ++entry)
    if (entry->second.run == run) found.push_back(&entry->second);
  return found;
}

std::vector<json::value> const& grants_of(job_body const& body) {
  static std::vector<json::value> const none;
  auto* pods = std::get_if<pod_plan>(&body);
  return pods ? pods->grants : none;
}

std::vector<object_ref> refs_of(std::vector<json::value> const& grants) {
  std::vector<object_ref> refs;
  for (auto& each : grants)
    refs.push_back(
        {std::string(each.text("kind")), std::string(each.text("metadata.namespace")), std::string(each.text("metadata.name")), {}});
  return refs;
}

ask stop_left_job(job const& left) {
  // Of what the Job read, only the name that plans give to their copies is known.
  delete_job gone{.run = left.run, .attempt = left.attempt, .namespace_ = left.namespace_, .copies = {std::string(copied_volume)}};
  return {gateway_command{std::move(gone)}, left.run + "-" + std::to_string(left.attempt)};
}

bool is_object_of(run_state const& run, object_meta const& meta) {
  if (auto& uid = run.order.object.uid; !uid.empty()) return meta.uid == uid;
  if (!run.plan) return is_made_by(meta, run.run);
  return std::ranges::any_of(run.plan->serves, [&](object_ref const& served) { return served.uid == meta.uid; });
}

}  // namespace kopiur::controller
