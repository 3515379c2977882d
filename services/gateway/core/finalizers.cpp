#include "services/gateway/core/finalizers.hpp"

#include "services/gateway/core/objects.hpp"

namespace kopiur::gateway {

std::optional<refusal> refused_finalizer(json::value const& object, proto::patch_metadata const& patch) {
  bool adds = patched(object, {.object = {}, .add_finalizers = patch.add_finalizers}).has_value();
  if (!is_terminating(object) || !adds) return std::nullopt;
  return refusal{proto::answer_code::Forbidden, key_of(object).text() + " is being deleted: it takes no new finalizer."};
}

}  // namespace kopiur::gateway
