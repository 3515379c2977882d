#include <array>

#include "common/json/codec.hpp"
#include "e2e/fuzz/fuzz.hpp"
#include "proto/validate.hpp"
#include "services/gateway/core/names.hpp"
#include "services/systems/kopiur/rules/identity.hpp"

namespace kopiur::fuzz {
namespace {

/// Folder placeholders in the paths of a mover's work.
void check_paths(std::string_view text) {
  proto::kopia_task work;
  work.repository = proto::repository_access{.mount = std::string(text)};
  std::map<std::string, std::string> const folders{{"source", "/srv/source"}, {"cache", "/srv/cache"}};
  auto real = proto::with_folders(work, folders);
  if (!real) return require(real.error().contains("{{"), "a refusal names the placeholder");
  require(real->repository->mount.find("{{") == std::string::npos, "no placeholder is left");
  require(text.contains("{{") || real->repository->mount == text, "a path without placeholders is left alone");
}

/// The spec of a shared repository with these templates, if the schema allows it.
std::optional<proto::cluster_repository> repository_with(std::string_view hostname, std::string_view username) {
  auto manifest = json::parse(R"({"apiVersion":"kopiur.home-operations.com/v1alpha1","kind":"ClusterRepository","metadata":{"name":"nas"},)"
                              R"("spec":{"backend":{"filesystem":{"path":"/repo"}},"allowedNamespaces":{"all":true},)"
                              R"("encryption":{"passwordSecretRef":{"name":"s","key":"p","namespace":"kopiur"}}}})")
                      .value();
  auto templates = json::value::make_object();
  if (!hostname.empty()) templates.set("hostnameTemplate", hostname);
  if (!username.empty()) templates.set("usernameTemplate", username);
  manifest.find("spec")->set("identityDefaults", std::move(templates));
  for (auto& each : proto::validate("ClusterRepository", manifest)) {
    require(each.path.starts_with("spec.identityDefaults"), "only the templates can be wrong: " + each.text());
    return {};
  }
  return json::decode<proto::cluster_repository>(manifest).value();
}

proto::identity identity_in(rules::any_repository const& repository, std::string_view ns, std::string_view name) {
  proto::backup_config config;
  config.metadata.namespace_ = std::string(ns), config.metadata.name = std::string(name);
  return rules::rendered_identity(config, repository, "/data");
}

}  // namespace

/// Two templates, a namespace, a config's name, and another namespace, one per line.
void look(std::string_view input) {
  auto hostname = take_line(input), username = take_line(input), ns = take_line(input), name = take_line(input), other = take_line(input);
  check_paths(hostname);
  if (!gateway::is_label_name(ns) || !gateway::is_label_name(other) || !gateway::is_object_name(name) || ns == other) return;
  auto shared = repository_with(hostname, username);
  if (!shared) return;
  rules::any_repository sight{.kind = proto::repository_kind::ClusterRepository, .meta = &shared->metadata, .spec = &shared->spec.common};
  sight.cluster = &shared->spec;
  auto who = identity_in(sight, ns, name);
  require(!who.username.contains("{{") && !who.hostname.contains("{{"), "no placeholder is left in an identity");
  if (rules::may_be_of(shared->spec, who, std::string(ns)))
    require(!rules::may_be_of(shared->spec, who, std::string(other)), "an identity of one namespace is not of another");
}

}  // namespace kopiur::fuzz
