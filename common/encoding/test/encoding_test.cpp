#include <gtest/gtest.h>

#include <vector>

#include "common/encoding/base32.hpp"
#include "common/encoding/base64.hpp"
#include "common/encoding/hex.hpp"
#include "common/encoding/join.hpp"

namespace kopiur::encoding {
namespace {

/// RFC 4648, section 10.
TEST(Base64, IsThatOfTheStandard) {
  std::pair<std::string, std::string> const pairs[] = {
      {"", ""}, {"f", "Zg=="}, {"fo", "Zm8="}, {"foo", "Zm9v"}, {"foob", "Zm9vYg=="}, {"fooba", "Zm9vYmE="}, {"foobar", "Zm9vYmFy"}};
  for (auto& [bytes, text] : pairs) {
    EXPECT_EQ(base64(bytes), text);
    EXPECT_EQ(from_base64(text), bytes);
  }
  EXPECT_EQ(base64("\xfb\xff"), "+/8=");
  EXPECT_EQ(base64_url("\xfb\xff"), "-_8");
}

TEST(Base32, IsThatOfTheStandardWithoutPadding) {
  std::pair<std::string, std::string> const pairs[] = {
      {"", ""}, {"f", "MY"}, {"fo", "MZXQ"}, {"foo", "MZXW6"}, {"foob", "MZXW6YQ"}, {"fooba", "MZXW6YTB"}, {"foobar", "MZXW6YTBOI"}};
  for (auto& [bytes, text] : pairs) EXPECT_EQ(base32(bytes), text);
  EXPECT_EQ(base32("\xff\xff\xff\xff\xff"), "77777777");
}

TEST(Base64, IsReadOverLinesAndRefusedWhereItIsNone) {
  EXPECT_EQ(from_base64("Zm9v\n  Ym\r\nFy"), "foobar");
  for (auto* bad : {"Zg", "Zg=", "Z===", "Zg==Zg==", "Zm9*", "Zm9v="}) EXPECT_EQ(from_base64(bad), std::nullopt) << bad;
}

TEST(Hex, HasTwoDigitsForEachByte) { EXPECT_EQ(hex(std::string("\x00\x7f\xff\x10", 4)), "007fff10"); }

TEST(Join, PutsTheTextBetweenEachTwo) {
  EXPECT_EQ(join(std::vector<std::string>{}), "");
  EXPECT_EQ(join(std::vector<std::string>{"", "b", ""}, "-"), "-b-") << "an empty one counts";
  struct named {
    std::string name;
  };
  EXPECT_EQ(join(std::vector<named>{{"a"}, {"b"}}, ", ", &named::name), "a, b");
}

}  // namespace
}  // namespace kopiur::encoding
