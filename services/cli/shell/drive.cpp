#include <boost/asio.hpp>
#include <cstdio>

#include "common/app/async.hpp"
#include "services/cli/shell/commands.hpp"

namespace kopiur::cli {

namespace asio = boost::asio;

int drive(std::function<asio::awaitable<int>(asio::io_context&)> make, int on_signal) {
  asio::io_context loop(1);
  asio::cancellation_signal stop;
  asio::signal_set signals(loop, SIGINT, SIGTERM);
  int code = failed, caught = 0;
  signals.async_wait([&](boost::system::error_code ec, int number) {
    if (ec) return;
    caught = number;
    stop.emit(asio::cancellation_type::terminal);
  });
  auto done = [&](std::exception_ptr problem, int result) {
    code = result;
    if (problem && app::is_cancelled(problem)) code = on_signal >= 0 ? on_signal : 128 + caught;
    else if (problem) {
      code = failed;
      try {
        std::rethrow_exception(problem);
      } catch (std::exception const& e) {
        std::fprintf(stderr, "kopiur: %s\n", e.what());
      }
    }
    signals.cancel();
  };
  asio::co_spawn(loop, make(loop), asio::bind_cancellation_slot(stop.slot(), done));
  loop.run();
  return code;
}

}  // namespace kopiur::cli
