#include <gtest/gtest.h>

#include "services/systems/buckety/rules/driver.hpp"

namespace kopiur::buckety {
namespace {

driver_rules const& kadm_driver() { return *find_driver(all_drivers(), "kadm"); }

TEST(SecretOfATopic, HasItsNameAndTheBrokersAsTheyAreWritten) {
  driver_config config = kadm::backend_config{
      .seed_brokers = {"Kafka-0.example:9092", "kafka-1.example:9093"},
      .tls = kadm::tls_config{.certificate = secret_text("c"), .key = secret_text("k")},
      .sasl = kadm::sasl_config{.mechanism = "PLAIN", .username = secret_text("admin"), .password = secret_text("hunter2")}};
  EXPECT_EQ(kadm_driver().secret_keys(config, "tenant1.orders"),
            (std::vector<secret_entry>{{"bootstrap", plain_value{"Kafka-0.example:9092,kafka-1.example:9093"}},
                                       {"topic", plain_value{"tenant1.orders"}}}))
      << "no login: the controller's is an administrator's";
  for (auto* field : {"key", "certificate", "username", "password", "sasl", "tls"})
    EXPECT_EQ(secret_field(config, field), nullptr) << field;
}

/// Brokers may be added to a backend: its objects stay where they are.
TEST(StoreOfATopic, IsTheFirstSeedBroker) {
  EXPECT_EQ(kadm_driver().store(kadm::backend_config{.seed_brokers = {"Kafka.Example:9092"}}), "kafka.example:9092");
  EXPECT_EQ(kadm_driver().store(kadm::backend_config{.seed_brokers = {"kafka.example:9092", "other:9092"}}), "kafka.example:9092");
  EXPECT_NE(kadm_driver().store(kadm::backend_config{.seed_brokers = {"other:9092", "kafka.example:9092"}}), "kafka.example:9092");
}

}  // namespace
}  // namespace kopiur::buckety
