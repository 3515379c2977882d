#include "common/blob/abort.hpp"

#include <boost/asio.hpp>

#include "common/app/async.hpp"

namespace kopiur::blob {

namespace asio = boost::asio;

namespace {

constexpr duration longest_abort(20'000);

asio::awaitable<void> try_to(clock& time, std::function<asio::awaitable<void>()> abort) {
  try {
    co_await app::within(time, longest_abort, abort(), "the upload is not aborted");
  } catch (std::exception const&) {
  }
}

}  // namespace

awaitable_result<stored> or_abort(clock& time, awaitable_result<stored> work, std::function<asio::awaitable<void>()> abort) {
  result<stored> ended;
  std::exception_ptr thrown;
  try {
    ended = co_await std::move(work);
    if (ended) co_return ended;
  } catch (...) {
    thrown = std::current_exception();
  }
  co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
  co_await try_to(time, std::move(abort));
  co_await asio::this_coro::reset_cancellation_state(asio::enable_terminal_cancellation());
  if (thrown) std::rethrow_exception(thrown);
  co_return ended;
}

}  // namespace kopiur::blob
