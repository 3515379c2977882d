#include "common/encoding/quantity.hpp"

#include <gtest/gtest.h>

namespace kopiur::encoding {
namespace {

TEST(Quantity, IsReadInEveryFormThatKubernetesWrites) {
  EXPECT_EQ(bytes_of("1048576"), 1048576);
  EXPECT_EQ(bytes_of("1.5Gi"), 1.5 * 0x1p30);
  EXPECT_EQ(bytes_of("20M"), 20e6);
  EXPECT_EQ(bytes_of("2E"), 2e18);
  EXPECT_EQ(bytes_of("12E"), 0x1p63) << "Kubernetes holds no more";
  EXPECT_EQ(bytes_of("128e9"), 128e9) << "an exponent stays in the canonical form";
  EXPECT_EQ(bytes_of("1E3"), 1000);
  EXPECT_EQ(bytes_of("2000m"), 2);
}

TEST(Quantity, IsZeroWhereItIsNone) {
  for (auto* text : {"", "Gi", "-1", "nan", "inf", "nanGi", "5 apples", "1GiB", "1e999"}) EXPECT_EQ(bytes_of(text), 0) << text;
}

}  // namespace
}  // namespace kopiur::encoding
