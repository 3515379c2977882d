#include <set>

#include "common/encoding/join.hpp"
#include "common/hash/stable_hash.hpp"
#include "proto/codec.hpp"
#include "services/systems/kopiur/plans/plans.hpp"
#include "services/systems/kopiur/rules/run_ids.hpp"
#include "services/systems/kopiur/rules/standing.hpp"

/// A manual Backup of a config with several sources and without `spec.sourcePath`: one sibling Backup is created per source, and the
/// requested Backup reports their sum (decisions.md section 3).
namespace kopiur::plans {

using namespace proto;

namespace {

/// The part of the parent's name with which the name of every sibling begins.
std::string beginning(std::string const& parent) { return (parent + "-").substr(0, 54); }

backup const* sibling_of(cluster_view const& all, backup const& parent, std::string const& path) {
  return controller::find(all.objects.of<backup>(), parent.metadata.namespace_, rules::sibling_name(parent, path));
}

ask make_sibling(cluster_view const& all, backup const& parent, std::string const& path) {
  backup one{.api_version = std::string(api_version), .kind = std::string(backup::info.kind)};
  one.metadata.name = rules::sibling_name(parent, path), one.metadata.namespace_ = parent.metadata.namespace_;
  one.metadata.labels = parent.metadata.labels;
  one.metadata.labels[std::string(label::group)] = parent.metadata.name;
  // Identifies a repeated create: the run that belongs to the sibling.
  one.metadata.labels[std::string(label::run)] = rules::sibling_run(parent, path);
  one.metadata.annotations[std::string(annotation::group_uid)] = parent.metadata.uid;
  one.spec = parent.spec;
  one.spec.source_path = path;
  rules::mark(all.objects, one);
  return {gateway_command{create_object{json::encode(one)}}, parent.metadata.uid + "-sibling-" + hash::digest_hex({path}, 6)};
}

/// The paths of the existing siblings, even of sources that the config no longer has.
std::vector<std::string> sibling_paths(cluster_view const& all, backup const& parent) {
  std::vector<std::string> paths;
  auto prefix = beginning(parent.metadata.name);
  for (auto entry = all.objects.of<backup>().lower_bound({parent.metadata.namespace_, prefix});
       entry != all.objects.of<backup>().end() && entry->first.namespace_ == parent.metadata.namespace_ &&
       entry->first.name.starts_with(prefix);
       ++entry)
    if (auto& path = entry->second.spec.source_path; path && rules::sibling_name(parent, *path) == entry->first.name)
      paths.push_back(*path);
  return paths;
}

/// All siblings together.
struct sum {
  std::size_t expected = 0, succeeded = 0;
  snapshot_stats stats;
  std::vector<std::string> failed, held;  ///< their names
  std::vector<ask> asks;

  std::size_t done() const { return succeeded + failed.size() + held.size(); }
  void add(snapshot_stats const& from) {
    stats.size_bytes += from.size_bytes, stats.bytes_new += from.bytes_new, stats.files_new += from.files_new;
    stats.files_modified += from.files_modified, stats.files_unchanged += from.files_unchanged, stats.error_count += from.error_count;
  }
};

/// The result of a sibling. For one that is being deleted, which protection may hold indefinitely: whether its snapshot was saved.
std::optional<backup_phase> outcome_of(cluster_view const& all, backup const& one) {
  if (one.status.phase != backup_phase::Deleting) return one.status.phase;
  if (one.status.snapshot) return rules::is_held(one) ? backup_phase::Held : backup_phase::Succeeded;
  return has_more_to_tell(all, one) ? backup_phase::Running : backup_phase::Failed;
}

/// A sibling is created once: one deleted by a user or by retention is not created again. The set is final once all siblings were seen (the
/// parent's phase is past Pending). Sources added to the config later, and deleted siblings whose run the bus has lost, are then not part
/// of it.
void add_up(sum& total, cluster_view const& all, backup const& parent, std::string const& path) {
  auto* one = sibling_of(all, parent, path);
  bool ran = all.run(rules::sibling_run(parent, path));
  bool settled = parent.status.phase && parent.status.phase != backup_phase::Pending;
  if (!one && !ran && settled) return;
  ++total.expected;
  if (!one && ran) return total.failed.push_back(rules::sibling_name(parent, path) + " (deleted)");
  if (!one) return total.asks.push_back(make_sibling(all, parent, path));
  auto came_to = outcome_of(all, *one);
  if (came_to == backup_phase::Succeeded) ++total.succeeded;
  if (came_to == backup_phase::Failed) total.failed.push_back(one->metadata.name);
  if (came_to == backup_phase::Held) total.held.push_back(one->metadata.name);
  if (one->status.stats) total.add(*one->status.stats);
}

/// The parent's status: the sum.
backup_status status_of(sum const& total) {
  bool over = total.done() == total.expected;
  backup_status status{
      .phase = over ? backup_phase::Succeeded : backup_phase::Running, .origin = backup_origin::manual, .stats = total.stats};
  if (!total.asks.empty()) status.phase = backup_phase::Pending;
  std::string why;
  if (!total.failed.empty()) why = "These did not succeed: " + encoding::join(total.failed) + "; each existing one says why.";
  if (!total.expected) why = "The Backups that were made for it no longer exist.";
  if (over && !total.held.empty()) status.phase = backup_phase::Held;
  if (over && !why.empty()) status.phase = backup_phase::Failed;
  if (!why.empty()) status.failure = run_failure{.class_ = failure_class::Unknown, .message = why};
  return status;
}

std::string message_of(sum const& total, backup_status const& status) {
  auto expected = std::to_string(total.expected);
  if (status.phase == backup_phase::Succeeded) return "All " + expected + " sources are saved, each in a Backup of its own.";
  if (status.phase == backup_phase::Failed) return status.failure->message;
  if (status.phase == backup_phase::Held)
    return "These hold much less than the ones before them: " + encoding::join(total.held) + "; each says how to accept that.";
  return std::to_string(total.done()) + " of " + expected + " sources are done.";
}

}  // namespace

std::vector<std::string> group_sources(cluster_view const& all, backup const& object) {
  bool by_hand = object.spec.config_ref && !object.spec.source_path && !object.spec.import_ && !rules::is_scheduled(object);
  if (!by_hand) return {};
  auto siblings = sibling_paths(all, object);
  std::set<std::string> paths(siblings.begin(), siblings.end());
  if (auto* config = controller::find(all.objects.of<backup_config>(), object.metadata.namespace_, object.spec.config_ref->name))
    for (auto& each : rules::sources_of(all.objects, *config)) paths.insert(each.path);
  if (paths.size() < 2 && siblings.empty()) return {};
  return {paths.begin(), paths.end()};
}

std::vector<backup const*> parents_by_name(controller::objects const& all, std::string const& ns, std::string_view sibling) {
  std::vector<backup const*> parents;
  auto stem = std::string(sibling.substr(0, sibling.rfind('-')));
  if (auto tail = sibling.size() - stem.size(); tail != 7 && tail != 9) return parents;  // lengths that rules::sibling_name() produces
  for (auto entry = all.of<backup>().lower_bound({ns, stem}); entry != all.of<backup>().end() && entry->first.namespace_ == ns; ++entry) {
    if (!entry->first.name.starts_with(stem)) break;
    auto& spec = entry->second.spec;
    if (spec.config_ref && !spec.source_path && sibling.starts_with(beginning(entry->first.name))) parents.push_back(&entry->second);
  }
  return parents;
}

actions reconcile_group(cluster_view const& all, backup const& parent, std::vector<std::string> const& paths) {
  sum total;
  for (auto& path : paths) add_up(total, all, parent, path);
  auto status = status_of(total);
  auto ready = condition(condition_type::ready, status.phase == backup_phase::Succeeded, std::string(json::to_text(*status.phase)),
                         message_of(total, status));
  actions needs{.asks = std::move(total.asks)};
  if (!needs.asks.empty()) needs.wake = all.now + duration(15'000);
  needs.statuses.push_back(claim_for(controller::ref_of(parent), parent.metadata.generation, json::encode(status), {std::move(ready)}));
  return needs;
}

}  // namespace kopiur::plans
