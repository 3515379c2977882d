#pragma once
#include <boost/asio/any_completion_handler.hpp>
#include <chrono>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "common/bus/message.hpp"
#include "common/time/instant.hpp"

namespace kopiur::bus {

namespace asio = boost::asio;

/// Requests in flight. Each has a token, the address of its answer, and a number that is never reused (`turn`). A token is reused after its
/// answer, because the server caches the route to a subject that it has just seen. A token whose request failed is not reused, because its
/// answer may still arrive. Handlers run inside answer(), fail(), fail_all() and sweep(); they may call add().
class pending_requests {
 public:
  using steady = std::chrono::steady_clock;
  using reply = std::expected<message, error>;
  using handler = asio::any_completion_handler<void(reply)>;
  struct ticket {
    std::uint64_t token = 0;  ///< 0 is never the token of a request
    std::uint64_t turn = 0;
    bool operator==(ticket const&) const = default;
  };

  /// The ticket that the next add() returns.
  ticket next() const;
  /// `subject` must exist until the handler has run. `bytes` count towards bytes().
  ticket add(handler done, std::string const& subject, std::size_t bytes, steady::time_point deadline);
  /// Completes the request with that token; does nothing when the answer is late.
  void answer(std::uint64_t token, message);
  /// Fails that request, unless it has completed.
  void fail(ticket, error why);
  /// Fails all requests that are pending at the time of the call.
  void fail_all(error const& why);
  /// Fails the requests whose deadline has passed, the oldest first; `limit` is for the error text.
  void sweep(steady::time_point now, duration limit);
  /// A request met no responder, and it is unknown which. All pending requests get 250 ms more, then fail with no_responders.
  void nobody_there(steady::time_point now);
  /// The pending requests to that subject.
  std::vector<ticket> of(std::string_view subject) const;
  std::size_t bytes() const { return bytes_; }

 private:
  struct request {
    ticket who;
    handler done;  // empty: free
    steady::time_point deadline{};
    std::string const* subject = nullptr;
    std::size_t bytes = 0;
    bool nobody_there = false;
  };
  request* find(std::uint64_t token);
  handler vacate(request&);
  std::vector<ticket> waiting(auto which) const;

  std::vector<request> requests_;
  std::vector<std::uint64_t> free_;  // tokens, the last used on top
  std::uint64_t generation_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace kopiur::bus
