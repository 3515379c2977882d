#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "common/bus/dead_letters.hpp"
#include "common/bus/port.hpp"

namespace kopiur::proto {

/// All streams. `bus apply` creates them, and each service checks them when it starts. `replicas`: 1 on a single server, 3 in production.
/// `store`: the bytes that each server of the bus has for them; every stream gets a share (the README has them). A stream without bytes
/// refuses new messages (bus::is_out_of_bytes): a fact is never lost to make place for another one.
std::vector<bus::stream_config> streams(int replicas, std::int64_t store = std::int64_t{4} << 30);
/// All durable consumers of one cluster. The replicas of a service share one durable.
std::vector<bus::consumer_config> consumers(std::string const& cluster);

/// The stream of dead letters. A dead command is erased from its own stream, because it would block its subject there.
bus::dead_letter_options dead_letter_store();

/// A durable of releases in which all clusters of a bus shared it, so that the services of one took the triggers of another.
struct former_durable {
  std::string stream, name;
  std::string (*now)(std::string const& cluster);  ///< what each cluster has instead
};
std::vector<former_durable> former_durables();

/// Names of durable consumers: each cluster has its own. Only leases span clusters, and so do those who handle their requests.
namespace durable {
inline constexpr char const* lease_requests = "maintenance-lease";
std::string orchestration_resources(std::string const& cluster);
std::string orchestration_runs(std::string const& cluster);
std::string orchestration_leases(std::string const& cluster);
std::string orchestration_answers(std::string const& cluster);
std::string retention_resources(std::string const& cluster);
std::string discovery_runs(std::string const& cluster);
std::string discovery_resources(std::string const& cluster);
std::string provisioner_resources(std::string const& cluster);
std::string gateway_commands(std::string const& cluster);
std::string gateway_hooks(std::string const& cluster);
std::string gateway_requests(std::string const& cluster);
}  // namespace durable

}  // namespace kopiur::proto
