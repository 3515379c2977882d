#pragma once
#include "common/blob/azure/core/shared_key.hpp"
#include "common/blob/store.hpp"
#include "common/blob/transport.hpp"
#include "common/time/backoff.hpp"

namespace kopiur::blob::azure {

struct options {
  std::string endpoint;  ///< `https://ACCOUNT.blob.core.windows.net`; may have a path
  std::string account;
  std::string key{};    ///< of the account, decoded; empty: the token counts
  std::string token{};  ///< of an identity, only over TLS
  http::certificates trusted{};
  http::patience limits{};  ///< of each attempt
  int attempts = 5;
  backoff_policy pauses{.first = duration(200), .limit = duration(20'000)};
  std::uint64_t block_size = 4 << 20;  ///< at least, in bytes
};

/// One request, before it is authorised.
struct request {
  std::string action;  ///< the beginning of a sentence
  std::string method = "PUT";
  std::string container, name;
  parameters query{}, headers{};
  std::string body{};
};

/// Authorises requests and sends them, and retries what may pass. One loop; what it is given outlives it.
class requests {
 public:
  requests(clock& time, transport transport, options options)
      : time_(time), transport_(std::move(transport)), options_(std::move(options)) {}
  /// The header of an answer with status 2xx.
  awaitable_result<http::answer_head> send(request what);
  /// Such an answer, its body not read.
  awaitable_result<http_answer> ask(request what);

 private:
  std::expected<http::streamed_request, std::string> prepare(request const& what) const;
  awaitable_result<http_answer> try_once(http::streamed_request prepared, request const& what, bool whole);
  awaitable_result<http_answer> repeat(request what, bool whole);

  clock& time_;
  transport transport_;
  options options_;
};

}  // namespace kopiur::blob::azure
