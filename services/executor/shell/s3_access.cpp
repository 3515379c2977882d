#include "services/executor/shell/s3_access.hpp"

#include <boost/asio.hpp>

#include "common/blob/s3/core/credentials_file.hpp"
#include "common/blob/s3/web_identity.hpp"
#include "common/files/files.hpp"

namespace kopiur::executor {

namespace {

namespace s3 = blob::s3;
using credentials_result = std::expected<s3::credentials, std::string>;

credentials_result read_credentials(std::string const& file) {
  auto text = files::read_file(file);
  if (!text) return std::unexpected("The credentials file " + file + " does not exist. Mount the Secret there, or correct the path.");
  auto read = s3::read_credentials_file(*text);
  if (!read) return std::unexpected(read.error() + " The file is " + file + ".");
  return read;
}

s3::credentials keys_of(environment const& variables) {
  return {.access_key = variable(variables, "AWS_ACCESS_KEY_ID"),
          .secret_key = variable(variables, "AWS_SECRET_ACCESS_KEY"),
          .session_token = variable(variables, "AWS_SESSION_TOKEN")};
}

std::string no_credentials(s3_caller const& caller) {
  std::string keys = caller.may_have_keys ? "or set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, " : "";
  return "There are no credentials. Give --credentials-file, " + keys + "or set AWS_ROLE_ARN and AWS_WEB_IDENTITY_TOKEN_FILE for a role.";
}

app::awaitable<credentials_result> assume_role(clock& time, blob::transport through, snapshot_upload what, environment variables,
                                               http::certificates trusted, s3_caller caller) {
  s3::web_identity role{.endpoint = what.sts_endpoint.empty() ? s3::sts_endpoint(what.aws_region) : what.sts_endpoint,
                        .role = variable(variables, "AWS_ROLE_ARN"),
                        .token_file = variable(variables, "AWS_WEB_IDENTITY_TOKEN_FILE"),
                        .session = caller.session};
  role.trusted = std::move(trusted);
  if (role.role.empty() || role.token_file.empty()) co_return std::unexpected(no_credentials(caller));
  auto got = co_await s3::assume_role(time, std::move(through), std::move(role));
  if (!got) co_return std::unexpected(got.error().message);
  co_return std::move(got->who);
}

}  // namespace

app::awaitable<std::expected<s3::options, std::string>> s3_access(clock& time, blob::transport through, snapshot_upload what,
                                                                  environment variables, http::certificates trusted, s3_caller caller) {
  credentials_result who = caller.may_have_keys ? keys_of(variables) : s3::credentials();
  if (!what.credentials_file.empty())
    who = read_credentials(what.credentials_file);
  else if (who->access_key.empty() || who->secret_key.empty())
    who = co_await assume_role(time, std::move(through), what, std::move(variables), trusted, std::move(caller));
  if (!who) co_return std::unexpected(std::move(who.error()));
  bool aws = what.endpoint.empty();
  co_return s3::options{.endpoint = aws ? s3::s3_endpoint(what.aws_region) : what.endpoint,
                        .region = what.aws_region,
                        .addressing = aws ? s3::style::virtual_host : s3::style::path,
                        .identity = [known = std::move(*who)] { return known; },
                        .trusted = std::move(trusted)};
}

}  // namespace kopiur::executor
