#pragma once
#include <deque>
#include <map>
#include <random>

#include "common/app/async.hpp"
#include "common/app/semaphore.hpp"
#include "common/http/connection.hpp"
#include "common/json/value.hpp"
#include "common/kubernetes/error.hpp"
#include "common/kubernetes/exec_plugin.hpp"
#include "common/kubernetes/resource.hpp"
#include "common/time/clock.hpp"

namespace kopiur::kubernetes {

using http::connection, http::wire_answer, http::wire_call;

/// One request to the API.
struct call {
  std::string method = "GET";
  std::string path;                               ///< `/apis/batch/v1/namespaces/ns/jobs/name`, with encoded parts
  std::multimap<std::string, std::string> query;  ///< not encoded; several values of one name keep their order
  json::value body{};                             ///< null: none
  std::string content_type = "application/json";
  std::string accept = "application/json";
  bool at_once = false;  ///< does not wait for a free connection
};

/// Client of one API server, over several persistent connections. One loop, no threads.
class client {
 public:
  struct limits {
    duration connect{10'000}, answer{60'000};
    int attempts = 6;              ///< of requests that may be repeated
    std::size_t connections = 32;  ///< at the same time; later callers wait, in FIFO order
    /// Limit of an answer: a page of 500 objects of 128 KiB, or a namespace of 3,000 pods; the reflector halves a larger page. Parsing
    /// needs several times as many bytes.
    json::bounds content{.bytes = 64 << 20};
  };
  /// Throws std::runtime_error with a sentence when `who` cannot be used.
  client(clock& time, asio::any_io_executor loop, access who, limits limits);
  client(clock& time, asio::any_io_executor loop, access who) : client(time, std::move(loop), std::move(who), limits{}) {}

  /// Sends a request, and repeats it with growing pauses when nothing was done: after 429 (with the server's Retry-After), for reads also
  /// after a failed connection and 5xx, and after 401 once with a new token. A write without an answer is `ambiguous` at once. Can be
  /// cancelled.
  awaitable<result<json::value>> ask(call what);
  /// A separate connection on which `what` was answered with 200, and lines follow. Not repeated.
  awaitable<result<std::unique_ptr<connection>>> stream(call what);
  /// A separate connection that has become a WebSocket of `protocol`, for messages. Not repeated.
  awaitable<result<std::unique_ptr<connection>>> channels(call what, std::string protocol);
  asio::any_io_executor const& executor() const { return loop_; }

 private:
  awaitable<result<json::value>> ask_once(call const& what);
  /// The answer of `work` to the call, in time, or why there is none.
  awaitable<result<wire_answer>> answered(call const& what, awaitable<wire_answer> work);
  awaitable<result<std::unique_ptr<connection>>> connected(std::string const& what);
  /// A separate connection on which `begin` was answered with `good`.
  awaitable<result<std::unique_ptr<connection>>> begun(call what, int good,
                                                       std::function<awaitable<wire_answer>(connection&, wire_call)> begin);
  awaitable<result<void>> identify(std::string const& what);
  bool may_be_known_again() const { return exec_ || !who_.token_file.empty(); }
  awaitable<void> pause(int attempt, duration asked);
  wire_call to_wire(call const& what);
  std::string const& token();

  clock& time_;
  asio::any_io_executor loop_;
  access who_;
  limits limits_;
  http::address where_;
  std::shared_ptr<asio::ssl::context> tls_;
  std::optional<exec_credentials> exec_;
  std::deque<std::unique_ptr<connection>> idle_;
  app::semaphore permits_;
  std::string token_;
  std::optional<instant> token_read_;
  std::minstd_rand luck_{std::random_device{}()};
};

/// The objects of a list; none when it is not a list.
json::array items_of(json::value list);

}  // namespace kopiur::kubernetes
