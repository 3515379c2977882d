#pragma once
#include <boost/asio/any_completion_handler.hpp>
#include <chrono>
#include <cstdint>
#include <deque>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "common/bus/message.hpp"
#include "common/time/instant.hpp"

namespace kopiur::bus {

namespace asio = boost::asio;

/// Requests under way, by token. All have the same limit and tokens only grow, so a deque is sorted by deadline and found by index, and one
/// timer does for all. Handlers run inside finish(), fail_all() and sweep(); they may add().
class pending_requests {
 public:
  using steady = std::chrono::steady_clock;
  using reply = std::expected<message, error>;
  using handler = asio::any_completion_handler<void(reply)>;

  /// The token that the next add() gives.
  std::uint64_t next() const { return first_ + waiting_.size(); }
  /// `subject` stays until the handler has run. `bytes` are its share of bytes().
  std::uint64_t add(handler done, std::string const& subject, std::size_t bytes, steady::time_point deadline);
  /// Ends one; an unknown token is a late answer, and ignored.
  void finish(std::uint64_t token, reply outcome);
  /// Ends all that wait now.
  void fail_all(error const& why);
  /// Ends those whose time is up; `limit` is for the text.
  void sweep(steady::time_point now, duration limit);
  /// Somebody's request met no responder, and it is not known whose: those who wait now wait a little, and are told so then.
  void nobody_there(steady::time_point now);
  /// The tokens of those who wait for an answer from that subject.
  std::vector<std::uint64_t> of(std::string_view subject) const;
  std::size_t bytes() const { return bytes_; }

 private:
  struct waiter {
    steady::time_point deadline;
    handler done;  // empty once done
    std::string const* subject;
    std::size_t bytes;
    bool nobody_there = false;
  };
  std::deque<waiter> waiting_;  // [i] has token first_ + i; the first is never done
  std::uint64_t first_ = 1;
  std::size_t bytes_ = 0;
};

}  // namespace kopiur::bus
