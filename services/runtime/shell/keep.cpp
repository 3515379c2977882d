#include "services/runtime/shell/keep.hpp"

#include <boost/asio.hpp>

#include "common/app/async.hpp"
#include "common/log/log.hpp"

namespace kopiur::runtime {

namespace asio = boost::asio;
using namespace std::chrono_literals;

asio::awaitable<void> keep(clock& time, std::string name, std::function<asio::awaitable<void>()> serve) {
  log::logger const journal("services");
  for (int failures = 0;; ++failures) {
    std::string problem;
    auto started = time.now();
    try {
      co_await serve();
    } catch (std::exception const& e) {
      if (app::is_cancelled(std::current_exception())) throw;
      problem = e.what();
    }
    if (time.now() - started > 60s) failures = 0;
    journal.error("service.failed", {{"name", name}, {"problem", problem}});
    co_await time.sleep_for(std::min<duration>(10s, 200ms * (1 << std::min(failures, 6))));
  }
}

}  // namespace kopiur::runtime
