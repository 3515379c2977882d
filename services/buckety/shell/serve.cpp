#include "services/buckety/shell/serve.hpp"

#include <boost/asio.hpp>

#include "common/app/async.hpp"
#include "common/app/system_clock.hpp"
#include "common/bus/dead_letters.hpp"
#include "common/bus/nats_port.hpp"
#include "common/http/server.hpp"
#include "common/log/log.hpp"
#include "proto/buckety/names.hpp"
#include "proto/streams.hpp"
#include "services/buckety/shell/data_folder.hpp"
#include "services/gateway/shell/service.hpp"
#include "services/runtime/embedded/bus_server.hpp"
#include "services/runtime/embedded/streams.hpp"
#include "services/runtime/shell/keep.hpp"
#include "services/runtime/shell/runtime.hpp"

namespace kopiur::buckety::program {

namespace asio = boost::asio;
using task = asio::awaitable<void>;

namespace {

log::logger const journal{"buckety"};

gateway::options gateway_options(settings const& settings) {
  auto const& flags = settings.flags;
  gateway::options options{.cluster = settings.provisioner.cluster, .configurations = settings.configurations};
  options.kubernetes = gateway::kubernetes_options{.kubeconfig = settings.kubeconfig,
                                                   .systems = {"buckety"},
                                                   .lease = flags.leader_elect ? "buckety-controller-leader" : "",
                                                   .component = "buckety-controller",
                                                   .secret_selector = std::string(proto::label::buckety_owned) + "=true",
                                                   .private_bus = true,
                                                   .webhook = flags.enable_webhook ? ":" + std::to_string(flags.webhook_port) : "",
                                                   .webhook_certificate = flags.certificate_dir + "/tls.crt",
                                                   .webhook_key = flags.certificate_dir + "/tls.key",
                                                   .wait_for_certificate = true};
  return options;
}

/// The gateway's health check, for as long as the gateway lives.
class gateway_check {
 public:
  gateway_check(runtime::health_registry& health, gateway::service const& gateway) : health_(health) {
    auto waits = [&gateway] {
      auto why = gateway.why_not_serving();
      return why.empty() ? gateway.why_not_ready() : why;
    };
    health_.add("gateway", {waits, [&gateway](metrics::registry& into) { gateway.measure(into); }});
  }
  gateway_check(gateway_check const&) = delete;
  ~gateway_check() { health_.remove("gateway"); }

 private:
  runtime::health_registry& health_;
};

/// Everything that shares the bus.
struct services {
  bus::port& bus;
  clock& time;
  asio::any_io_executor loop;
  runtime::health_registry& health;
  gateway::service& gateway;

  /// Standing by, it does not provide anything, and is ready.
  task provide(provisioner::options options) {
    co_await gateway.until_active();
    journal.info("leader.active");
    options.may_change = [this] { return gateway.leads(); };
    health.expect("provisioner");
    co_await runtime::keep(time, "provisioner", [&] {
      return runtime::live(health, "provisioner", std::make_unique<provisioner::service>(bus, time, loop, options));
    });
  }
};

task serve_on(bus::port& bus, clock& time, runtime::health_registry& health, settings settings) {
  auto loop = co_await asio::this_coro::executor;
  gateway::service gateway(bus, time, loop, gateway_options(settings));
  gateway_check check(health, gateway);
  services all_services{bus, time, loop, health, gateway};
  app::nursery all(loop);
  all.spawn(gateway.serve());
  all.spawn(all_services.provide(settings.provisioner));
  all.spawn(runtime::keep(time, "dead-letters",
                          [&] { return bus::store_dead_letters(bus, proto::dead_letter_store(), health.count_dead_letters()); }));
  co_await all.join();
}

task connect_and_serve(asio::io_context& loop, clock& time, runtime::health_registry& health, embedded::bus_server const& server,
                       settings settings) {
  bus::nats_options options{.name = "buckety", .locate = server.locate()};
  options.notice = [](std::string const& text) { journal.warning("bus.notice", {{"text", text}}); };
  options.on_dead_letter = health.count_dead_letters();
  auto served = co_await bus::nats_port::with(loop, options, [&](bus::nats_port& bus) -> task {
    co_await embedded::make_streams(bus, settings.provisioner.cluster, embedded::usual_store);
    co_await app::first_of(serve_on(bus, time, health, settings), runtime::until_lost(bus));
  });
  if (!served) throw std::runtime_error(served.error().text);
}

/// The pages of the registry on two addresses.
void serve_pages(app::nursery& all, runtime::health_registry const& health, flags const& flags) {
  auto pages = health.pages();
  http::pages metrics;
  metrics.insert(pages.extract("/metrics"));
  auto trouble = [](std::string const& what) { journal.warning("http.trouble", {{"what", what}}); };
  all.spawn(
      http::serve(flags.health_address, std::move(pages), [](int port) { journal.info("health.listening", {{"port", port}}); }, trouble));
  all.spawn(http::serve(
      flags.metrics_address, std::move(metrics), [](int port) { journal.info("metrics.listening", {{"port", port}}); }, trouble));
}

}  // namespace

task serve(asio::io_context& loop, settings settings) {
  app::system_clock time(loop.get_executor());
  runtime::health_registry health(time);
  health.expect("gateway");
  data_folder folder(settings.data_dir);
  embedded::bus_server server(time, loop.get_executor(), folder.path(), settings.nats_server);
  app::nursery all(loop.get_executor());
  serve_pages(all, health, settings.flags);
  all.spawn(server.run());
  all.spawn(connect_and_serve(loop, time, health, server, settings));
  co_await all.join();
}

}  // namespace kopiur::buckety::program
