#pragma once
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "services/systems/buckety/kadm/parameters.hpp"

/// What has to change on a topic.
namespace kopiur::buckety::kadm {

/// A topic as its cluster describes it.
struct found_topic {
  std::vector<std::size_t> replicas;                           ///< of each partition
  std::map<std::string, std::optional<std::string>> settings;  ///< by Kafka's names; none: Kafka does not show the value
};

struct topic_changes {
  std::optional<std::int32_t> partitions;       ///< how many there must be
  std::map<std::string, std::string> settings;  ///< to set
  bool none() const { return !partitions && settings.empty(); }
};
/// A sentence about what Kafka cannot change; it begins with the parameter's name.
struct unchangeable {
  std::string message;
};

/// Nothing is changed on a topic that cannot become as wanted: what a user sees as drift has then not been half applied.
std::variant<topic_changes, unchangeable> changes_for(wanted_topic const& wanted, found_topic const& found);

/// The sentence for settings that were set, and are still others.
unchangeable kept_otherwise(std::map<std::string, std::string> const& left, found_topic const& found);

}  // namespace kopiur::buckety::kadm
