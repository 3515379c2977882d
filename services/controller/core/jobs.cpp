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
