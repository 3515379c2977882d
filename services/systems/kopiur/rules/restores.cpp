#include "services/systems/kopiur/rules/restores.hpp"

#include <algorithm>

namespace kopiur::rules {

using namespace proto;

bool is_over(std::optional<restore_phase> phase) { return phase == restore_phase::Completed || phase == restore_phase::Failed; }

namespace {

bool pins(restore const& one, std::string const& snapshot) {
  bool own = !is_over(one.status.phase) && one.status.resolved && one.status.resolved->snapshot_ID == snapshot;
  return own || std::ranges::any_of(one.status.claims, [&](served_claim const& each) {
           return !is_over(each.phase) && each.resolved && each.resolved->snapshot_ID == snapshot;
         });
}

bool names(restore const& one, backup const& object) {
  auto* from = std::get_if<backup_ref_source>(&one.spec.source);
  bool waits_for_claims = !one.spec.target;  // a passive Restore uses no snapshot until a claim is being filled
  return from && !waits_for_claims && !is_over(one.status.phase) && from->name == object.metadata.name &&
         one.metadata.namespace_ == object.metadata.namespace_;
}

}  // namespace

std::optional<std::string> restore_of(controller::objects const& all, backup const& object) {
  for (auto& [key, one] : all.of<restore>())
    if (names(one, object) || (object.status.snapshot && pins(one, object.status.snapshot->kopia_snapshot_ID))) return key.name;
  return {};
}

}  // namespace kopiur::rules
