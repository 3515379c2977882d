#pragma once
#include <map>

#include "common/blob/s3/addressing.hpp"
#include "common/blob/s3/core/classify.hpp"
#include "common/blob/s3/core/signature.hpp"
#include "common/blob/store.hpp"
#include "common/blob/transport.hpp"
#include "common/time/backoff.hpp"
#include "common/time/clock.hpp"

namespace kopiur::blob::s3 {

struct options {
  std::string endpoint;  ///< `https://s3.eu-central-1.amazonaws.com`: without a path
  std::string region = "us-east-1";
  style addressing = style::path;
  std::function<credentials()> identity;  ///< is called for each request; no network
  http::certificates trusted{};           ///< empty: the system's
  http::patience limits{};                ///< of each attempt
  int attempts = 5;
  backoff_policy pauses{.first = duration(200), .limit = duration(20'000)};  ///< between attempts; also limits Retry-After
  std::uint64_t part_size = 8 << 20;  ///< of uploads in parts, at least, in bytes; stores refuse less than 5 MiB
};

/// One request, before it is signed.
struct request {
  std::string action;  ///< the beginning of a sentence: `Listing the bucket x`
  std::string method = "GET";
  std::string bucket, key{};
  parameters query{};
  parameters headers{};
  http::upload body{};
  std::string payload_hash{};  ///< hexadecimal; empty: there is no body, or it is unknown
  bool once = false;           ///< a second attempt may get another answer than the first: error::repeated must say that there was one
};

/// An answer with its whole body.
struct document {
  http::answer_head head;
  std::string text;
};

/// Signs requests and sends them: retries what may pass, and follows a bucket to its region. One loop.
class requests {
 public:
  /// Throws std::runtime_error with a sentence when the endpoint is invalid.
  requests(clock& time, transport transport, options options);

  /// The answer when its status is 2xx. Its body is not read.
  awaitable_result<http_answer> ask(request what);
  /// Such an answer with its body. The document <Error> with status 200 is an error too.
  awaitable_result<document> read(request what);
  /// Only the body of it.
  awaitable_result<std::string> text(request what);
  /// Whether requests are encrypted.
  bool tls() const { return endpoint_.tls; }
  /// An answer that is not what it should be, as an error.
  static error malformed(std::string const& action, std::string const& why);

 private:
  struct attempt;
  std::string region_of(std::string const& bucket) const;
  http::streamed_request prepare(request& what) const;
  awaitable_result<attempt> repeat(request what, bool whole);
  boost::asio::awaitable<attempt> try_once(request& what, bool whole);
  boost::asio::awaitable<attempt> judge(http_answer answer, request const& what);
  attempt refused(refusal why, request const& what) const;
  attempt unanswered(request const& what, std::string const& why) const;
  std::string problem_of(request const& what) const;
  duration pause_after(attempt const& failed, int number, request const& what) const;
  std::string without_secrets(std::string text) const;

  clock& time_;
  transport transport_;
  options options_;
  http::address endpoint_;
  std::map<std::string, std::string> regions_;  // of buckets, where it is not options_.region
  std::string luck_;                            // spreads the pauses of several clients
};

}  // namespace kopiur::blob::s3
