#include "services/systems/kopiur/rules/identity.hpp"

#include <algorithm>

#include "common/hash/stable_hash.hpp"

namespace kopiur::rules {

using namespace proto;

namespace {

std::string_view without_blanks(std::string_view text) {
  auto first = text.find_first_not_of(' ');
  return first == text.npos ? std::string_view() : text.substr(first, text.find_last_not_of(' ') - first + 1);
}

/// Expands `{{ namespace }}` and `{{ configName }}`, and their older spelling, with any blanks; validation has refused everything else.
std::string render(std::string_view text, std::string_view ns, std::string_view config) {
  std::string out;
  for (;;) {
    auto open = text.find("{{"), close = text.find("}}", open);
    if (close == text.npos) return out.append(text);
    out += text.substr(0, open);
    auto name = without_blanks(text.substr(open + 2, close - open - 2));
    if (name == "namespace" || name == ".Namespace")
      out += ns;
    else if (name == "configName" || name == ".ConfigName")
      out += config;
    text.remove_prefix(close + 2);
  }
}

constexpr std::string_view config_name_spelled = "{{ configName }}";

/// Whether the template can produce this text for the namespace and some config.
bool fits(std::string const& pattern, std::string const& ns, std::string const& text) {
  auto rest = render(pattern, ns, "\n");  // no name contains a line feed
  auto hole = rest.find('\n');
  if (hole == rest.npos) return rest == text;
  auto head = rest.substr(0, hole), tail = rest.substr(rest.rfind('\n') + 1);
  return text.size() > head.size() + tail.size() && text.starts_with(head) && text.ends_with(tail);
}

/// Whether the template gives one text per namespace. With the config's name in it, `x-b` of namespace `a` could equal `x` of namespace
/// `b-a`.
bool names_namespace_alone(std::string const& pattern) {
  return render(pattern, "a", "x") != render(pattern, "b", "x") && render(pattern, "a", "x") == render(pattern, "a", "y");
}

}  // namespace

std::string identity_text(identity const& who) { return source_name(who); }

std::string identity_hash(identity const& who) { return hash::digest_hex({who.username, who.hostname, who.source_path}, 16); }

bool may_be_of(cluster_repository_spec const& repository, identity const& who, std::string const& ns) {
  auto* defaults = repository.identity_defaults ? &*repository.identity_defaults : nullptr;
  auto hostname = defaults && defaults->hostname_template ? *defaults->hostname_template : std::string("{{ namespace }}");
  auto username = defaults && defaults->username_template ? *defaults->username_template : std::string(config_name_spelled);
  bool tells_apart = names_namespace_alone(hostname) || names_namespace_alone(username);
  return tells_apart && fits(hostname, ns, who.hostname) && fits(username, ns, who.username);
}

std::string home_of(any_repository const& repository) {
  if (!repository.cluster) return repository.meta->namespace_;
  return repository.spec->encryption.password_secret_ref.namespace_.value_or("kopiur-system");
}

std::optional<std::string> not_allowed(controller::objects const& all, any_repository const& repository, std::string const& consumer) {
  if (!repository.cluster) {
    if (repository.meta->namespace_ == consumer) return {};
    return "Repository " + repository.meta->name + " belongs to namespace " + repository.meta->namespace_ +
           "; only a ClusterRepository is shared over namespaces.";
  }
  if (allows(all, *repository.cluster, consumer)) return {};
  return "ClusterRepository " + repository.meta->name + " does not allow namespace " + consumer +
         "; its owner adds it to spec.allowedNamespaces.";
}

bool allows(controller::objects const& all, cluster_repository_spec const& repository, std::string const& ns) {
  struct allowed {
    controller::objects const& all;
    std::string const& ns;
    bool operator()(namespaces_listed const& list) const { return std::ranges::find(list.names, ns) != list.names.end(); }
    bool operator()(namespaces_all const& every) const { return every.yes; }
    bool operator()(namespaces_selected const& some) const {
      auto* known = find(all.of<core_namespace>(), "", ns);
      auto labels = known ? known->metadata.labels : std::map<std::string, std::string>{};
      labels["kubernetes.io/metadata.name"] = ns;  // set by every API server
      return controller::matches(some.labels, labels);
    }
  };
  return std::visit(allowed{all, ns}, repository.allowed_namespaces);
}

namespace {

identity templated_identity(std::string const& ns, std::string const& name, any_repository const& repository,
                            std::string const& source_path) {
  auto* defaults = repository.cluster && repository.cluster->identity_defaults ? &*repository.cluster->identity_defaults : nullptr;
  return {defaults && defaults->username_template ? render(*defaults->username_template, ns, name) : name,
          defaults && defaults->hostname_template ? render(*defaults->hostname_template, ns, name) : ns, source_path};
}

}  // namespace

identity rendered_identity(backup_config const& config, any_repository const& repository, std::string const& source_path) {
  auto who = templated_identity(config.metadata.namespace_, config.metadata.name, repository, source_path);
  if (config.spec.identity && config.spec.identity->username) who.username = *config.spec.identity->username;
  if (config.spec.identity && config.spec.identity->hostname) who.hostname = *config.spec.identity->hostname;
  return who;
}

identity identity_of(backup_config const& config, any_repository const& repository, std::string const& source_path) {
  auto* pinned = config.status.resolved && config.status.resolved->identity ? &*config.status.resolved->identity : nullptr;
  return pinned ? identity{pinned->username, pinned->hostname, source_path} : rendered_identity(config, repository, source_path);
}

bool may_use(any_repository const& repository, identity const& who, std::string const& ns) {
  return !repository.cluster || repository.cluster->allow_foreign_identities || may_be_of(*repository.cluster, who, ns);
}

std::optional<std::string> foreign_identity(backup_config const& config, any_repository const& repository) {
  auto who = identity_of(config, repository, "");
  auto& ns = config.metadata.namespace_;
  if (may_use(repository, who, ns) || who == templated_identity(ns, config.metadata.name, repository, "")) return {};
  return "ClusterRepository " + repository.meta->name + " lets namespace " + ns + " record and restore its own identities only, and " +
         who.username + "@" + who.hostname +
         " is not one of them; remove spec.identity, or ask its owner to set spec.allowForeignIdentities.";
}

std::optional<std::string> foreign_to(std::string const& ns, identity const& who, any_repository const& repository) {
  if (may_use(repository, who, ns)) return {};
  return "ClusterRepository " + repository.meta->name + " lets namespace " + ns + " restore its own identities only, and " + who.username +
         "@" + who.hostname + " is not one of them; its owner may set spec.allowForeignIdentities.";
}

std::optional<std::string> foreign_snapshot(backup const& object, any_repository const& repository) {
  auto& ns = object.metadata.namespace_;
  auto& who = object.status.snapshot->identity;
  bool nobodys = object.status.origin == backup_origin::discovered && repository.spec->catalog.fallback_namespace == ns;
  auto& config = object.spec.config_ref;
  if (nobodys || (config && who == templated_identity(ns, config->name, repository, who.source_path))) return {};
  return foreign_to(ns, who, repository);
}

}  // namespace kopiur::rules
