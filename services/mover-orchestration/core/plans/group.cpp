#include <algorithm>

#include "common/hash/stable_hash.hpp"
#include "proto/codec.hpp"
#include "services/mover-orchestration/core/plans/plans.hpp"

/// A manual Backup of a config with several sources and without `spec.sourcePath`: one sibling a source is made, and the asked-for Backup
/// reports their sum (decisions.md section 3).
namespace kopiur::orchestration {

using namespace proto;

namespace {

/// Of the parent's uid too: a Backup made anew under a former one's name does not take that one's siblings for its own.
std::string sibling_name(backup const& parent, std::string const& path) {
  auto name = parent.metadata.name + "-" + hash::digest_hex({parent.metadata.uid, path}, 6);
  return name.size() <= 63 ? name : name.substr(0, 54) + "-" + hash::digest_hex({name}, 8);
}

ask make_sibling(backup const& parent, std::string const& path) {
  backup one{.api_version = std::string(api_version), .kind = "Backup"};
  one.metadata.name = sibling_name(parent, path), one.metadata.namespace_ = parent.metadata.namespace_;
  one.metadata.labels = parent.metadata.labels;
  one.metadata.labels[std::string(label::group)] = parent.metadata.name;
  one.metadata.labels[std::string(label::origin)] = "manual";
  // What a create that is asked for again is recognised by: the run that the sibling stands for.
  one.metadata.labels[std::string(label::run)] = "backup-" + hash::digest_hex({"sibling", parent.metadata.uid, path}, 16);
  one.spec = parent.spec;
  one.spec.source_path = path;
  return {gateway_command{create_object{json::encode(one)}}, parent.metadata.uid + "-sibling-" + hash::digest_hex({path}, 6)};
}

struct sum {
  std::size_t made = 0, succeeded = 0, failed = 0;
  snapshot_stats stats;
  std::string failures;
};

sum add_up(world const& all, backup const& parent, std::vector<std::string> const& paths) {
  sum total;
  for (auto& path : paths) {
    auto* one = mirror::find(all.objects.backups, parent.metadata.namespace_, sibling_name(parent, path));
    if (!one) continue;
    ++total.made;
    if (one->status.phase == backup_phase::Succeeded) ++total.succeeded;
    if (one->status.phase == backup_phase::Failed)
      ++total.failed, total.failures += (total.failures.empty() ? "" : ", ") + one->metadata.name;
    if (!one->status.stats) continue;
    auto& from = *one->status.stats;
    total.stats.size_bytes += from.size_bytes, total.stats.bytes_new += from.bytes_new, total.stats.files_new += from.files_new;
    total.stats.files_modified += from.files_modified, total.stats.files_unchanged += from.files_unchanged,
        total.stats.error_count += from.error_count;
  }
  return total;
}

}  // namespace

std::vector<std::string> group_sources(world const& all, backup const& object) {
  std::vector<std::string> paths;
  bool by_hand = object.spec.config_ref && !object.spec.source_path && !object.spec.import_ && !is_scheduled(object.metadata);
  auto* config = by_hand ? mirror::find(all.objects.configs, object.metadata.namespace_, object.spec.config_ref->name) : nullptr;
  if (!config) return paths;
  for (auto& each : mirror::sources_of(all.objects, *config)) paths.push_back(each.path);
  if (paths.size() < 2) paths.clear();
  return paths;
}

upkeep tend_group(world const& all, backup const& parent, std::vector<std::string> const& paths) {
  upkeep needs;
  for (auto& path : paths)
    if (!mirror::find(all.objects.backups, parent.metadata.namespace_, sibling_name(parent, path)))
      needs.asks.push_back(make_sibling(parent, path));
  if (!needs.asks.empty()) needs.wake = all.now + duration(15'000);
  auto total = add_up(all, parent, paths);
  bool over = total.succeeded + total.failed == paths.size();
  auto phase = !over ? backup_phase::Running : total.failed ? backup_phase::Failed : backup_phase::Succeeded;
  backup_status to{.phase = phase, .origin = backup_origin::manual, .stats = total.stats};
  auto of = std::to_string(paths.size());
  if (total.failed)
    to.failure = run_failure{.class_ = failure_class::Unknown, .message = "These did not succeed: " + total.failures + "; each says why."};
  auto message = over && !total.failed ? "All " + of + " sources are saved, each in a Backup of its own."
                 : over                ? to.failure->message
                                       : std::to_string(total.succeeded + total.failed) + " of " + of + " sources are done.";
  needs.claims.push_back(
      claim_for(mirror::ref_of(parent), parent.metadata.generation, json::encode(to),
                {condition(condition_type::ready, phase == backup_phase::Succeeded, std::string(json::to_text(phase)), message)}));
  return needs;
}

}  // namespace kopiur::orchestration
