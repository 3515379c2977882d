#pragma once
#include "common/blob/azure/core/identity.hpp"
#include "common/blob/store.hpp"
#include "common/blob/transport.hpp"
#include "common/time/backoff.hpp"

namespace kopiur::blob::azure {

/// Where tokens come from.
struct authority {
  std::string url = "https://login.microsoftonline.com";
  http::certificates trusted{};
  http::patience limits{};
  int attempts = 5;
  backoff_policy pauses{.first = duration(200), .limit = duration(20'000)};
};

/// A token for Azure Storage, good for about an hour. No message contains a secret. `time` outlives it.
awaitable_result<std::string> fetch_token(clock& time, transport through, authority from, application who);

}  // namespace kopiur::blob::azure
