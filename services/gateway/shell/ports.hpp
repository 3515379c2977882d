#pragma once
#include <functional>
#include <string>

#include "common/app/async.hpp"
#include "common/bus/port.hpp"
#include "common/http/client.hpp"
#include "common/log/log.hpp"
#include "common/metrics/metrics.hpp"
#include "common/time/clock.hpp"
#include "services/gateway/shell/backlog.hpp"
#include "services/gateway/shell/cluster.hpp"

namespace kopiur::gateway {

/// The log of this service.
inline log::logger const journal{"gateway"};

/// Finds the IP addresses of a name, as http::resolve does.
using name_resolver = std::function<awaitable<std::expected<std::vector<std::string>, std::string>>(std::string)>;

/// What the parts of the service share; all of it outlives them.
struct ports {
  bus::port& bus;
  clock& time;
  cluster& world;
  std::string name;                      ///< of the cluster: the token in subjects
  metrics::registry* counted = nullptr;  ///< where the parts count what they do; nullptr: nobody asks
  backlog* behind = nullptr;             ///< where the mirror says how far behind it is; nullptr: nobody asks
  /// Sends a hook's request; a test answers it itself.
  std::function<awaitable<std::expected<http::response, std::string>>(clock&, http::request)> call = http::send;
  /// Finds the addresses of a host that a hook names.
  name_resolver resolve = http::resolve;
};

/// Stores a message however long the bus is away: what cannot be stored is said in the log, and tried again. Failures that no later try
/// cures are told: wrong_sequence (`expected` is not what stands there) and too_large.
awaitable<bus::result<bus::receipt>> publish_until_stored(ports to, bus::publication message);

}  // namespace kopiur::gateway
