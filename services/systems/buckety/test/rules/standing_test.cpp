#include "services/systems/buckety/rules/standing.hpp"

#include <gtest/gtest.h>

namespace kopiur::buckety {
namespace {

controller_config one_backend(std::string driver = "s3") {
  return {.backends = {{.name = "objects", .driver = std::move(driver), .config = {}, .defaults = {}, .parameters = {}}}};
}
backend_standing standing_of(controller_config const& config, backend_stamp const& stamp, std::string const& wanted = "objects") {
  return judge(config, all_drivers(), wanted, stamp).standing;
}

TEST(BackendStanding, IsUsableWhereNothingChanged) {
  auto config = one_backend();
  auto judged = judge(config, all_drivers(), "objects", {"objects", "s3", 0});
  EXPECT_EQ(judged.standing, backend_standing::Usable) << judged.message;
  EXPECT_EQ(judged.chosen, &config.backends.front());
  EXPECT_EQ(judged.driver, find_driver(all_drivers(), "s3"));
  EXPECT_EQ(standing_of(config, {}), backend_standing::Usable) << "before the first reconcile";
}

TEST(BackendStanding, LooksForTheStampedBackend) {
  auto config = one_backend();
  EXPECT_EQ(standing_of(config, {}, "gone"), backend_standing::NotInConfig);
  EXPECT_EQ(standing_of(config, {"renamed", "s3", 0}), backend_standing::NotInConfig);
  EXPECT_EQ(standing_of(config, {"objects", "s3", 0}, "other"), backend_standing::Usable);
}

/// Bug 5.3(10): another driver under the same backend name was not noticed.
TEST(BackendStanding, NoticesAnotherDriver) {
  EXPECT_EQ(standing_of(one_backend(), {"objects", "kadm", 0}), backend_standing::DriverChanged);
  EXPECT_EQ(standing_of(one_backend("kadm"), {"objects", "s3", 0}), backend_standing::DriverChanged);
}

/// Another store under the same name has other people's resources: they must neither be changed nor deleted.
TEST(BackendStanding, NoticesAnotherStore) {
  auto config = one_backend();
  std::get<s3::backend_config>(config.backends.front().config).endpoint = "https://S3.example.org:443/";
  EXPECT_EQ(standing_of(config, {"objects", "s3", 0, "s3.example.org"}), backend_standing::Usable);
  EXPECT_EQ(standing_of(config, {"objects", "s3", 0, "s3.example.org:9000"}), backend_standing::StoreChanged);
  EXPECT_EQ(standing_of(config, {"objects", "s3", 0, "other"}), backend_standing::StoreChanged);
}

/// Bug 5.2: the check was guarded by `driverMajor != 0`, and never ran for 0.x.
TEST(BackendStanding, ComparesAMajorVersionOfZeroToo) {
  std::vector<driver_rules> next(all_drivers().begin(), all_drivers().end());
  next.front().version = {1, 0, 0};
  auto judged = judge(one_backend(), next, "objects", {"objects", "s3", 0});
  EXPECT_EQ(judged.standing, backend_standing::DriverMajorBump);
  EXPECT_TRUE(judged.message.contains("is 1.0.0, and this object was made with major version 0")) << judged.message;
  EXPECT_EQ(judge(one_backend(), next, "objects", {"objects", "s3", {}}).standing, backend_standing::Usable);
  next.front().version = {0, 9, 3};
  EXPECT_EQ(judge(one_backend(), next, "objects", {"objects", "s3", 0}).standing, backend_standing::Usable) << "minor and patch are free";
}

/// Bug 5.3(1): an object with invalid parameters could never lose its finalizer.
TEST(UpdateChecks, LetAFinalizerGo) {
  auto none = [](update_checks checks) { return !checks.name && !checks.parameters; };
  EXPECT_TRUE(none(checks_of_update(false, false, false)));
  EXPECT_TRUE(none(checks_of_update(true, true, false)));
  EXPECT_TRUE(checks_of_update(true, false, true).parameters);
}

/// Bug 5.2: resolving the template again after the name was stamped refused changes of labels.
TEST(UpdateChecks, DoNotResolveAStampedNameAgain) {
  EXPECT_FALSE(checks_of_update(true, false, true).name);
  EXPECT_TRUE(checks_of_update(true, false, false).name);
}

}  // namespace
}  // namespace kopiur::buckety
