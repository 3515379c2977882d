#pragma once
#include <boost/asio/awaitable.hpp>

#include "common/bus/port.hpp"
#include "services/gateway/shell/service.hpp"
#include "services/maintenance-lease/shell/service.hpp"
#include "services/mover-orchestration/shell/service.hpp"
#include "services/provisioner/shell/service.hpp"
#include "services/retention/shell/service.hpp"
#include "services/runtime/shell/health_registry.hpp"

/// Every service in one process.
namespace kopiur::together {

/// The other services need only the cluster's name, which is the gateway's.
struct options {
  gateway::options gateway;
  maintenance_lease::options lease;
  mover_orchestration::options orchestration;
  provisioner::options provisioner;
  retention::options retention;
};

/// Serves until it is cancelled. A service that fails is restarted from stored state with growing pauses; the others go on. All share one
/// cluster_cache. `tell`: as in gateway::service.
boost::asio::awaitable<void> serve(bus::port& bus, clock& time, runtime::health_registry& health, options options,
                                   gateway::service::sentences tell = {});

}  // namespace kopiur::together
