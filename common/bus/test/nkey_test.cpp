#include "common/bus/nkey.hpp"

#include <gtest/gtest.h>

namespace kopiur::bus {
namespace {

/// The example key of NATS's documentation.
constexpr unsigned char example[] = {0x29, 0x49, 0x7b, 0xa0, 0x0f, 0x41, 0xdd, 0x45, 0x93, 0x6b, 0x4c, 0xc4, 0xbd, 0xa1, 0xde, 0xcb,
                                     0x67, 0xc1, 0x28, 0xe6, 0x9f, 0xb3, 0xd4, 0x90, 0xee, 0x82, 0x0d, 0xaf, 0x7c, 0x31, 0x8c, 0x0a};

TEST(Nkey, HasTheTextFormOfNats) {
  auto key = user_nkey({reinterpret_cast<char const*>(example), sizeof example});
  EXPECT_EQ(key.seed, "SUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY");
  EXPECT_EQ(key.name, "UDXU4RCSJNZOIQHZNWXHXORDPRTGNJAHAHFRGZNEEJCPQTT2M7NLCNF4");
}

TEST(Nkey, IsANewOneEachTime) {
  auto one = make_user_nkey(), other = make_user_nkey();
  EXPECT_NE(one.seed, other.seed);
  EXPECT_NE(one.name, other.name);
  for (auto const& each : {one, other}) {
    EXPECT_EQ(each.name.size(), 56U);
    EXPECT_EQ(each.seed.size(), 58U);
    EXPECT_TRUE(each.name.starts_with("U") && each.seed.starts_with("SU")) << each.name;
  }
}

TEST(Nkey, RefusesAPrivateKeyOfAnotherSize) { EXPECT_THROW(user_nkey("short"), std::runtime_error); }

TEST(Crc16, IsThatOfXmodem) {
  EXPECT_EQ(crc16(""), 0);
  EXPECT_EQ(crc16("123456789"), 0x31c3);
}

}  // namespace
}  // namespace kopiur::bus
