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

/// Structured concurrency: three primitives, and no other way to start a coroutine. Asio's `||` and `&&` are not used: they wait for the
/// first success, so an error waits for the timer (asio #900, #1123), and they lose which side failed (asio #1715).
namespace kopiur::app {

namespace asio = boost::asio;
template <class T>
using awaitable = asio::awaitable<T>;

struct timed_out : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Runs both. The first to end, by value or by exception, cancels the other, which is awaited before this returns.
awaitable<void> first_of(awaitable<void> a, awaitable<void> b);

/// Runs `work` for at most `limit` of steady time. After that it is cancelled and awaited, and timed_out(what) is thrown. An error of
/// `work` is rethrown at once.
awaitable<void> within(clock& time, duration limit, awaitable<void> work, std::string what);

/// True when `failed` says that a coroutine was cancelled, which is not an error.
bool is_cancelled(std::exception_ptr failed);

/// Wakes all waiters at once. It uses no timer that never expires: such a timer costs a system call at each step of the loop. One loop, no
/// threads.
class signal {
 public:
  explicit signal(asio::any_io_executor const& loop) : waiting_(loop) {}
  void notify_all() { waiting_.cancel(); }
  /// Returns at the next notify_all(), and also when it is cancelled or the signal is destroyed: the caller checks its own condition.
  awaitable<void> wait();

 private:
  asio::experimental::channel<void(boost::system::error_code)> waiting_;  // nothing is ever sent
};

/// Owns coroutines: join() awaits everything that was spawned. The first that fails cancels the others, and join() rethrows its error.
class nursery {
 public:
  explicit nursery(asio::any_io_executor loop) : loop_(std::move(loop)), idle_(loop_) {}
  nursery(nursery const&) = delete;
  ~nursery();

  /// Starts `work`. It must own its values: references may dangle before join().
  void spawn(awaitable<void> work);
  /// Requests all to stop; join() then waits for them.
  void cancel();
  /// Waits until all have ended; rethrows the first error. Cancelling the join cancels all, waits for them, and throws operation_aborted.
  awaitable<void> join();
  std::size_t alive() const { return running_.size(); }

 private:
  void ended(std::list<asio::cancellation_signal>::iterator who, std::exception_ptr failed);

  asio::any_io_executor loop_;
  signal idle_;  // notified when the last one ends
  std::list<asio::cancellation_signal> running_;
  std::exception_ptr first_error_;
};

/// Wakes waiters by notify(). Level-triggered loops check their state, wait, and check again. One loop, no threads.
class event {
 public:
  explicit event(asio::any_io_executor const& loop) : changed_(loop) {}
  void notify() { ++epoch_, changed_.notify_all(); }
  /// Returns at the next notify() after `seen` was read from epoch(), or at once when that notify() has already happened. Can be cancelled.
  awaitable<void> wait(std::uint64_t seen);
  std::uint64_t epoch() const { return epoch_; }

 private:
  signal changed_;
  std::uint64_t epoch_ = 0;
};

}  // namespace kopiur::app
