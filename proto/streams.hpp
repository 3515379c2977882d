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
/// All durable consumers of one cluster. The replicas of a service share one durable; the gateway has one per cluster.
std::vector<bus::consumer_config> consumers(std::string const& cluster);

/// The stream of dead letters. A dead command is erased from its own stream, because it would block its subject there.
bus::dead_letter_options dead_letter_store();

/// Names of durable consumers.
namespace durable {
inline constexpr char const* orchestration_resources = "mover-orchestration-resources";
inline constexpr char const* orchestration_runs = "mover-orchestration-runs";
inline constexpr char const* orchestration_leases = "mover-orchestration-leases";
inline constexpr char const* orchestration_answers = "mover-orchestration-answers";
inline constexpr char const* lease_requests = "maintenance-lease";
inline constexpr char const* retention_resources = "retention-resources";
inline constexpr char const* discovery_runs = "catalog-discovery-runs";
inline constexpr char const* discovery_resources = "catalog-discovery-resources";
std::string provisioner_resources(std::string const& cluster);
std::string gateway_commands(std::string const& cluster);
std::string gateway_hooks(std::string const& cluster);
std::string gateway_requests(std::string const& cluster);
}  // namespace durable

}  // namespace kopiur::proto
