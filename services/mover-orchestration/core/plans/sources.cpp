#include <algorithm>

#include "services/mover-orchestration/core/plans/plans.hpp"

/// What a recipe's sources and identity come to. decisions.md sections 3 and 7.
namespace kopiur::orchestration {

using namespace proto;

namespace {

std::string default_path(pvc_selector_source const& from, std::string const& ns, std::string const& claim) {
  return from.source_path_strategy == source_path_strategy::PVCNamespacedName ? "/pvc/" + ns + "/" + claim : "/pvc/" + claim;
}

/// `{{ namespace }}` and `{{ configName }}`, and their older spelling; validation has refused anything else.
std::string render(std::string text, std::string const& ns, std::string const& config) {
  auto replace = [&](std::string_view spelled, std::string const& by) {
    for (auto at = text.find(spelled); at != text.npos; at = text.find(spelled, at + by.size())) text.replace(at, spelled.size(), by);
  };
  for (auto* spelled : {"{{ namespace }}", "{{namespace}}", "{{ .Namespace }}", "{{.Namespace}}"}) replace(spelled, ns);
  for (auto* spelled : {"{{ configName }}", "{{configName}}", "{{ .ConfigName }}", "{{.ConfigName}}"}) replace(spelled, config);
  return text;
}

}  // namespace

std::vector<source_now> sources_of(world const& all, backup_config const& config) {
  std::vector<source_now> found;
  auto& ns = config.metadata.namespace_;
  for (auto& source : config.spec.sources) {
    if (auto* one = std::get_if<pvc_source>(&source.from)) {
      found.push_back({one->name, source.source_path_override.value_or("/pvc/" + one->name)});
      continue;
    }
    auto& selector = std::get<pvc_selector_source>(source.from);
    for (auto& [key, claim] : all.objects.claims)
      if (key.namespace_ == ns && mirror::matches(selector.label_selector, claim.metadata.labels))
        found.push_back({key.name, source.source_path_override.value_or(default_path(selector, ns, key.name))});
  }
  std::ranges::sort(found, {}, &source_now::path);
  return found;
}

identity identity_of(backup_config const& config, mirror::repository_sight const& repository, std::string const& source_path) {
  auto& ns = config.metadata.namespace_;
  auto& name = config.metadata.name;
  if (config.status.resolved && config.status.resolved->identity)
    return {config.status.resolved->identity->username, config.status.resolved->identity->hostname, source_path};
  auto* defaults = repository.cluster && repository.cluster->identity_defaults ? &*repository.cluster->identity_defaults : nullptr;
  auto username = defaults && defaults->username_template ? render(*defaults->username_template, ns, name) : name;
  auto hostname = defaults && defaults->hostname_template ? render(*defaults->hostname_template, ns, name) : ns;
  if (config.spec.identity && config.spec.identity->username) username = *config.spec.identity->username;
  if (config.spec.identity && config.spec.identity->hostname) hostname = *config.spec.identity->hostname;
  return {username, hostname, source_path};
}

}  // namespace kopiur::orchestration
