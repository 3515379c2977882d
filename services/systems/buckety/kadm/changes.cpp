#include "services/systems/buckety/kadm/changes.hpp"

#include <algorithm>

namespace kopiur::buckety::kadm {

namespace {

std::optional<std::string> partition_drift(wanted_topic const& wanted, std::size_t there) {
  if (!wanted.partitions || static_cast<std::size_t>(*wanted.partitions) >= there) return {};
  auto now = std::to_string(there);
  return "partitions: the topic has " + now + ", and " + std::to_string(*wanted.partitions) +
         " are wanted; Kafka takes no partition away. Set partitions to " + now + ", or make another topic.";
}

std::optional<std::string> replica_drift(wanted_topic const& wanted, std::vector<std::size_t> const& there) {
  if (!wanted.replication_factor) return {};
  auto count = static_cast<std::size_t>(*wanted.replication_factor);
  auto other = std::ranges::find_if(there, [&](auto each) { return each != count; });
  if (other == there.end()) return {};
  return "replicationFactor: partition " + std::to_string(other - there.begin()) + " has " + std::to_string(*other) + " replicas, and " +
         std::to_string(count) + " are wanted; kopiur does not move replicas. Reassign them with Kafka's own tools.";
}

}  // namespace

std::variant<topic_changes, unchangeable> changes_for(wanted_topic const& wanted, found_topic const& found) {
  if (auto drift = partition_drift(wanted, found.replicas.size())) return unchangeable{*drift};
  if (auto drift = replica_drift(wanted, found.replicas)) return unchangeable{*drift};
  topic_changes needed;
  if (wanted.partitions && static_cast<std::size_t>(*wanted.partitions) > found.replicas.size()) needed.partitions = wanted.partitions;
  for (auto& [name, value] : wanted.settings) {
    auto there = found.settings.find(name);
    if (there == found.settings.end() || there->second != value) needed.settings.emplace(name, value);
  }
  return needed;
}

unchangeable kept_otherwise(std::map<std::string, std::string> const& left, found_topic const& found) {
  std::string message;
  for (auto& [name, value] : left) {
    auto there = found.settings.find(name);
    bool shown = there != found.settings.end() && there->second;
    message += (message.empty() ? "" : " ") + ("config." + name) + ": Kafka " +
               (shown ? "keeps `" + *there->second + "`" : "does not show its value") + " where `" + value + "` was set.";
  }
  return {message + " Write the value as Kafka shows it, or remove the parameter."};
}

}  // namespace kopiur::buckety::kadm
