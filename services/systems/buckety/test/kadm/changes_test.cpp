#include "services/systems/buckety/kadm/changes.hpp"

#include <gtest/gtest.h>

namespace kopiur::buckety::kadm {
namespace {

found_topic topic_of(std::size_t partitions, std::size_t replicas = 1) {
  return {.replicas = std::vector(partitions, replicas), .settings = {{"retention.ms", "1000"}, {"cleanup.policy", "delete"}}};
}
topic_changes needed(wanted_topic const& wanted, found_topic const& found) {
  auto decided = changes_for(wanted, found);
  auto* changes = std::get_if<topic_changes>(&decided);
  return changes ? *changes : topic_changes{.partitions = -1, .settings = {}};
}
std::string drift(wanted_topic const& wanted, found_topic const& found) {
  auto decided = changes_for(wanted, found);
  auto* drift = std::get_if<unchangeable>(&decided);
  return drift ? drift->message : "";
}

TEST(TopicChanges, AreOnlyWhatDiffers) {
  EXPECT_TRUE(needed({}, topic_of(3)).none()) << "what is not given is not managed";
  EXPECT_TRUE(needed({.partitions = 3, .replication_factor = 1, .settings = {{"retention.ms", "1000"}}}, topic_of(3)).none());
  EXPECT_EQ(needed({.partitions = 4, .settings = {}}, topic_of(3)).partitions, 4);
  using settings = std::map<std::string, std::string>;
  EXPECT_EQ(needed({.settings = {{"retention.ms", "5"}, {"cleanup.policy", "delete"}}}, topic_of(1)).settings,
            (settings{{"retention.ms", "5"}}));
  EXPECT_EQ(needed({.settings = {{"max.message.bytes", "5"}}}, topic_of(1)).settings, (settings{{"max.message.bytes", "5"}}));
  auto hidden = topic_of(1);
  hidden.settings["retention.ms"].reset();
  EXPECT_EQ(needed({.settings = {{"retention.ms", "1000"}}}, hidden).settings.size(), 1u) << "a value that is not shown is not known";
}

/// Kafka cannot take partitions away, and kopiur does not move replicas: the message begins with the parameter.
TEST(TopicChanges, SayWhatCannotChange) {
  EXPECT_TRUE(drift({.partitions = 6, .settings = {}}, topic_of(8)).starts_with("partitions: the topic has 8, and 6 are wanted"));
  EXPECT_TRUE(
      drift({.replication_factor = 3, .settings = {}}, topic_of(2, 1)).starts_with("replicationFactor: partition 0 has 1 replicas"));
  auto mixed = topic_of(3, 3);
  mixed.replicas[2] = 2;
  EXPECT_TRUE(drift({.replication_factor = 3, .settings = {}}, mixed).starts_with("replicationFactor: partition 2 has 2"))
      << "not only the first partition counts";
}

/// Spec 5.3(4): growth was applied before the replication factor was found to be another.
TEST(TopicChanges, AreNotHalfApplied) {
  EXPECT_FALSE(drift({.partitions = 6, .replication_factor = 3, .settings = {{"retention.ms", "5"}}}, topic_of(3, 1)).empty());
}

TEST(TopicChanges, SayWhatKafkaKeepsOtherwise) {
  auto said = kept_otherwise({{"retention.ms", "01000"}, {"x", "1"}}, topic_of(1)).message;
  EXPECT_TRUE(said.starts_with("config.retention.ms: Kafka keeps `1000` where `01000` was set. config.x: Kafka does not show its value"))
      << said;
}

}  // namespace
}  // namespace kopiur::buckety::kadm
