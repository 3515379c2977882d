#include <algorithm>
#include <iterator>
#include <unordered_map>

#include "proto/codec.hpp"
#include "services/systems/kopiur/plans/plans.hpp"

/// Deletion protection: holds a burst of deletions that kopiur's retention did not request, until a user releases it. decisions.md section
/// 5.
namespace kopiur::plans {

using namespace proto;

namespace {

struct asked {
  instant time{};
  std::string uid;
};

bool of_repository(backup const& object, rules::any_repository const& repository) {
  auto& resolved = object.status.resolved;
  if (!resolved || !resolved->repository || resolved->repository->kind != repository.kind) return false;
  return resolved->repository->name == repository.meta->name &&
         resolved->repository->namespace_.value_or("") == repository.meta->namespace_;
}

bool counts(backup const& object, cluster_view const& all, rules::any_repository const& repository) {
  return object.metadata.deletion_timestamp && object.status.snapshot && effective_policy(object) == deletion_policy::Delete &&
         controller::lookup(object.metadata.annotations, annotation::pruned_by).empty() &&
         !stays_with_namespace(controller::find(all.objects.of<core_namespace>(), "", object.metadata.namespace_), object, &repository);
}

std::vector<asked> waiting_deletions(cluster_view const& all, rules::any_repository const& repository) {
  std::vector<asked> found;
  for (auto& [_, object] : all.objects.of<backup>())
    if (of_repository(object, repository) && counts(object, all, repository))
      found.push_back({*object.metadata.deletion_timestamp, object.metadata.uid});
  return found;
}

/// Completed deletions count too. Their runs record them, including runs for an earlier object of the same kopia repository.
std::vector<asked> ordered_deletions(cluster_view const& all, rules::any_repository const& repository) {
  std::vector<asked> found;
  auto runs = all.runs_of(repository.meta->uid, "delete");
  if (auto& id = repository.status->unique_ID) std::ranges::copy(all.runs_of(*id, "delete"), std::back_inserter(runs));
  for (auto* run : runs) {
    auto* items = run->order.parameters.find("items");
    if (!items || !items->as_array()) continue;
    for (auto& item : *items->as_array()) {
      auto time = instant_from(item.text("askedAt"));
      if (time && item.text("prunedBy").empty()) found.push_back({*time, std::string(item.text("uid"))});
    }
  }
  return found;
}

}  // namespace

std::vector<std::string> held_by_protection(cluster_view const& all, rules::any_repository const& repository) {
  auto rule = repository.spec->deletion_protection;
  if (rule.threshold <= 0) return {};
  auto released_to = instant_from(controller::lookup(repository.meta->annotations, annotation::allow_mass_deletion));
  auto waits = waiting_deletions(all, repository);
  auto everything = ordered_deletions(all, repository);
  everything.insert(everything.end(), waits.begin(), waits.end());
  for (auto* some : {&waits, &everything}) {
    std::erase_if(*some, [&](asked const& one) { return released_to && one.time <= *released_to; });
    std::ranges::sort(*some, {}, &asked::time);
  }
  std::vector<std::string> held;
  std::unordered_map<std::string_view, int> burst;  // the deletions within the window around the one that is looked at, by uid
  auto first = everything.begin(), next = first;
  for (auto& each : waits) {
    for (; next != everything.end() && next->time < each.time + rule.window; ++next) ++burst[next->uid];
    for (; first != next && first->time <= each.time - rule.window; ++first)
      if (--burst[first->uid] == 0) burst.erase(first->uid);
    if (std::ssize(burst) > rule.threshold) held.push_back(each.uid);
  }
  std::ranges::sort(held);
  return held;
}

}  // namespace kopiur::plans
