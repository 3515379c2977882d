#include "services/systems/buckety/kadm/parameters.hpp"

#include <gtest/gtest.h>

namespace kopiur::buckety::kadm {
namespace {

std::string refusal(parameters const& wanted) { return text_of(validate_parameters(backend_config{}, wanted)); }
std::string refusal_of_update(parameters const& old, parameters const& wanted) {
  return text_of(validate_update(backend_config{}, old, wanted));
}

TEST(TopicParameters, BecomeTheWantedState) {
  auto wanted = parse_parameters({{"partitions", "2147483647"},
                                  {"replicationFactor", "32767"},
                                  {"config.retention.ms", " 604800000\t\n"},
                                  {"config.cleanup.policy", ""},
                                  {"config.segment.bytes", "not checked here"}});
  ASSERT_TRUE(wanted) << text_of(wanted.error());
  EXPECT_EQ(wanted->partitions, 2147483647);
  EXPECT_EQ(wanted->replication_factor, 32767);
  EXPECT_EQ(wanted->settings, (std::map<std::string, std::string>{
                                  {"retention.ms", "604800000"}, {"cleanup.policy", ""}, {"segment.bytes", "not checked here"}}));
  auto nothing = parse_parameters({});
  ASSERT_TRUE(nothing);
  EXPECT_FALSE(nothing->partitions || nothing->replication_factor || !nothing->settings.empty()) << "what is absent is not managed";
}

TEST(TopicParameters, LeaveTheReplicationToTheBrokers) {
  auto wanted = parse_parameters({{"replicationFactor", "-1"}});
  ASSERT_TRUE(wanted) << text_of(wanted.error());
  EXPECT_EQ(wanted->replication_factor, std::nullopt) << "the default of the brokers is not managed";
}

/// Bug 5.3(8): "+3", "00" and "-2" were accepted.
TEST(TopicParameters, TakeCountsInOneSpelling) {
  for (auto* text : {"", "0", "00", "03", "+3", "-2", "-0", " 3", "3 ", "3.0", "1e3", "0x3", "three", "9999999999", "3\n"}) {
    EXPECT_TRUE(refusal({{"partitions", text}}).starts_with("partitions: must be a whole number from 1 to 2147483647, ")) << text;
    EXPECT_TRUE(refusal({{"replicationFactor", text}}).starts_with("replicationFactor: must be a whole number from 1 to 32767, ")) << text;
  }
  EXPECT_NE(refusal({{"partitions", "-1"}}), "");
  EXPECT_NE(refusal({{"partitions", "2147483648"}}), "");
  EXPECT_NE(refusal({{"replicationFactor", "32768"}}), "");
  EXPECT_EQ(refusal({{"partitions", "1"}, {"replicationFactor", "1"}}), "");
}

TEST(TopicParameters, TakeSettingsByKafkasNames) {
  for (auto* key : {"config.retention.ms", "config.a", "config.redpanda.remote.read", "config.x_1"})
    EXPECT_EQ(refusal({{key, "x"}}), "") << key;
  for (auto* key : {"config.", "config.Retention.ms", "config.1a", "config.a-b", "config. a", "config..a", "config.a b"})
    EXPECT_EQ(refusal({{key, "x"}}), std::string(key) + ": unknown parameter \"" + key +
                                         "\"; behind `config.` stands the name of a setting of topics, as in `config.retention.ms`.");
  EXPECT_EQ(refusal({{"config.a", std::string("x\0y", 3)}}), "config.a: contains a zero byte. Remove it.");
}

TEST(TopicParameters, NameAnUnknownKeyAndTheNearestKnownOne) {
  constexpr auto known = "The driver kadm has: partitions, replicationFactor, config.SETTING.";
  EXPECT_EQ(refusal({{"partition", "3"}}), std::string("partition: unknown parameter \"partition\"; did you mean `partitions`? ") + known);
  EXPECT_EQ(refusal({{"replicationfactor", "3"}}),
            std::string("replicationfactor: unknown parameter \"replicationfactor\"; did you mean `replicationFactor`? ") + known);
  EXPECT_EQ(refusal({{"retention.ms", "3"}}),
            std::string("retention.ms: unknown parameter \"retention.ms\"; did you mean `config.retention.ms`? ") + known);
  EXPECT_EQ(refusal({{"bogus", ""}}), std::string("bogus: unknown parameter \"bogus\"; ") + known);
  auto all = parse_parameters({{"bogus", ""}, {"partitions", "0"}, {"config.A", ""}});
  ASSERT_FALSE(all);
  EXPECT_EQ(all.error().size(), 3u) << "each wrong one is named";
}

TEST(TopicParameters, KeepTheirReplicationFactor) {
  constexpr auto expected = "replicationFactor: replicationFactor is immutable: ";
  EXPECT_EQ(refusal_of_update({{"replicationFactor", "3"}}, {{"replicationFactor", "3"}, {"partitions", "2"}}), "");
  EXPECT_TRUE(refusal_of_update({}, {{"replicationFactor", "3"}}).starts_with(expected));
  EXPECT_TRUE(refusal_of_update({{"replicationFactor", "3"}}, {}).starts_with(expected));
  EXPECT_TRUE(refusal_of_update({{"replicationFactor", "-1"}}, {{"replicationFactor", "3"}}).starts_with(expected));
  EXPECT_TRUE(refusal_of_update({}, {{"partitions", "0"}}).starts_with("partitions: ")) << "an update is validated as a whole";
}

/// Only the brokers know how many there are: it becomes ParameterDrift.
TEST(TopicParameters, MayAskForFewerPartitions) { EXPECT_EQ(refusal_of_update({{"partitions", "6"}}, {{"partitions", "3"}}), ""); }

}  // namespace
}  // namespace kopiur::buckety::kadm
