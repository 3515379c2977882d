#pragma once
#include <boost/asio.hpp>
#include <exception>

#include "common/time/clock.hpp"

namespace kopiur::testing {

/// Runs a coroutine to its end on a separate loop; rethrows what it throws.
template <class Make>
void run(Make make) {
  boost::asio::io_context loop(1);
  std::exception_ptr failed;
  boost::asio::co_spawn(loop, make(loop), [&](std::exception_ptr e) { failed = e, loop.stop(); });
  loop.run();
  if (failed) std::rethrow_exception(failed);
}

}  // namespace kopiur::testing
