#include "services/systems/buckety/rules/version.hpp"

#include <gtest/gtest.h>

namespace kopiur::buckety {
namespace {

TEST(Version, IsThreeNumbers) {
  EXPECT_EQ(parse_version("0.1.0"), (semver{0, 1, 0}));
  EXPECT_EQ(parse_version("12.345.999999"), (semver{12, 345, 999999}));
  EXPECT_EQ(version_text({1, 20, 3}), "1.20.3");
  for (auto* text :
       {"", "1", "1.2", "1.2.", "1.2.3.4", "v1.2.3", "1.2.3-rc1", "01.2.3", "1.00.3", "1.2.1000000", "-1.2.3", "1..3", " 1.2.3", "1.2.3 "})
    EXPECT_FALSE(parse_version(text)) << text;
}

TEST(Version, IsCompatibleWithinItsMajorNumber) {
  EXPECT_TRUE(is_compatible(0, {0, 1, 0}));
  EXPECT_TRUE(is_compatible(0, {0, 2, 7}));
  EXPECT_FALSE(is_compatible(0, {1, 0, 0})) << "0 is a stamp";
  EXPECT_FALSE(is_compatible(1, {0, 9, 0})) << "an older controller";
  EXPECT_TRUE(is_compatible({}, {3, 0, 0})) << "no stamp";
}

}  // namespace
}  // namespace kopiur::buckety
