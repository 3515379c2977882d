#include "common/blob/s3/core/web_identity.hpp"

#include <array>

#include "common/blob/core/xml_document.hpp"
#include "common/blob/s3/core/classify.hpp"

namespace kopiur::blob::s3 {

namespace {

constexpr std::array meanings{
    meaning{
        "AccessDenied", failure::denied,
        "Allow it in the role's trust policy: this cluster's identity provider, the audience sts.amazonaws.com, and the service account"},
    meaning{"InvalidIdentityToken", failure::denied,
            "Create an identity provider for this cluster's issuer in the account of the role, with the audience sts.amazonaws.com"},
    meaning{"ExpiredTokenException", failure::denied, "Check that the token is renewed, and that the clock of this machine is right"},
    meaning{"ValidationError", failure::invalid, "Check the ARN of the role"},
    meaning{"RegionDisabledException", failure::invalid, "Enable STS for the region in the account, or name another STS endpoint"},
    meaning{"IDPCommunicationError", failure::unavailable, "Check that AWS can reach the cluster's issuer"},
    meaning{"Throttling", failure::unavailable},
};

std::string domain_of(std::string const& region) {
  return "." + region + (region.starts_with("cn-") ? ".amazonaws.com.cn" : ".amazonaws.com");
}

}  // namespace

std::string web_identity_form(std::string const& role, std::string const& token, std::string const& session) {
  return encoded_query({{"Action", "AssumeRoleWithWebIdentity"},
                        {"Version", "2011-06-15"},
                        {"RoleArn", role},
                        {"RoleSessionName", session},
                        {"WebIdentityToken", token}});
}

std::expected<temporary_credentials, std::string> read_temporary_credentials(std::string_view text) {
  pugi::xml_document document;
  if (auto wrong = load(document, text, "AssumeRoleWithWebIdentityResponse"); !wrong.empty()) return std::unexpected(wrong);
  auto from = document.document_element().child("AssumeRoleWithWebIdentityResult").child("Credentials");
  temporary_credentials out{.who = {.access_key = from.child_value("AccessKeyId"),
                                    .secret_key = from.child_value("SecretAccessKey"),
                                    .session_token = from.child_value("SessionToken")},
                            .expires = {}};
  if (out.who.access_key.empty() || out.who.secret_key.empty() || out.who.session_token.empty())
    return std::unexpected("it has no <Credentials>, or they are not complete");
  auto expires = instant_from(from.child_value("Expiration"));
  if (!expires) return std::unexpected("its <Expiration> is not a time");
  out.expires = *expires;
  return out;
}

error sts_error(int status, std::string_view body, std::string const& action) {
  pugi::xml_document document;
  refusal answer{.status = status};
  if (load(document, body, "ErrorResponse").empty()) {
    auto root = document.document_element();
    auto from = root.child("Error");
    answer.document = {.code = from.child_value("Code"), .message = from.child_value("Message"), .request = root.child_value("RequestId")};
  }
  return classify(answer, action, {"STS", meanings});
}

std::string sts_endpoint(std::string const& region) { return "https://sts" + domain_of(region); }
std::string s3_endpoint(std::string const& region) { return "https://s3" + domain_of(region); }

}  // namespace kopiur::blob::s3
