#include "services/together/shell/serve.hpp"

#include <boost/asio.hpp>

#include "common/app/async.hpp"
#include "services/catalog-discovery/shell/service.hpp"
#include "services/controller/shell/lease_book.hpp"
#include "services/runtime/shell/keep.hpp"
#include "services/runtime/shell/runtime.hpp"
#include "services/scheduler/shell/service.hpp"

namespace kopiur::together {

namespace asio = boost::asio;

asio::awaitable<void> serve(bus::port& bus, clock& time, runtime::health_registry& health, options settings,
                            gateway::service::sentences tell) {
  auto loop = co_await asio::this_coro::executor;
  auto const cluster = settings.gateway.cluster;
  controller::cluster_cache cache({bus, time, loop, cluster, "services"}, controller::cluster_cache::everything());
  controller::lease_book leases({bus, time, loop, cluster, "services"}, log::logger("services"));
  controller::process_shared const shared{.cache = &cache, .leases = &leases};
  settings.orchestration.shared = settings.provisioner.shared = settings.retention.shared = settings.lease.shared = shared;
  app::nursery all(loop);
  auto start = [&](std::string const& name, auto make) {
    health.expect(name);
    all.spawn(runtime::keep(time, name, [&health, name, make] { return runtime::live(health, name, make()); }));
  };
  all.spawn(runtime::keep(time, "cluster-cache", [&] { return cache.run(); }));
  all.spawn(runtime::keep(time, "lease-book", [&] { return leases.view().run(); }));
  start("gateway", [&] { return std::make_unique<gateway::service>(bus, time, loop, settings.gateway, tell); });
  start("maintenance-lease", [&] { return std::make_unique<maintenance_lease::service>(bus, time, loop, settings.lease); });
  start("mover-orchestration", [&] { return std::make_unique<mover_orchestration::service>(bus, time, loop, settings.orchestration); });
  start("catalog-discovery", [&] {
    return std::make_unique<catalog_discovery::service>(bus, time, loop, catalog_discovery::options{.cluster = cluster, .shared = shared});
  });
  start("provisioner", [&] { return std::make_unique<provisioner::service>(bus, time, loop, settings.provisioner); });
  start("retention", [&] { return std::make_unique<retention::service>(bus, time, loop, settings.retention); });
  start("scheduler",
        [&] { return std::make_unique<scheduler::service>(bus, time, loop, scheduler::options{.cluster = cluster, .shared = shared}); });
  co_await all.join();
}

}  // namespace kopiur::together
