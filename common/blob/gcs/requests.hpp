#pragma once
#include "common/blob/core/uri.hpp"
#include "common/blob/gcs/access_token.hpp"
#include "common/blob/gcs/core/messages.hpp"

namespace kopiur::blob::gcs {

struct options {
  std::string endpoint = "https://storage.googleapis.com";  ///< without a path
  token_source tokens{};                                    ///< empty: there are no credentials, which only an emulator (`http://`) takes
  http::certificates trusted{};
  http::patience limits{};  ///< of each attempt
  int attempts = 5;
  backoff_policy pauses{.first = duration(200), .limit = duration(20'000)};
  std::uint64_t chunk_size = 8 << 20;  ///< of resumable uploads, in bytes: a multiple of 256 KiB
};

/// One request, before it is authorised.
struct request {
  std::string action;  ///< the beginning of a sentence
  std::string method = "GET";
  std::string target;  ///< the path, encoded; that of a session with its query, which authorises the request
  parameters query{}, headers{};
  std::string body{};
  subject about = subject::object;
  bool once = false;  ///< not repeated here: the caller must know how far the first attempt came
};

/// An answer with its whole body.
struct document {
  http::answer_head head;
  std::string text;
};

/// Authorises requests and sends them, and retries what may pass. One loop; what it is given outlives it.
class requests {
 public:
  requests(clock& time, transport transport, options options)
      : time_(time), transport_(std::move(transport)), options_(std::move(options)) {}

  /// Gets a token, so that a later failure is one of the store.
  awaitable_result<void> authorise(std::string action);
  /// The answer with status 2xx, and of a session with 308.
  awaitable_result<document> read(request what);
  /// Such an answer, its body not read.
  awaitable_result<http_answer> ask(request what);
  /// A pause after that many failures. `luck` spreads the pauses of several callers.
  boost::asio::awaitable<void> pause(int failures, std::string const& luck);
  /// An answer that is not what it should be, as an error.
  static error malformed(std::string const& action, std::string const& why);

  options const& settings() const { return options_; }
  clock& time() const { return time_; }

 private:
  struct answered;
  std::string problem() const;
  awaitable_result<std::string> token(std::string const& action);
  http::streamed_request prepare(request const& what, std::string const& token) const;
  awaitable_result<answered> try_once(request const& what, std::string const& token, bool whole);
  awaitable_result<answered> repeat(request what, bool whole);

  clock& time_;
  transport transport_;
  options options_;
};

}  // namespace kopiur::blob::gcs
