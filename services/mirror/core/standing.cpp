#include "services/mirror/core/standing.hpp"

#include "services/mirror/core/objects.hpp"

namespace kopiur::mirror {

using namespace proto;

bool has_ended(std::optional<backup_phase> phase) { return is_whole(phase) || phase == backup_phase::Failed; }
bool is_whole(std::optional<backup_phase> phase) { return phase == backup_phase::Succeeded || phase == backup_phase::Held; }

bool is_accepted(backup const& object, shrinkage const& shrunk) {
  bool is_told = object.status.phase == backup_phase::Succeeded && object.status.shrunk == shrunk;
  return is_told || lookup(object.metadata.annotations, annotation::accept_shrink) == shrunk.snapshot;
}

bool is_held(run_state const& run, backup const* object) {
  auto* shrunk = run.result && run.result->shrunk ? &*run.result->shrunk : nullptr;
  return shrunk && (!object || !is_accepted(*object, *shrunk));
}

bool is_held(backup const& object) { return object.status.shrunk && !is_accepted(object, *object.status.shrunk); }

}  // namespace kopiur::mirror
