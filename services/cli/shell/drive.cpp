#include <boost/asio.hpp>
#include <cstdio>

#include "common/app/async.hpp"
#include "services/cli/core/formatting.hpp"
#include "services/cli/shell/commands.hpp"

namespace kopiur::cli {

namespace asio = boost::asio;

namespace {
int code_of(std::exception_ptr problem) {
  try {
    std::rethrow_exception(problem);
  } catch (complaint const& e) {
    std::fprintf(stderr, "kopiur: %s\n", harmless(e.what(), "\n\t").c_str());
    return e.code;
  } catch (std::exception const& e) {
    std::fprintf(stderr, "kopiur: %s\n", e.what());
  }
  return failed;
}
}  // namespace

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
  auto ended = [&](std::exception_ptr problem, int result) {
    code = !problem ? result : !app::is_cancelled(problem) ? code_of(problem) : on_signal >= 0 ? on_signal : 128 + caught;
    signals.cancel();
  };
  asio::co_spawn(loop, make(loop), asio::bind_cancellation_slot(stop.slot(), ended));
  loop.run();
  return code;
}

}  // namespace kopiur::cli
