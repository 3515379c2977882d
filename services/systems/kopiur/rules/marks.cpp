#include "services/systems/kopiur/rules/marks.hpp"

#include <algorithm>

#include "proto/codec.hpp"
#include "services/systems/kopiur/rules/identity.hpp"
#include "services/systems/kopiur/rules/repositories.hpp"
#include "services/systems/kopiur/rules/run_ids.hpp"
#include "services/systems/kopiur/rules/sources.hpp"

namespace kopiur::rules {

using namespace proto;

namespace {

/// The path that kopia will record; empty: not known.
std::string path_of(controller::objects const& all, backup const& object, backup_config const& config) {
  auto wanted = object.spec.source_path.value_or("");
  if (object.spec.import_) return wanted;
  auto sources = sources_of(all, config);
  if (wanted.empty()) return sources.size() == 1 ? sources.front().path : "";
  return std::ranges::find(sources, wanted, &source_now::path) == sources.end() ? "" : wanted;
}

}  // namespace

bool is_scheduled(backup const& object) { return scheduled_for(object).has_value(); }
std::string_view group_of(backup const& object) { return controller::lookup(object.metadata.labels, label::group); }

backup_origin origin_of(backup const& object) {
  if (object.spec.import_) return backup_origin::imported;
  return is_scheduled(object) ? backup_origin::scheduled : backup_origin::manual;
}

std::map<std::string, std::string> labels_of(controller::objects const& all, backup const& object) {
  std::map<std::string, std::string> labels{{std::string(label::origin), std::string(json::to_text(origin_of(object)))}};
  if (!object.spec.config_ref) return labels;
  labels[std::string(label::backup_config)] = object.spec.config_ref->name;
  if (auto& pinned = object.status.resolved; pinned && pinned->repository && pinned->identity) {
    labels[std::string(label::repository)] = pinned->repository->name;
    labels[std::string(label::identity_hash)] = identity_hash(*pinned->identity);
    return labels;
  }
  auto* config = find(all.of<backup_config>(), object.metadata.namespace_, object.spec.config_ref->name);
  auto repository = config ? find_repository(all, config->spec.repository, object.metadata.namespace_) : std::nullopt;
  if (!repository) return labels;
  labels[std::string(label::repository)] = repository->meta->name;
  if (auto path = path_of(all, object, *config); !path.empty())
    labels[std::string(label::identity_hash)] = identity_hash(identity_of(*config, *repository, path));
  return labels;
}

void mark(controller::objects const& all, backup& object) {
  object.metadata.finalizers = {std::string(finalizer::snapshot_cleanup)};
  for (auto& [name, text] : labels_of(all, object)) object.metadata.labels[name] = text;
}

}  // namespace kopiur::rules
