#include "common/blob/azure/core/identity.hpp"

#include <array>
#include <map>

#include "common/blob/core/oauth.hpp"
#include "common/blob/core/uri.hpp"
#include "common/encoding/base64.hpp"
#include "common/encoding/text.hpp"
#include "common/json/value.hpp"

namespace kopiur::blob::azure {

namespace {

constexpr std::array meanings{
    meaning{
        "invalid_client", failure::denied,
        "Check the client's secret; for a token of Kubernetes, add a federated credential for this cluster's issuer and service account"},
    meaning{"unauthorized_client", failure::denied, "Check the client id and the tenant id"},
    meaning{"invalid_request", failure::invalid, "Check the tenant id"},
    meaning{"temporarily_unavailable", failure::unavailable},
};

std::map<std::string, std::string> read_lines(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\"";
  std::map<std::string, std::string> out;
  while (!text.empty()) {
    auto end = std::min(text.find('\n'), text.size());
    auto line = text.substr(0, end);
    if (auto sign = line.find('='); sign != line.npos)
      out[std::string(encoding::trimmed(line.substr(0, sign), blanks))] = encoding::trimmed(line.substr(sign + 1), blanks);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

std::expected<credentials, std::string> checked(credentials found) {
  auto& who = found.who;
  if (found.account_key.empty() && (who.tenant.empty() || who.client.empty() || who.secret.empty()))
    return std::unexpected(
        "The credentials are not complete. Write JSON with tenantId, clientId and clientSecret, or a line "
        "AZURE_STORAGE_ACCOUNT_ACCESS_KEY=...");
  return found;
}

}  // namespace

std::expected<credentials, std::string> read_credentials(std::string_view text) {
  if (auto read = json::parse(text); read && read->is_object())
    return checked({.who = {.tenant = std::string(read->text("tenantId")),
                            .client = std::string(read->text("clientId")),
                            .secret = std::string(read->text("clientSecret"))}});
  auto lines = read_lines(text);
  auto key = encoding::from_base64(lines["AZURE_STORAGE_ACCOUNT_ACCESS_KEY"]);
  if (!key) return std::unexpected("AZURE_STORAGE_ACCOUNT_ACCESS_KEY of the credentials is not base64. Copy the key again.");
  return checked({.who = {.tenant = lines["AZURE_TENANT_ID"], .client = lines["AZURE_CLIENT_ID"], .secret = lines["AZURE_CLIENT_SECRET"]},
                  .account_key = std::move(*key)});
}

std::string token_path(application const& who) { return "/" + encoded(who.tenant) + "/oauth2/v2.0/token"; }

std::string token_form(application const& who) {
  parameters form{{"client_id", who.client}, {"grant_type", "client_credentials"}, {"scope", "https://storage.azure.com/.default"}};
  if (who.assertion.empty()) {
    form.emplace_back("client_secret", who.secret);
  } else {
    form.emplace_back("client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer");
    form.emplace_back("client_assertion", who.assertion);
  }
  return encoded_query(form);
}

error token_error(int status, std::string_view body, std::string const& action) {
  return blob::token_error(status, body, action, {"Entra ID", meanings});
}

}  // namespace kopiur::blob::azure
