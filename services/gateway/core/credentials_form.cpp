#include "services/gateway/core/credentials_form.hpp"

#include <ranges>

#include "common/encoding/text.hpp"
#include "common/json/value.hpp"

namespace kopiur::gateway {

using proto::credentials_mode;

namespace {

/// The value of `NAME=value` among the lines, which may be in quotes; empty: no line has it.
std::string line_value(std::string_view lines, std::string_view name) {
  for (auto line : lines | std::views::split('\n')) {
    auto text = encoding::trimmed({line.begin(), line.end()});
    if (text.starts_with(name)) return std::string(encoding::trimmed(text.substr(name.size()), " \t\r\"'"));
  }
  return {};
}

outcome<proto::credentials_form> missing(std::string_view keys) {
  return refuse(proto::answer_code::NotFound, "The Secret has no key " + std::string(keys) + " with content: add it.");
}

outcome<proto::credentials_form> form_of_aws(std::optional<std::string> const& credentials) {
  std::string text(encoding::trimmed(credentials ? *credentials : ""));
  if (text.empty()) return missing(credentials_key);
  proto::credentials_form form;
  if (text.starts_with("arn:"))
    form.mode = credentials_mode::WebIdentity, form.role_ARN = text;
  else
    form.key = credentials_key;
  return form;
}

/// Azure's token service needs the tenant, and nothing else in the pod says it.
outcome<proto::credentials_form> workload_identity(std::string client, std::string_view settings) {
  proto::credentials_form form{.mode = credentials_mode::WorkloadIdentity};
  form.client_id = std::move(client), form.tenant_id = line_value(settings, "AZURE_TENANT_ID=");
  if (!form.tenant_id.empty()) return form;
  return refuse(proto::answer_code::NotFound, "The key cloud names a client, but no tenant: add a line AZURE_TENANT_ID=... to it.");
}

outcome<proto::credentials_form> form_of_azure(std::optional<std::string> const& credentials, std::optional<std::string> const& settings) {
  if (auto client = line_value(settings.value_or(""), "AZURE_CLIENT_ID="); !client.empty())
    return workload_identity(std::move(client), *settings);
  if (!credentials || encoding::trimmed(*credentials).empty()) return missing("cloud or credentials");
  auto read = json::parse(*credentials);
  bool by_secret = read && !read->text("clientSecret").empty();
  proto::credentials_form form{.mode = by_secret ? credentials_mode::ClientSecret : credentials_mode::ManagedIdentity};
  form.key = credentials_key;
  return form;
}

}  // namespace

outcome<proto::credentials_form> form_of(proto::credentials_cloud cloud, std::optional<std::string> const& credentials,
                                         std::optional<std::string> const& settings) {
  return cloud == proto::credentials_cloud::Aws ? form_of_aws(credentials) : form_of_azure(credentials, settings);
}

}  // namespace kopiur::gateway
