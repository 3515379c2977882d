#include <gtest/gtest.h>

#include "services/systems/buckety/rules/driver.hpp"

namespace kopiur::buckety {
namespace {

TEST(SecretOfAnAccess, HasFlatKeys) {
  s3::backend_config config{
      .endpoint = "http://S3:9000/", .access_key_ID = secret_text("AKIA"), .secret_access_key = secret_text("hunter2")};
  auto* s3 = find_driver(all_drivers(), "s3");
  std::vector<secret_entry> expected{{"endpoint", plain_value{"http://S3:9000/"}},
                                     {"bucket", plain_value{"orders"}},
                                     {"accessKeyID", config_field{"accessKeyID"}},
                                     {"secretAccessKey", config_field{"secretAccessKey"}}};
  EXPECT_EQ(s3->secret_keys(config, "orders"), expected) << "the endpoint as it is written; no region";
  config.region = "auto";
  expected.insert(expected.begin() + 2, {"region", plain_value{"auto"}});
  EXPECT_EQ(s3->secret_keys(config, "orders"), expected);
}

TEST(SecretOfAnAccess, FindsEachSecretField) {
  driver_config config =
      s3::backend_config{.endpoint = "http://s3", .access_key_ID = secret_text("AKIA"), .secret_access_key = secret_text("hunter2")};
  ASSERT_TRUE(secret_field(config, "secretAccessKey"));
  EXPECT_EQ(secret_field(config, "secretAccessKey")->reveal(), "hunter2");
  EXPECT_EQ(secret_field(config, "accessKeyID")->reveal(), "AKIA");
  EXPECT_EQ(secret_field(config, "endpoint"), nullptr);
}

}  // namespace
}  // namespace kopiur::buckety
