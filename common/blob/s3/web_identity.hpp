#pragma once
#include <filesystem>

#include "common/blob/s3/core/web_identity.hpp"
#include "common/blob/store.hpp"
#include "common/blob/transport.hpp"
#include "common/time/backoff.hpp"

namespace kopiur::blob::s3 {

/// A role that a token stands for.
struct web_identity {
  std::string endpoint;  ///< of STS, see sts_endpoint()
  std::string role;      ///< ARN
  std::filesystem::path token_file;
  std::string session;  ///< as in web_identity_form()
  http::certificates trusted{};
  http::patience limits{};
  int attempts = 5;
  backoff_policy pauses{.first = duration(200), .limit = duration(20'000)};
};

/// Credentials for one hour. Reads the token at each call, because the kubelet replaces it; no message contains it. `time` outlives it.
awaitable_result<temporary_credentials> assume_role(clock& time, transport through, web_identity what);

}  // namespace kopiur::blob::s3
