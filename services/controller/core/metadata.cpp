#include "services/controller/core/metadata.hpp"

#include <algorithm>

namespace kopiur::controller {

using namespace proto;

bool is_manifest_missing(object_meta const& meta) { return lookup(meta.annotations, annotation::manifest_missing) == "true"; }

bool is_made_by(object_meta const& meta, std::string_view run) {
  auto noted = lookup(meta.annotations, label::run);
  return (noted.empty() ? lookup(meta.labels, label::run) : noted) == run;
}

bool has_finalizer(object_meta const& meta, std::string_view finalizer) {
  return std::ranges::find(meta.finalizers, finalizer) != meta.finalizers.end();
}

}  // namespace kopiur::controller
