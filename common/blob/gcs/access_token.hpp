#pragma once
#include "common/blob/gcs/core/identity.hpp"
#include "common/blob/store.hpp"
#include "common/blob/transport.hpp"
#include "common/time/backoff.hpp"

namespace kopiur::blob::gcs {

/// Gives a token that is good for some minutes more. Copies share it.
using token_source = std::function<awaitable_result<std::string>()>;

/// How tokens are fetched.
struct authority {
  http::certificates trusted{};
  http::patience limits{};
  int attempts = 5;
  backoff_policy pauses{.first = duration(200), .limit = duration(20'000)};
};

/// Whether assertions and tokens may be sent there: by https to a host of googleapis.com, or to an IP address of this machine. The
/// addresses come from users, and these secrets are worth more than what is stored.
bool may_hold_credentials(http::address const& where);

/// Tokens of a service account. They are kept until five minutes before their end. No message contains a secret. `time` outlives it.
token_source tokens_of(clock& time, transport through, service_account who, authority from = {});
/// The same of the identity of this pod or machine. `host`: of the metadata server, with an optional port: the value of GCE_METADATA_HOST.
token_source metadata_tokens(clock& time, transport through, std::string host = "metadata.google.internal", authority from = {});

}  // namespace kopiur::blob::gcs
