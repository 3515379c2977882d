#pragma once
#include <boost/asio/awaitable.hpp>
#include <functional>
#include <string>

#include "common/bus/port.hpp"
#include "services/gateway/service.hpp"
#include "services/maintenance-lease/shell/service.hpp"
#include "services/mover-orchestration/shell/service.hpp"
#include "services/runtime/shell/health_registry.hpp"

/// Every service in one process.
namespace kopiur::together {

/// The others have no more to be told than the cluster's name, which is the gateway's.
struct options {
  gateway::options gateway;
  maintenance_lease::options lease;
  mover_orchestration::options orchestration;
};

/// Serves until it is cancelled. What fails is started again from what is stored, ever more slowly; all else goes on. All see the cluster by
/// one sight. `tell`: as gateway::service has it.
boost::asio::awaitable<void> serve(bus::port& bus, clock& time, runtime::health_registry& on, options how,
                                   gateway::service::sentences tell = {});

/// Does it again whenever it fails or ends, ever more slowly.
boost::asio::awaitable<void> keep(clock& time, std::string name, std::function<boost::asio::awaitable<void>()> serve);

}  // namespace kopiur::together
