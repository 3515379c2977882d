#pragma once
#include "common/blob/s3/requests.hpp"
#include "services/executor/shell/verbs.hpp"

namespace kopiur::executor {

/// For whom access is wanted.
struct s3_caller {
  std::string session = "etcd-upload";  ///< the name of a role's session, for AWS's logs
  bool may_have_keys = false;           ///< AWS_ACCESS_KEY_ID and its like count too: those of a person at a terminal
};

/// The access to a bucket: by the credentials file, else by the keys in the environment of who may have them, else by the role of
/// AWS_ROLE_ARN and the token of AWS_WEB_IDENTITY_TOKEN_FILE, for which STS is asked once. The error is a sentence.
app::awaitable<std::expected<blob::s3::options, std::string>> s3_access(clock& time, blob::transport through, snapshot_upload what,
                                                                        environment variables, http::certificates trusted,
                                                                        s3_caller caller = {});

}  // namespace kopiur::executor
