#include <algorithm>

#include "e2e/simulation/datacenter.hpp"
#include "services/gateway/core/names.hpp"
#include "services/gateway/core/objects.hpp"

/// Namespaces as in a cluster: one that is being deleted accepts no new objects, a controller deletes its objects, and it disappears after
/// the last.
namespace kopiur::simulation {

using namespace proto;
using namespace std::chrono_literals;

std::optional<gateway::refusal> datacenter::closed(std::string const& ns) const {
  if (ns.empty()) return std::nullopt;
  auto found = objects_.find("Namespace//" + ns);
  if (found == objects_.end()) return gateway::refusal{answer_code::NotFound, "There is no namespace " + ns + "."};
  if (!gateway::is_terminating(found->second)) return std::nullopt;
  return gateway::refusal{answer_code::Forbidden, "Namespace " + ns + " is being deleted, so nothing is created in it."};
}

bool datacenter::delete_namespace(std::string const& ns) {
  auto found = objects_.find("Namespace//" + ns);
  if (found == objects_.end() || gateway::is_terminating(found->second)) return false;
  store(found->first, *gateway::marked_for_deletion(found->second, {}, home_.wall()));
  home_.at(home_.now() + luck_.between(100ms, 3s), [this, ns] { empty(ns); });
  return true;
}

/// The work of the namespace controller, repeated until the namespace is empty.
void datacenter::empty(std::string const& ns) {
  std::vector<object_ref> inside;
  for (auto& [key, object] : objects_)
    if (object.text("metadata.namespace") == ns)
      inside.push_back(
          {std::string(object.text("kind")), ns, std::string(object.text("metadata.name")), std::string(gateway::uid_of(object))});
  for (auto& each : inside) (void)remove({.object = each});
  std::vector<std::string> work;
  for (auto& [name, job] : jobs_)
    if (job.seen.namespace_ == ns) work.push_back(name);
  for (auto& each : work) (void)stop_job(each);
  auto left = [&](auto const& in, auto namespace_of_each) {
    return std::ranges::any_of(in, [&](auto& each) { return namespace_of_each(each.second) == ns; });
  };
  bool empty_now = !left(objects_, [](json::value const& one) { return one.text("metadata.namespace"); }) &&
                   !left(jobs_, [](sim_job const& one) { return std::string_view(one.seen.namespace_); });
  if (empty_now) return drop("Namespace//" + ns);
  home_.at(home_.now() + 2s, [this, ns] { empty(ns); });
}

}  // namespace kopiur::simulation
