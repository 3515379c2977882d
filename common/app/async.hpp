#pragma once
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/experimental/channel.hpp>
#include <exception>
#include <list>
#include <stdexcept>
#include <string>

#include "common/time/clock.hpp"

/// Structured concurrency: three primitives, and no other way to start something. Why not `||` and `&&` of Asio: they wait for the first
/// success, so an error waits for the timer (asio #900, #1123), and lose which side failed (asio #1715).
namespace kopiur::app {

namespace asio = boost::asio;
template <class T>
using awaitable = asio::awaitable<T>;

struct timed_out : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Runs both; whichever ends first, by value or by exception, cancels the other, which is awaited before this returns.
awaitable<void> first_of(awaitable<void> a, awaitable<void> b);

/// Runs `work`, at most `limit` of steady time: then it is cancelled, awaited, and timed_out(what) is thrown. A failing `work` surfaces at
/// once.
awaitable<void> within(clock& time, duration limit, awaitable<void> work, std::string what);

/// True when `failed` says that a coroutine was cancelled, which is not an error.
bool is_cancelled(std::exception_ptr failed);

/// Waiters that are woken all at once. No timer that never expires: that has the operating system asked at each step of the loop. One loop,
/// no threads.
class signal {
 public:
  explicit signal(asio::any_io_executor const& loop) : waiting_(loop) {}
  void notify_all() { waiting_.cancel(); }
  /// Returns at the next notify_all(), and also when it is cancelled or the signal goes: the caller looks at what it waits for.
  awaitable<void> wait();

 private:
  asio::experimental::channel<void(boost::system::error_code)> waiting_;  // nobody sends
};

/// Owns coroutines: what is spawned here is awaited by join(). The first that fails cancels the others, and join() rethrows it.
class nursery {
 public:
  explicit nursery(asio::any_io_executor loop) : loop_(std::move(loop)), idle_(loop_) {}
  nursery(nursery const&) = delete;
  ~nursery();

  /// Starts `work`; it takes values, not references to what may go before join().
  void spawn(awaitable<void> work);
  /// Asks all to stop; join() then waits for them.
  void cancel();
  /// Waits until all have ended; rethrows the first error. Cancelling the join cancels all, waits for them, and throws operation_aborted.
  awaitable<void> join();
  std::size_t alive() const { return running_.size(); }

 private:
  void ended(std::list<asio::cancellation_signal>::iterator who, std::exception_ptr failed);

  asio::any_io_executor loop_;
  signal idle_;  // rings whenever the last one ends
  std::list<asio::cancellation_signal> running_;
  std::exception_ptr first_error_;
};

/// Waiters are woken by notify(); level-triggered loops check their state, wait, and check again. One loop, no threads.
class event {
 public:
  explicit event(asio::any_io_executor const& loop) : changed_(loop) {}
  void notify() { ++epoch_, changed_.notify_all(); }
  /// Returns at the next notify() after `seen` was read from epoch(); at once when that was already. Can be cancelled.
  awaitable<void> wait(std::uint64_t seen);
  std::uint64_t epoch() const { return epoch_; }

 private:
  signal changed_;
  std::uint64_t epoch_ = 0;
};

}  // namespace kopiur::app
