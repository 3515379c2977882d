#include <boost/asio.hpp>
#include <cstdio>

#include "common/app/system_clock.hpp"
#include "common/bus/nats_port.hpp"
#include "common/config/load.hpp"
#include "services/gateway/service.hpp"
#include "services/gateway/shell/ports.hpp"

namespace {

using namespace kopiur;
namespace asio = boost::asio;

struct settings {
  std::vector<std::string> bus_urls{"nats://127.0.0.1:4222"};
  std::string bus_credentials;  ///< a .creds file
  gateway::options gateway;
};
BOOST_DESCRIBE_STRUCT(settings, (), (bus_urls, bus_credentials, gateway))

asio::awaitable<void> wait_for_signal(asio::io_context& loop) {
  asio::signal_set signals(loop, SIGINT, SIGTERM);
  co_await signals.async_wait(asio::use_awaitable);
}

asio::awaitable<void> run(asio::io_context& loop, settings how) {
  app::system_clock time(loop.get_executor());
  bus::nats_options options{.urls = how.bus_urls, .name = "kopiur-gateway " + how.gateway.cluster, .credentials = how.bus_credentials};
  options.notice = [](std::string const& text) { gateway::journal.warning("bus.notice", {{"text", text}}); };
  auto bus = co_await bus::nats_port::open(loop, options);
  if (!bus) throw std::runtime_error(bus.error().text);
  gateway::service service(**bus, time, how.gateway);
  co_await app::first_of(service.serve(), wait_for_signal(loop));
  co_await (*bus)->close();
}

}  // namespace

int main(int count, char** arguments) {
  auto how = count == 2 ? config::load_file<settings>(arguments[1]) : std::expected<settings, config::problem>(settings{});
  if (count > 2 || !how) return std::fprintf(stderr, "usage: kopiur-gateway [SETTINGS.yaml]\n%s\n", how ? "" : how.error().text().c_str()), 2;
  log::start({});
  asio::io_context loop(1);
  int status = 0;
  asio::co_spawn(loop, run(loop, *how), [&](std::exception_ptr failed) {
    if (failed) try {
        std::rethrow_exception(failed);
      } catch (std::exception const& why) {
        status = 1;
        std::fprintf(stderr, "%s\n", why.what());
      }
    loop.stop();
  });
  loop.run();
  return status;
}
