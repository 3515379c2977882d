#pragma once
#include <memory>
#include <vector>

#include <boost/asio.hpp>

#include "common/app/fair_queue.hpp"
#include "common/app/steady_time.hpp"
#include "common/app/timer_queue.hpp"

namespace kopiur::app {

/// Work by key, level-triggered: a request says only that something about the key may have changed, and the work looks at all of it. Many
/// requests become one piece of work, each key is worked on by one coroutine at a time, and a request during the work repeats it. Whose
/// turn it is: fair_queue.hpp. One loop, no threads.
template <class Key>
class work_queue {
 public:
  using share_of = typename fair_queue<Key>::share_of;
  using work = std::function<awaitable<void>(Key)>;

  /// `workers`: keys in work at the same time. `share`: whose work it is; one share has at most half of the workers.
  work_queue(clock& time, asio::any_io_executor loop, std::size_t workers, share_of share = {})
      : loop_(loop),
        keys_(workers, std::move(share)),
        timers_(time, loop),
        steady_(time),
        delays_(steady_, loop),
        quiet_delays_(steady_, loop),
        workers_(loop),
        taken_(loop) {}

  void add(Key const& key, urgency priority = urgency::now) {
    keys_.add(key, priority);
    start();
  }
  /// Requests work at that time of the wall clock, instead of an earlier request for another time.
  void add_at(Key const& key, instant when) { timers_.set(key, when); }
  /// Takes back the time that was requested with add_at(); a request that is due stays.
  void clear_time(Key const& key) { timers_.clear(key); }
  /// Requests work after this length of steady time at the latest: work that begins sooner is enough.
  void add_after(Key const& key, duration length, urgency priority = urgency::now) {
    (priority == urgency::now ? delays_ : quiet_delays_).set_at_latest(key, steady_.now() + length);
  }

  /// Requests work on all of the keys, and waits until work that began after this call has ended for each. Can be cancelled, which takes
  /// nothing back.
  awaitable<void> done(std::vector<Key> keys) {
    std::vector<std::shared_ptr<event>> ends;
    for (auto& key : keys) {
      auto& next = next_[key];
      if (!next) next = std::make_shared<event>(loop_);
      ends.push_back(next);
      add(key);
    }
    for (auto& ended : ends) co_await ended->wait(never);
  }
  /// Waits until all background keys have been taken. Can be cancelled.
  awaitable<void> background_taken() {
    for (auto epoch = taken_.epoch(); keys_.has_background(); epoch = taken_.epoch()) co_await taken_.wait(epoch);
  }

  /// Works until it is cancelled, or until `work` throws, which this rethrows. Keys that were added before wait for this.
  awaitable<void> run(work work) {
    work_ = std::move(work), works_ = true;
    workers_.spawn(ring(timers_, urgency::now));
    workers_.spawn(ring(delays_, urgency::now));
    workers_.spawn(ring(quiet_delays_, urgency::background));
    start();
    co_await workers_.join();
  }

  std::size_t in_work() const { return keys_.in_work(); }
  std::size_t waiting() const { return keys_.waiting(); }

 private:
  static constexpr std::uint64_t never = 0;  // the epoch of an event that was not notified yet

  awaitable<void> ring(timer_queue<Key>& timers, urgency priority) {
    try {
      for (;;) add(co_await timers.due(), priority);
    } catch (...) {
      works_ = false;  // shutting down: start no new work
      throw;
    }
  }

  void start() {
    if (!works_) return;
    while (auto key = keys_.take()) workers_.spawn(work_on(*std::move(key)));
    if (!keys_.has_background()) taken_.notify();
  }

  awaitable<void> work_on(Key key) {
    auto ended = next_.extract(key);  // a request from now on is for the next pass
    std::exception_ptr failed;
    try {
      co_await asio::post(loop_, asio::use_awaitable);  // run from the loop, not nested in the caller
      delays_.clear(key), quiet_delays_.clear(key);
      co_await work_(key);
    } catch (...) {
      failed = std::current_exception();
    }
    keys_.finish(key);
    if (failed) std::rethrow_exception(failed);
    if (ended) ended.mapped()->notify();
    start();
  }

  asio::any_io_executor loop_;
  fair_queue<Key> keys_;
  timer_queue<Key> timers_;
  steady_time steady_;
  timer_queue<Key> delays_, quiet_delays_;
  std::map<Key, std::shared_ptr<event>> next_;  // the ends of awaited passes that have not begun
  nursery workers_;
  event taken_;  // no background key waits
  work work_;
  bool works_ = false;
};

}  // namespace kopiur::app
