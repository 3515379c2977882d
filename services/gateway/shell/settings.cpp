#include "services/gateway/shell/settings.hpp"

#include <cstdlib>
#include <ranges>
#include <stdexcept>

#include "services/runtime/shell/configuration.hpp"
#include "services/systems/systems.hpp"

namespace kopiur::gateway {

namespace {
std::string variable(char const* name, std::string otherwise = "") {
  auto* value = std::getenv(name);
  return value ? value : otherwise;
}

/// Comma-separated entries; empty for an empty text.
std::vector<std::string> entries_of(std::string const& text) {
  std::vector<std::string> out;
  for (auto each : text | std::views::split(',')) out.emplace_back(each.begin(), each.end());
  return text.empty() ? std::vector<std::string>() : out;
}
/// `name=content`, comma-separated. `example`: one of them, for messages.
std::map<std::string, std::string> pairs_of(char const* name, char const* example) {
  std::map<std::string, std::string> all;
  for (auto const& each : entries_of(variable(name))) {
    auto sign = each.find('=');
    if (sign == 0 || sign == each.npos || sign + 1 == each.size())
      throw std::invalid_argument(std::string(name) + " has the entry \"" + each + "\": each has to be as in " + example + ".");
    all[each.substr(0, sign)] = each.substr(sign + 1);
  }
  return all;
}
/// An object in JSON; nothing for an empty text.
std::optional<json::value> object_of(char const* name, char const* example) {
  auto text = variable(name);
  if (text.empty()) return {};
  auto read = json::parse(text);
  if (!read || !read->is_object()) throw std::invalid_argument(std::string(name) + " has to be an object in JSON, as " + example + ".");
  return std::move(*read);
}
}  // namespace

options options_of(runtime::settings const& settings) {
  options result{.cluster = settings.cluster,
                 .data = variable("KOPIUR_DATA", "kopiur-data"),
                 .manifests = variable("KOPIUR_MANIFESTS"),
                 .mover = variable("KOPIUR_MOVER", "kopiur-mover"),
                 .configurations = runtime::read_configurations(systems(), settings.configuration),
                 .restore_by_request = variable("KOPIUR_RESTORE_BY_REQUEST") == "true",
                 .stand_by = true};
  if (settings.adapter == "kubernetes")
    result.kubernetes = {.kubeconfig = variable("KOPIUR_KUBECONFIG"),
                         .context = variable("KOPIUR_CONTEXT"),
                         .own_namespace = variable("KOPIUR_NAMESPACE"),
                         .only_namespace = variable("KOPIUR_ONLY_NAMESPACE"),
                         .mover_image = variable("KOPIUR_MOVER_IMAGE"),
                         .mover_pull_policy = variable("KOPIUR_MOVER_PULL_POLICY", "IfNotPresent"),
                         .mover_resources = object_of("KOPIUR_MOVER_RESOURCES", R"({"requests":{"memory":"256Mi"}})"),
                         .systems = entries_of(variable("KOPIUR_SYSTEMS", "kopiur")),
                         .images = pairs_of("KOPIUR_IMAGES", "executor=registry/executor:1"),
                         .other_operators = pairs_of("KOPIUR_OTHER_OPERATORS", "hypershift=hypershift/operator"),
                         .hooks_http_allow = entries_of(variable("KOPIUR_HOOKS_HTTP_ALLOW")),
                         .cluster_domain = variable("KOPIUR_CLUSTER_DOMAIN", "cluster.local"),
                         .webhook = variable("KOPIUR_WEBHOOK"),
                         .webhook_certificate = variable("KOPIUR_WEBHOOK_CERTIFICATE", "/etc/kopiur/webhook/tls.crt"),
                         .webhook_key = variable("KOPIUR_WEBHOOK_KEY", "/etc/kopiur/webhook/tls.key"),
                         .webhook_client_ca = variable("KOPIUR_WEBHOOK_CLIENT_CA"),
                         .webhook_service = variable("KOPIUR_WEBHOOK_SERVICE"),
                         .webhook_secret = variable("KOPIUR_WEBHOOK_SECRET"),
                         .webhook_configuration = variable("KOPIUR_WEBHOOK_CONFIGURATION")};
  else if (settings.adapter != "local")
    throw std::invalid_argument("KOPIUR_ADAPTER is \"" + settings.adapter + "\": it has to be local or kubernetes.");
  return result;
}

}  // namespace kopiur::gateway
