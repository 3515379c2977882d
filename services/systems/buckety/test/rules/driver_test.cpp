#include "services/systems/buckety/rules/driver.hpp"

#include <gtest/gtest.h>

namespace kopiur::buckety {
namespace {

TEST(Drivers, AreATable) {
  ASSERT_EQ(all_drivers().size(), 2u);
  for (std::string_view name : {"s3", "kadm"}) {
    auto* driver = find_driver(all_drivers(), name);
    ASSERT_TRUE(driver) << name;
    EXPECT_EQ(driver->version, (semver{0, 1, 0})) << name;
    EXPECT_FALSE(driver->scoped) << name;
    EXPECT_EQ(driver->principal, std::string(name) + "-root");
  }
  EXPECT_EQ(find_driver(all_drivers(), "S3"), nullptr);
}

/// What an object's Secret has besides credentials is public: the status of the object repeats it.
TEST(Drivers, ListAllKeysOfTheirSecrets) {
  driver_config const s3 = s3::backend_config{.endpoint = "http://s3", .region = "auto"},
                      kadm = kadm::backend_config{.seed_brokers = {"a:1"}};
  for (auto& [name, config] : {std::pair("s3", s3), std::pair("kadm", kadm)}) {
    auto* driver = find_driver(all_drivers(), name);
    ASSERT_TRUE(driver);
    for (auto& entry : driver->secret_keys(config, "orders"))
      EXPECT_TRUE(std::ranges::find(driver->secret_names, entry.key) != driver->secret_names.end()) << name << " " << entry.key;
  }
}

}  // namespace
}  // namespace kopiur::buckety
