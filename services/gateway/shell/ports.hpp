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

/// The dependencies that the parts of the service share; all of them outlive the parts.
struct ports {
  bus::port& bus;
  clock& time;
  gateway::cluster& cluster;
  std::string name;                      ///< the cluster's name: the token in subjects
  metrics::registry* counted = nullptr;  ///< metrics of the parts; nullptr: none are collected
  backlog* behind = nullptr;             ///< where the mirror reports its backlog; nullptr: not reported
  /// Secret values of the systems' configurations; nothing: there is none of that name.
  std::function<std::optional<std::string>(proto::configured_value const&)> configured = [](auto const&) { return std::nullopt; };
  /// Sends a hook's request; tests replace it.
  std::function<awaitable<std::expected<http::response, std::string>>(clock&, http::request)> call = http::send;
  /// Finds the addresses of a host that a hook names.
  name_resolver resolve = http::resolve;
};

/// Stores a message however long the bus is unreachable: failures are logged and retried. Returns the failures that a retry cannot cure:
/// wrong_sequence (the subject's last message is not `expected`) and too_large.
awaitable<bus::result<bus::receipt>> publish_until_stored(ports ports, bus::publication message);

}  // namespace kopiur::gateway
