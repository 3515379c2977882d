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

/// Requests under way. Each has a token, which its answer is sent to, and a turn, which is never given twice. A token that was answered is
/// used again: the server remembers the way to a subject that it has just seen. One that failed is not, for its answer may still come.
/// Handlers run inside answer(), fail(), fail_all() and sweep(); they may add().
class pending_requests {
 public:
  using steady = std::chrono::steady_clock;
  using reply = std::expected<message, error>;
  using handler = asio::any_completion_handler<void(reply)>;
  struct ticket {
    std::uint64_t token = 0;  ///< never 0 of a request
    std::uint64_t turn = 0;
    bool operator==(ticket const&) const = default;
  };

  /// What the next add() gives.
  ticket next() const;
  /// `subject` stays until the handler has run. `bytes` are its share of bytes().
  ticket add(handler done, std::string const& subject, std::size_t bytes, steady::time_point deadline);
  /// Ends the one who waits at that token; nobody does when the answer is late.
  void answer(std::uint64_t token, message);
  /// Ends that one, unless it has ended.
  void fail(ticket, error why);
  /// Ends all that wait now.
  void fail_all(error const& why);
  /// Ends those whose time is up, the oldest first; `limit` is for the text.
  void sweep(steady::time_point now, duration limit);
  /// Somebody's request met no responder, and it is not known whose: those who wait now wait a little, and are told so then.
  void nobody_there(steady::time_point now);
  /// Those who wait for an answer from that subject.
  std::vector<ticket> of(std::string_view subject) const;
  std::size_t bytes() const { return bytes_; }

 private:
  struct place {
    ticket who;
    handler done;  // empty: free
    steady::time_point deadline{};
    std::string const* subject = nullptr;
    std::size_t bytes = 0;
    bool nobody_there = false;
  };
  place* find(std::uint64_t token);
  handler vacate(place&);
  std::vector<ticket> waiting(auto which) const;

  std::vector<place> places_;
  std::vector<std::uint64_t> free_;  // tokens, the last used on top
  std::uint64_t turns_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace kopiur::bus
