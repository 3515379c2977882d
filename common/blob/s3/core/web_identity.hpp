#pragma once
#include "common/blob/error.hpp"
#include "common/blob/s3/core/signature.hpp"

/// Credentials for a token of an identity provider, such as a Kubernetes cluster: AssumeRoleWithWebIdentity of AWS STS, without I/O.
namespace kopiur::blob::s3 {

struct temporary_credentials {
  credentials who;
  instant expires;
};

/// The body of the request. `session`: a name for AWS's logs, 2 to 64 letters, digits and _=,.@-.
std::string web_identity_form(std::string const& role, std::string const& token, std::string const& session);
/// The answer with status 200. The error is a clause.
std::expected<temporary_credentials, std::string> read_temporary_credentials(std::string_view text);
/// Why STS refused. `action` begins the sentence: `Assuming the role x`.
error sts_error(int status, std::string_view body, std::string const& action);
/// `https://sts.eu-west-1.amazonaws.com`
std::string sts_endpoint(std::string const& region);
/// `https://s3.eu-west-1.amazonaws.com`
std::string s3_endpoint(std::string const& region);

}  // namespace kopiur::blob::s3
