#include "services/mover-orchestration/core/plans/plans.hpp"

/// Who kopia says took the snapshots of a config. decisions.md section 7.
namespace kopiur::orchestration {

using namespace proto;

namespace {

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
