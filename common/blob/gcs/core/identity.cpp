#include "common/blob/gcs/core/identity.hpp"

#include <algorithm>
#include <array>

#include "common/blob/core/oauth.hpp"
#include "common/blob/core/rsa.hpp"
#include "common/blob/core/uri.hpp"
#include "common/encoding/base64.hpp"
#include "common/json/value.hpp"

namespace kopiur::blob::gcs {

namespace {

constexpr std::array meanings{
    meaning{"invalid_grant", failure::denied,
            "Check that the service account and its key still exist, and that the clock of this machine is right"},
    meaning{"invalid_client", failure::denied, "Check that the service account still exists"},
    meaning{"unauthorized_client", failure::denied, "Check that the service account still exists"},
    meaning{"internal_failure", failure::unavailable},
};

std::unexpected<std::string> wrong(std::string why) {
  return std::unexpected("The credentials " + why + " Give the JSON key of a service account of Google Cloud.");
}

bool is_visible(std::string_view text) {
  return std::ranges::all_of(text, [](unsigned char c) { return c > 0x20 && c < 0x7F; });
}

}  // namespace

std::expected<service_account, std::string> read_credentials(std::string_view text) {
  auto read = json::parse(text);
  if (!read || !read->is_object()) return wrong("are not a JSON object.");
  auto type = read->text("type");
  if (type == "external_account")
    return wrong("are of the type external_account, which is not supported. For a workload identity on GKE give no credentials.");
  if (type != "service_account") return wrong("are not of the type service_account.");
  service_account who{.email = std::string(read->text("client_email")),
                      .key_id = std::string(read->text("private_key_id")),
                      .key = std::string(read->text("private_key")),
                      .token_uri = std::string(read->text("token_uri"))};
  if (who.email.empty() || who.key.empty() || who.token_uri.empty()) return wrong("lack client_email, private_key or token_uri.");
  if (!is_visible(who.email)) return wrong("have a client_email that holds a blank or another character that none has.");
  return who;
}

std::expected<form, std::string> token_form(service_account const& who, instant now) {
  auto seconds = std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count() - 10;  // Google's clock may be behind ours
  auto header = json::value::make_object();
  header.set("alg", "RS256");
  header.set("typ", "JWT");
  if (!who.key_id.empty()) header.set("kid", who.key_id);
  auto claims = json::value::make_object();
  claims.set("iss", who.email);
  claims.set("scope", "https://www.googleapis.com/auth/devstorage.read_write");
  claims.set("aud", who.token_uri);
  claims.set("iat", seconds);
  claims.set("exp", seconds + 3600);
  auto text = encoding::base64_url(json::dump(header)) + "." + encoding::base64_url(json::dump(claims));
  auto signature = rs256(who.key, text);
  if (!signature) return wrong("have a private_key that is not an RSA key in PEM.");
  auto assertion = text + "." + encoding::base64_url(*signature);
  auto query = encoded_query({{"grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer"}, {"assertion", assertion}});
  return form{.text = std::move(query), .assertion = std::move(assertion)};
}

error token_error(int status, std::string_view body, std::string const& action) {
  return blob::token_error(status, body, action, {"Google", meanings});
}

error metadata_error(int status, std::string_view body, std::string const& action) {
  return blob::token_error(status, body, action, {"the metadata server", {}});
}

}  // namespace kopiur::blob::gcs
