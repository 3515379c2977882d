#include "common/encoding/ip_address.hpp"

#include <gtest/gtest.h>

namespace kopiur::encoding {
namespace {

bool is_public(char const* text) { return is_public(parse_ip(text).value()); }

TEST(Address, OfTheInternetIsPublic) {
  for (auto* each :
       {"1.1.1.1",       "9.255.255.255",   "11.0.0.0",        "100.63.255.255", "100.128.0.0",     "126.255.255.255",  "128.0.0.1",
        "168.63.129.15", "169.253.255.255", "172.15.255.255",  "172.32.0.0",     "192.167.255.255", "192.169.0.0",      "198.17.255.255",
        "198.20.0.0",    "223.255.255.255", "2606:4700::1111", "2a00::1",        "2001:200::1",     "64:ff9b::1.1.1.1", "::ffff:1.1.1.1"})
    EXPECT_TRUE(is_public(each)) << each;
}

TEST(Address, OfAnyOtherRangeIsNotPublic) {
  for (auto* each : {"0.0.0.0",
                     "0.1.2.3",
                     "10.0.0.1",
                     "10.255.255.255",
                     "100.64.0.1",
                     "100.100.100.200",
                     "100.127.255.255",
                     "127.0.0.1",
                     "127.255.255.254",
                     "168.63.129.16",
                     "169.254.169.254",
                     "172.16.0.1",
                     "172.31.255.255",
                     "192.0.0.192",
                     "192.0.2.1",
                     "192.88.99.1",
                     "192.168.0.1",
                     "192.168.255.255",
                     "198.18.0.1",
                     "198.19.255.255",
                     "198.51.100.7",
                     "203.0.113.7",
                     "224.0.0.1",
                     "239.255.255.255",
                     "240.0.0.1",
                     "255.255.255.255",
                     "::",
                     "::1",
                     "::127.0.0.1",
                     "fe80::1",
                     "fec0::1",
                     "fc00::1",
                     "fd00:ec2::254",
                     "ff02::1",
                     "100::1",
                     "2001:db8::1",
                     "2001::1",
                     "2001:2::1",
                     "2001:10::1",
                     "2002:7f00:1::1",
                     "3fff::1",
                     "5f00::1",
                     "64:ff9b:1::1"})
    EXPECT_FALSE(is_public(each)) << each;
}

TEST(Address, ThatLeadsToAnIpv4AddressIsJudgedByIt) {
  for (auto* each :
       {"::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "64:ff9b::127.0.0.1", "64:ff9b::10.96.0.1", "64:ff9b::a9fe:a9fe"})
    EXPECT_FALSE(is_public(each)) << each;
}

TEST(Address, InAnotherSpellingIsNone) {
  for (auto* each : {"127.1", "2130706433", "0x7f000001", "0177.0.0.1", "127.0.0.1 ", "1.2.3", "1.2.3.4.5", "fe80::1%eth0", "[::1]", ""})
    EXPECT_FALSE(parse_ip(each)) << each;
  EXPECT_FALSE(parse_ip(std::string_view("127.0.0.1\0.example.org", 22)));
}

TEST(Range, IsWrittenWithoutBitsBeyondItsPrefix) {
  EXPECT_TRUE(contains(parse_ip_range("10.0.0.0/8").value(), parse_ip("::ffff:10.9.8.7").value()));
  EXPECT_FALSE(contains(parse_ip_range("10.0.0.0/8").value(), parse_ip("11.0.0.0").value()));
  EXPECT_EQ(parse_ip_range("fd00::1").value().bits, 128);
  EXPECT_EQ(parse_ip_range("10.1.0.0/8").error(), "\"10.1.0.0/8\" has bits set beyond its prefix: write 10.0.0.0/8.");
  for (auto* each : {"10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/8x", "x/8", "fd00::/129"})
    EXPECT_FALSE(parse_ip_range(each)) << each;
}

}  // namespace
}  // namespace kopiur::encoding
