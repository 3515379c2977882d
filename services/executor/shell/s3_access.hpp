#pragma once
#include "common/blob/s3/requests.hpp"
#include "services/executor/shell/verbs.hpp"

namespace kopiur::executor {

/// The access to a bucket: by the credentials file, else by the role of AWS_ROLE_ARN and the token of AWS_WEB_IDENTITY_TOKEN_FILE, for
/// which STS is asked once. The error is a sentence.
app::awaitable<std::expected<blob::s3::options, std::string>> s3_access(clock& time, blob::transport through, snapshot_upload what,
                                                                        environment variables, http::certificates trusted);

}  // namespace kopiur::executor
