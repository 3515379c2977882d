#include "services/systems/kopiur/rules/standing.hpp"

#include "services/systems/kopiur/rules/identity.hpp"
#include "services/systems/kopiur/rules/results.hpp"

namespace kopiur::rules {

using namespace proto;

namespace {

std::string source_of(backup const& one) {
  auto& in = one.status.resolved;
  auto unique = in && in->repository ? in->repository->unique_ID.value_or("") : std::string();
  return one.status.snapshot ? unique + " " + identity_text(one.status.snapshot->identity) : std::string();
}

}  // namespace

instant end_of(backup const& object) { return object.status.timing ? object.status.timing->end_time.value_or(instant{}) : instant{}; }

bool has_ended(std::optional<backup_phase> phase) { return is_whole(phase) || phase == backup_phase::Failed; }
bool is_whole(std::optional<backup_phase> phase) { return phase == backup_phase::Succeeded || phase == backup_phase::Held; }

bool is_accepted(backup const& object, shrinkage const& shrunk) {
  bool is_told = object.status.phase == backup_phase::Succeeded && object.status.shrunk == shrunk;
  return is_told || controller::lookup(object.metadata.annotations, annotation::accept_shrink) == shrunk.snapshot;
}

bool is_held(run_state const& run, backup const* object) {
  auto* result = result_of(run);
  auto* shrunk = result && result->shrunk ? &*result->shrunk : nullptr;
  return shrunk && (!object || !is_accepted(*object, *shrunk));
}

good_times::good_times(controller::objects const& all) {
  for (auto& [_, one] : all.of<backup>())
    if (one.status.phase == backup_phase::Held) newest_.try_emplace(source_of(one));
  if (newest_.empty()) return;
  for (auto& [_, one] : all.of<backup>()) {
    if (one.status.phase != backup_phase::Succeeded || !one.status.snapshot) continue;
    auto found = newest_.find(source_of(one));
    if (found != newest_.end()) found->second = std::max(found->second, end_of(one));
  }
}

bool good_times::follow(backup const& held) const {
  auto found = newest_.find(source_of(held));
  return found != newest_.end() && found->second > end_of(held);
}

bool is_held(backup const& object) { return object.status.shrunk && !is_accepted(object, *object.status.shrunk); }

}  // namespace kopiur::rules
