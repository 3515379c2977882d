#include "common/app/async.hpp"

#include <boost/asio.hpp>
#include <boost/asio/experimental/parallel_group.hpp>

namespace kopiur::app {

using asio::use_awaitable;

awaitable<void> first_of(awaitable<void> a, awaitable<void> b) {
  auto loop = co_await asio::this_coro::executor;
  auto race = asio::experimental::make_parallel_group(asio::co_spawn(loop, std::move(a), asio::deferred),
                                                      asio::co_spawn(loop, std::move(b), asio::deferred));
  auto [order, a_failed, b_failed] = co_await race.async_wait(asio::experimental::wait_for_one(), use_awaitable);
  if (auto failed = order[0] == 0 ? a_failed : b_failed) std::rethrow_exception(failed);
}

namespace {
awaitable<void> expire(clock& time, duration limit, std::string what) {
  co_await time.sleep_for(limit);
  throw timed_out(what);
}
}  // namespace

awaitable<void> within(clock& time, duration limit, awaitable<void> work, std::string what) {
  co_await first_of(std::move(work), expire(time, limit, std::move(what)));
}

bool is_cancelled(std::exception_ptr failed) {
  try {
    if (failed) std::rethrow_exception(failed);
  } catch (boost::system::system_error const& e) {
    return e.code() == asio::error::operation_aborted;
  } catch (...) {  // anything else is a real error, which the caller still has
  }
  return false;
}

awaitable<void> signal::wait() {
  boost::system::error_code woken;
  co_await waiting_.async_receive(asio::redirect_error(use_awaitable, woken));
}

nursery::~nursery() = default;

void nursery::spawn(awaitable<void> work) {
  auto who = running_.emplace(running_.end());
  auto done = [this, who](std::exception_ptr failed) { ended(who, failed); };
  asio::co_spawn(loop_, std::move(work), asio::bind_cancellation_slot(who->slot(), std::move(done)));
}

void nursery::ended(std::list<asio::cancellation_signal>::iterator who, std::exception_ptr failed) {
  running_.erase(who);
  if (failed && !first_error_ && !is_cancelled(failed)) {
    first_error_ = failed;
    cancel();
  }
  if (running_.empty()) idle_.notify_all();
}

void nursery::cancel() {
  // Posted, because a cancellation may end its coroutine at once and erase the list node under the loop.
  for (auto& each : running_)
    asio::post(loop_, [this, who = &each] {
      for (auto& still : running_)
        if (&still == who) return still.emit(asio::cancellation_type::terminal);
    });
}

awaitable<void> nursery::join() {
  auto state = co_await asio::this_coro::cancellation_state;
  bool cancelled = false;
  while (!running_.empty()) {
    co_await idle_.wait();
    if (state.cancelled() != asio::cancellation_type::none) {
      cancelled = true;
      cancel();
      co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
      state = {};
    }
  }
  if (first_error_) std::rethrow_exception(std::exchange(first_error_, nullptr));
  if (cancelled) throw boost::system::system_error(asio::error::operation_aborted);  // a cancelled join must not look like a finished one
}

awaitable<void> event::wait(std::uint64_t seen) {
  while (epoch_ == seen) {
    co_await changed_.wait();
    auto state = co_await asio::this_coro::cancellation_state;
    if (state.cancelled() != asio::cancellation_type::none) throw boost::system::system_error(asio::error::operation_aborted);
  }
}

}  // namespace kopiur::app
