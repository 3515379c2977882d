#include "services/gateway/core/credentials_form.hpp"

#include <ranges>

#include "common/encoding/text.hpp"
#include "common/json/value.hpp"

namespace kopiur::gateway {

using proto::credentials_mode;

namespace {

/// The value of `NAME=value` among the lines; empty: no line has it.
std::string line_value(std::string_view lines, std::string_view name) {
  for (auto line : lines | std::views::split('\n')) {
    auto text = encoding::trimmed({line.begin(), line.end()});
    if (text.starts_with(name)) return std::string(encoding::trimmed(text.substr(name.size())));
  }
  return {};
}

outcome<proto::credentials_form> missing(std::string_view keys) {
  return refuse(proto::answer_code::NotFound, "The Secret has no key " + std::string(keys) + " with content: add it.");
}

outcome<proto::credentials_form> form_of_aws(std::optional<std::string> const& credentials) {
  std::string text(encoding::trimmed(credentials ? *credentials : ""));
  if (text.empty()) return missing(credentials_key);
  if (text.starts_with("arn:")) return proto::credentials_form{.mode = credentials_mode::WebIdentity, .key = {}, .role_ARN = text};
  return proto::credentials_form{.mode = credentials_mode::File, .key = std::string(credentials_key), .role_ARN = {}};
}

outcome<proto::credentials_form> form_of_azure(std::optional<std::string> const& credentials, std::optional<std::string> const& settings) {
  if (auto client = line_value(settings.value_or(""), "AZURE_CLIENT_ID="); !client.empty())
    return proto::credentials_form{.mode = credentials_mode::WorkloadIdentity, .key = {}, .role_ARN = {}, .client_id = client};
  if (!credentials || encoding::trimmed(*credentials).empty()) return missing("cloud or credentials");
  auto read = json::parse(*credentials);
  bool by_secret = read && !read->text("clientSecret").empty();
  return proto::credentials_form{.mode = by_secret ? credentials_mode::ClientSecret : credentials_mode::ManagedIdentity,
                                 .key = std::string(credentials_key),
                                 .role_ARN = {}};
}

}  // namespace

outcome<proto::credentials_form> form_of(proto::credentials_cloud cloud, std::optional<std::string> const& credentials,
                                         std::optional<std::string> const& settings) {
  return cloud == proto::credentials_cloud::Aws ? form_of_aws(credentials) : form_of_azure(credentials, settings);
}

}  // namespace kopiur::gateway
