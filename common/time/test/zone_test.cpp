#include "common/time/zone.hpp"

#include <gtest/gtest.h>

using namespace kopiur;
using namespace std::chrono;

namespace {

instant at(char const* text) { return instant_from(text).value(); }

TEST(Zone, ShowsWhatTheClocksShow) {
  auto berlin = zone::find("Europe/Berlin").value();
  EXPECT_EQ(berlin.local(at("2026-01-15T12:00:00Z")), local_days{year{2026} / 1 / 15} + hours{13});
  EXPECT_EQ(berlin.local(at("2026-07-15T12:00:00Z")), local_days{year{2026} / 7 / 15} + hours{14});
  EXPECT_EQ(berlin.local(at("2026-03-29T00:59:59.999Z")), local_days{year{2026} / 3 / 29} + hours{1} + minutes{59} + seconds{59});
}

TEST(Zone, KnowsTheEraOfAnInstantAndTheOneBefore) {
  auto e = zone::find("Europe/Berlin").value().at(sys_days{year{2026} / 7 / 1});
  EXPECT_EQ(instant(e.begin), at("2026-03-29T01:00:00Z"));
  EXPECT_EQ(instant(e.end), at("2026-10-25T01:00:00Z"));
  EXPECT_EQ(e.offset, hours{2});
  EXPECT_EQ(e.offset_before, hours{1});
}

TEST(Zone, OfUtcIsOneEraWithoutADatabase) {
  for (auto z : {zone::utc(), zone::find("UTC").value(), zone::find("Etc/UTC").value()}) {
    auto e = z.at(sys_days{year{2026} / 7 / 1});
    EXPECT_EQ(e.offset, seconds{0});
    EXPECT_LT(instant(e.begin), at("0001-01-01T00:00:00Z"));
    EXPECT_GT(instant(e.end), at("9999-01-01T00:00:00Z"));
  }
}

TEST(Zone, RefusesAnUnknownNameWithASentence) {
  for (auto name : {"", "Mars/Olympus", "../../etc/passwd", "+02:00", "UTC+2"}) {
    auto z = zone::find(name);
    ASSERT_FALSE(z) << name;
    EXPECT_NE(z.error().find("is not known: give an IANA name"), std::string::npos) << z.error();
  }
}

TEST(Zone, SuggestsTheNameThatDiffersInCaseOnly) {
  EXPECT_NE(zone::find("europe/berlin").error().find("did you mean Europe/Berlin?"), std::string::npos);
}

}  // namespace
