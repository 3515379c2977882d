#include <algorithm>
#include <map>

#include "common/hash/stable_hash.hpp"
#include "services/systems/kopiur/plans/plans.hpp"
#include "services/systems/kopiur/rules/identity.hpp"
#include "services/systems/kopiur/rules/standing.hpp"

/// Captures several claims at one instant (groupBy VolumeGroupSnapshot): which Backups read one capture, and when it is deleted.
/// decisions.md section 3.
namespace kopiur::plans {

using namespace proto;
using namespace std::chrono_literals;

namespace {

/// Includes the config, because another config may have a group of the same name. By the config's name, so a recreated config continues an
/// existing capture.
std::string name_of(backup_config const& config, std::string_view group) {
  auto beginning = label::capture.substr(label::capture.find('/') + 1);
  return std::string(beginning) + hash::digest_hex({config.metadata.namespace_, config.metadata.name, group}, 16);
}

std::string label_of(std::string const& capture) { return std::string(label::capture.substr(0, label::capture.find('/') + 1)) + capture; }

/// Whether it may still read its part of a capture.
bool may_read(cluster_view const& all, backup const& one) {
  auto phase = one.status.phase.value_or(backup_phase::Pending);
  if (phase != backup_phase::Deleting) return phase == backup_phase::Pending || phase == backup_phase::Running;
  return open_run_of(all, one);
}

/// A Backup that has not been seen yet may still arrive for this long after the last one ended.
constexpr duration latecomers = 15min;

/// The Backups of one group.
struct group_now {
  std::size_t count = 0;
  bool read = false;  ///< one of them may still read its part
  std::optional<instant> last_end;
};
group_now look_at(cluster_view const& all, std::string const& ns, std::string_view group) {
  group_now now;
  for (auto* one : backups_of_group(all, ns, group)) {
    ++now.count, now.read |= may_read(all, *one);
    if (one->status.timing) now.last_end = std::max(now.last_end, one->status.timing->end_time);
  }
  return now;
}

bool was_together(backup const& one) {
  return !rules::group_of(one).empty() && one.status.resolved && one.status.resolved->group_by == group_by::VolumeGroupSnapshot;
}

}  // namespace

std::vector<backup const*> backups_of_group(cluster_view const& all, std::string const& ns, std::string_view group) {
  std::vector<backup const*> found;
  for (auto& [_, one] : controller::in_namespace(all.objects.of<backup>(), ns))
    if (rules::group_of(one) == group) found.push_back(&one);
  return found;
}

group_by grouping_of(cluster_view const& all, backup_config const& config) {
  bool by_snapshot = copying_of(all, config) == copy_method::Snapshot;
  return config.spec.group_by.value_or(by_snapshot ? all.can.group : group_by::None);
}

std::optional<capture> capture_of(cluster_view const& all, backup const& object, backup_config const& config) {
  auto group = rules::group_of(object);
  if (object.spec.import_ || group.empty() || grouping_of(all, config) == group_by::None) return {};
  capture together{.name = name_of(config, group), .group = std::string(group), .claims = {}};
  for (auto& each : rules::sources_of(all.objects, config))
    if (!each.claim.empty()) together.claims.push_back(each.claim);
  std::ranges::sort(together.claims);
  auto twice = std::ranges::unique(together.claims);
  together.claims.erase(twice.begin(), twice.end());
  if (together.claims.size() < 2) return {};
  return together;
}

std::optional<refused> missed(cluster_view const& all, backup const& object, capture const& together) {
  auto& ns = object.metadata.namespace_;
  auto stands = [&](std::string const& name) {
    auto* claim = controller::find(all.objects.of<persistent_volume_claim>(), ns, name);
    return claim && claim->metadata.labels.contains(label_of(together.name));
  };
  if (std::ranges::any_of(together.claims, stands)) return {};
  for (auto* one : backups_of_group(all, ns, together.group))
    if (rules::is_whole(one->status.phase))
      return refused{{.class_ = failure_class::MissedOccasion,
                      .message = "The claims of group " + together.group + " were captured together for Backup " + one->metadata.name +
                                 ", which has ended: this Backup would be of another moment. The next slot backs up all of them; or "
                                 "request a Backup of all sources."}};
  return {};
}

bool is_captured(persistent_volume_claim const& claim) {
  return std::ranges::any_of(claim.metadata.labels, [](auto& each) { return each.first.starts_with(label::capture); });
}

actions reconcile_captures(cluster_view const& all, std::string const& ns) {
  actions needs;
  std::map<std::string_view, delete_capture> standing;
  std::map<std::string_view, std::string_view> group_of;
  for (auto& [at, claim] : controller::in_namespace(all.objects.of<persistent_volume_claim>(), ns))
    for (auto& [key, group] : claim.metadata.labels) {
      if (!key.starts_with(label::capture)) continue;
      auto name = std::string_view(key).substr(key.find('/') + 1);
      auto& one = standing.try_emplace(name, delete_capture{.namespace_ = ns, .name = std::string(name), .claims = {}}).first->second;
      one.claims.push_back(at.name);
      group_of.emplace(name, group);
    }
  for (auto& [name, one] : standing) {
    auto now = look_at(all, ns, group_of.at(name));
    if (now.read) continue;
    bool complete = now.count >= one.claims.size() || !now.last_end;
    auto until = complete ? all.now : *now.last_end + latecomers;
    if (until <= all.now)
      needs.asks.push_back({gateway_command{std::move(one)}, std::string(name)});
    else
      needs.wake = std::min(needs.wake.value_or(instant::max()), until);
  }
  return needs;
}

condition_fragment group_snapshots(cluster_view const& all, backup_config const& config) {
  auto says = [](bool can, std::string reason, std::string message) {
    return condition(condition_type::group_snapshot_supported, can, std::move(reason), std::move(message));
  };
  if (grouping_of(all, config) == group_by::None) return says(false, "None", "Claims are captured one by one (groupBy: None).");
  backup const* failed = nullptr;
  for (auto* one : rules::backups_of(all.objects, config)) {
    if (!was_together(*one)) continue;
    if (rules::is_whole(one->status.phase)) return says(true, "Supported", "Claims are captured together.");
    if (one->status.phase == backup_phase::Failed && one->status.failure) failed = one;
  }
  if (!failed) return says(false, "Untried", "Claims were not captured together yet.");
  return says(false, "Failed", "Backup " + failed->metadata.name + ": " + failed->status.failure->message);
}

}  // namespace kopiur::plans
