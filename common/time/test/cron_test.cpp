#include "common/time/cron.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <set>

using namespace kopiur;
using namespace std::chrono;
using cron::schedule;

namespace {

using kopiur::duration;

instant at(std::string const& text) { return instant_from(text).value(); }
schedule parsed(std::string_view text, std::string_view key = "uid") {
  auto s = schedule::parse(text, key);
  if (!s) throw std::runtime_error(s.error());
  return *s;
}
std::vector<std::string> slots(std::string_view text, std::string const& after, int n, std::string_view tz = "UTC") {
  auto z = zone::find(tz).value();
  auto s = parsed(text);
  std::vector<std::string> out;
  for (auto one = s.next(at(after), z); one && n-- > 0; one = s.next(*one, z)) out.push_back(to_text(*one));
  return out;
}
using texts = std::vector<std::string>;

TEST(Cron, FindsTheNextSlots) {
  struct row {
    char const *cron, *after;
    texts expected;
  };
  for (auto const& [cron, after, expected] : std::vector<row>{
           {"* * * * *", "2026-11-21T18:43:06Z", {"2026-11-21T18:44:00Z", "2026-11-21T18:45:00Z"}},
           {"0 */6 * * *", "2026-11-21T18:00:00Z", {"2026-11-22T00:00:00Z", "2026-11-22T06:00:00Z"}},
           {"0 3 * * 0", "2026-11-21T18:00:00Z", {"2026-11-22T03:00:00Z", "2026-11-29T03:00:00Z"}},
           {"0 3 * * 7", "2026-11-21T18:00:00Z", {"2026-11-22T03:00:00Z", "2026-11-29T03:00:00Z"}},
           {"5-10/2,30 12 * * *", "2026-11-21T12:06:00Z", {"2026-11-21T12:07:00Z", "2026-11-21T12:09:00Z", "2026-11-21T12:30:00Z"}},
           {"50/4 0 * * *", "2026-11-21T00:00:00Z", {"2026-11-21T00:50:00Z", "2026-11-21T00:54:00Z", "2026-11-21T00:58:00Z"}},
           {"0 0 31 * *", "2026-11-21T00:00:00Z", {"2026-12-31T00:00:00Z", "2027-01-31T00:00:00Z", "2027-03-31T00:00:00Z"}},
           {"0 0 29 2 *", "2026-11-21T00:00:00Z", {"2028-02-29T00:00:00Z", "2032-02-29T00:00:00Z"}},
           {"0 0 29 2 *", "2096-11-21T00:00:00Z", {"2104-02-29T00:00:00Z"}},
           {"0 0 29 2 */7", "2004-03-01T00:00:00Z", {"2032-02-29T00:00:00Z", "2060-02-29T00:00:00Z", "2088-02-29T00:00:00Z"}},
           {"0 0 1 jan,Jul *", "2026-11-21T00:00:00Z", {"2027-01-01T00:00:00Z", "2027-07-01T00:00:00Z"}},
           {"0 9 * * mon-FRI", "2026-11-20T10:00:00Z", {"2026-11-23T09:00:00Z", "2026-11-24T09:00:00Z"}},
           {"0 9 * * FRI-SUN", "2026-11-20T10:00:00Z", {"2026-11-21T09:00:00Z", "2026-11-22T09:00:00Z", "2026-11-27T09:00:00Z"}},
           {"0 9 * * 5-7", "2026-11-20T10:00:00Z", {"2026-11-21T09:00:00Z", "2026-11-22T09:00:00Z", "2026-11-27T09:00:00Z"}},
           {"@hourly", "2026-11-21T18:43:06Z", {"2026-11-21T19:00:00Z", "2026-11-21T20:00:00Z"}},
           {"@daily", "2026-11-21T18:43:06Z", {"2026-11-22T00:00:00Z", "2026-11-23T00:00:00Z"}},
           {"@midnight", "2026-11-21T18:43:06Z", {"2026-11-22T00:00:00Z", "2026-11-23T00:00:00Z"}},
           {"@weekly", "2026-11-21T18:43:06Z", {"2026-11-22T00:00:00Z", "2026-11-29T00:00:00Z"}},
           {"@monthly", "2026-11-21T18:43:06Z", {"2026-12-01T00:00:00Z", "2027-01-01T00:00:00Z"}},
           {"@yearly", "2026-11-21T18:43:06Z", {"2027-01-01T00:00:00Z", "2028-01-01T00:00:00Z"}},
           {"@annually", "2026-11-21T18:43:06Z", {"2027-01-01T00:00:00Z", "2028-01-01T00:00:00Z"}},
           {"  0\t0 *  * * ", "2026-11-21T18:43:06Z", {"2026-11-22T00:00:00Z"}},
       })
    EXPECT_EQ(slots(cron, after, static_cast<int>(expected.size())), expected) << cron;
}

TEST(Cron, TakesEitherDayWhereBothAreRestrictedAndBothWhereOneBeginsWithAStar) {
  EXPECT_EQ(slots("0 0 13 * 5", "2026-11-01T00:00:00Z", 4),  // Fridays, and the 13th
            (texts{"2026-11-06T00:00:00Z", "2026-11-13T00:00:00Z", "2026-11-20T00:00:00Z", "2026-11-27T00:00:00Z"}));
  EXPECT_EQ(slots("0 0 13 * 5", "2026-12-01T00:00:00Z", 3),
            (texts{"2026-12-04T00:00:00Z", "2026-12-11T00:00:00Z", "2026-12-13T00:00:00Z"}));
  EXPECT_EQ(slots("0 0 */2 * 1", "2026-11-01T00:00:00Z", 3),  // odd days that are Mondays
            (texts{"2026-11-09T00:00:00Z", "2026-11-23T00:00:00Z", "2026-12-07T00:00:00Z"}));
}

TEST(Cron, FiresOnceAtTheFirstValidInstantWhenTheClocksGoForward) {  // Berlin, 2026-03-29: 02:00 becomes 03:00 at 01:00Z
  EXPECT_EQ(slots("30 2 * * *", "2026-03-28T00:00:00Z", 3, "Europe/Berlin"),
            (texts{"2026-03-28T01:30:00Z", "2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z"}));
  EXPECT_EQ(slots("0,30 2,3 * * *", "2026-03-28T12:00:00Z", 3, "Europe/Berlin"),
            (texts{"2026-03-29T01:00:00Z", "2026-03-29T01:30:00Z", "2026-03-30T00:00:00Z"}));
  EXPECT_EQ(slots("*/20 * * * *", "2026-03-29T00:30:00Z", 3, "Europe/Berlin"),
            (texts{"2026-03-29T00:40:00Z", "2026-03-29T01:00:00Z", "2026-03-29T01:20:00Z"}));
}

TEST(Cron, FiresOnceOrOnBothPassesWhenTheClocksGoBack) {  // Berlin, 2026-10-25: 03:00 becomes 02:00 at 01:00Z
  EXPECT_EQ(slots("30 2 * * *", "2026-10-24T12:00:00Z", 2, "Europe/Berlin"), (texts{"2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"}));
  EXPECT_EQ(slots("30 1-3 * * *", "2026-10-24T12:00:00Z", 3, "Europe/Berlin"),
            (texts{"2026-10-24T23:30:00Z", "2026-10-25T00:30:00Z", "2026-10-25T02:30:00Z"}));
  for (auto both : {"30 * * * *", "30 0-23/1 * * *"})
    EXPECT_EQ(slots(both, "2026-10-25T00:00:00Z", 3, "Europe/Berlin"),
              (texts{"2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z", "2026-10-25T02:30:00Z"}));
}

TEST(Cron, KeepsASlotOnADayThatAZoneLeftOut) {  // Samoa had no 2011-12-30
  EXPECT_EQ(slots("0 12 30 12 *", "2011-01-01T00:00:00Z", 2, "Pacific/Apia"), (texts{"2011-12-30T10:00:00Z", "2012-12-29T22:00:00Z"}));
}

TEST(Cron, RefusesWithASentenceThatNamesFieldAndPosition) {
  struct row {
    std::string cron;
    char const* says;
  };
  for (auto const& [cron, says] : std::vector<row>{
           {"", "the expression is empty"},
           {"  ", "the expression is empty"},
           {"0 0 * *", "there are 4 fields, five are needed"},
           {"0 0 0 * * *",
            "there are 6 fields, five are needed: minute, hour, day of month, month, day of week (there is none for seconds)"},
           {"60 * * * *", "minute (position 1): 60 is out of range; 0 to 59 are allowed"},
           {"0 24 * * *", "hour (position 3): 24 is out of range"},
           {"0 0 0 * *", "day of month (position 5): 0 is out of range; 1 to 31 are allowed"},
           {"0 0 32 * *", "day of month (position 5): 32 is out of range"},
           {"0 0 * 13 *", "month (position 7): 13 is out of range"},
           {"0 0 * * 8", "day of week (position 9): 8 is out of range"},
           {"99999999999 * * * *", "minute (position 1): 99999999999 is out of range"},
           {"1,,2 * * * *", "minute (position 3): a value is missing"},
           {"1, * * * *", "minute (position 3): a value is missing"},
           {"0 5- * * *", "hour (position 5): a value is missing"},
           {"0 22-2 * * *", "hour (position 3): the range 22-2 runs backwards"},
           {"*/0 * * * *", "minute (position 3): a step must be at least 1"},
           {"*/ * * * *", "minute (position 3): \"\" is not a step"},
           {"*/61 * * * *", "minute (position 3): a step of 61 is wider than the 60 values it walks"},
           {"H/61 * * * *", "minute (position 3): a step of 61"},
           {"0 0 1-5/6 * *", "day of month (position 9): a step of 6 is wider than the 5 values"},
           {"0 0 * JANUARY *", "month (position 7): \"JANUARY\" is not a value; 1 to 12 are allowed, or names such as FEB"},
           {"0 0 * * ?", "day of week (position 9): \"?\" is not known; write \"*\""},
           {"H(5) * * * *", "minute (position 1): \"H(5)\" is not known"},
           {"H5 * * * *", "minute (position 1): \"H5\" is not known"},
           {"H(50-70) * * * *", "minute (position 6): 70 is out of range"},
           {"h * * * *", "minute (position 1): \"h\" is not a value"},
           {"-5 * * * *", "minute (position 1): a value is missing"},
           {"0 0 31 2 *", "day of month (position 5): 31 does not exist in month 2"},
           {"0 0 30,31 FEB *", "day of month (position 5): 30,31 does not exist in month FEB"},
           {"0 0 31 4,6,9,11 */2", "31 does not exist in month 4,6,9,11"},
           {"0 0 H(30-31) 2 *", "H(30-31) does not exist in month 2"},
           {"@every 1h", "\"@every 1h\" is not known; use @hourly"},
           {"@fortnightly", "is not known; use @hourly"},
           {"TZ=Europe/Berlin 0 0 * * *", "set the field timezone"},
           {std::string(300, '1'), "longer than 256 characters"},
       }) {
    auto s = schedule::parse(cron, "uid");
    ASSERT_FALSE(s) << cron;
    EXPECT_NE(s.error().find(says), std::string::npos) << s.error();
    EXPECT_TRUE(s.error().starts_with("cron \"") && s.error().ends_with(".")) << s.error();
  }
  EXPECT_TRUE(schedule::parse("0 0 31 2 1", "uid"));  // Mondays of February: a match of either day is enough
}

/// Chi-square test of the values that many UIDs draw, over the possible values.
void expect_even(std::string const& cron, std::function<std::uint64_t(cron::fields const&)> field, unsigned low, unsigned high) {
  std::map<std::uint64_t, int> hits;
  unsigned const width = high - low + 1, draws = width * 1000;
  for (unsigned i = 0; i < draws; ++i) {
    auto bits = field(parsed(cron, "8f14e45f-ceea-467f-a8d5-" + std::to_string(i)).bits());
    ASSERT_EQ(std::popcount(bits), 1) << cron;
    ++hits[static_cast<std::uint64_t>(std::countr_zero(bits))];
  }
  double chi = 0;
  for (unsigned v = low; v <= high; ++v) chi += (hits[v] - 1000.0) * (hits[v] - 1000.0) / 1000.0;
  EXPECT_EQ(hits.size(), width) << cron;
  double const freedom = width - 1;
  EXPECT_LT(chi, freedom + 4 * std::sqrt(2 * freedom) + 4) << cron;
}

TEST(Cron, DrawsHEvenlyOverEveryField) {
  expect_even("H * * * *", [](auto& f) { return f.minutes; }, 0, 59);
  expect_even("* H * * *", [](auto& f) { return f.hours; }, 0, 23);
  expect_even("* * H * *", [](auto& f) { return f.days; }, 1, 28);
  expect_even("* * * H *", [](auto& f) { return f.months; }, 1, 12);
  expect_even("* * * * H", [](auto& f) { return f.weekdays; }, 0, 6);
  expect_even("H(10-19) * * * *", [](auto& f) { return f.minutes; }, 10, 19);
  expect_even("* H(22-23) * * *", [](auto& f) { return f.hours; }, 22, 23);
  expect_even("H/15 * * * *", [](auto& f) { return f.minutes & 0x7fff; }, 0, 14);
  expect_even("H(30-59)/30 * * * *", [](auto& f) { return f.minutes; }, 30, 59);
}

TEST(Cron, DrawsTheFieldsOfOneScheduleApart) {
  int equal = 0;
  for (int i = 0; i < 2400; ++i) {
    auto f = parsed("H H * * *", std::to_string(i)).bits();
    equal += std::countr_zero(f.minutes) == std::countr_zero(f.hours);
  }
  EXPECT_NEAR(equal, 40, 30);  // 1 in 60 by chance
}

TEST(Cron, StepsFromAHashedPhase) {
  for (int i = 0; i < 200; ++i) {
    auto f = parsed("H/15 H(8-17)/4 * * *", std::to_string(i)).bits();
    EXPECT_EQ(std::popcount(f.minutes), 4);
    auto phase = std::countr_zero(f.minutes);
    EXPECT_LT(phase, 15);
    EXPECT_EQ(f.minutes, 0x0000200040008001u << phase & ((1ull << 60) - 1));
    EXPECT_EQ(f.hours & ~0x3ff00u, 0u);
    EXPECT_GE(std::popcount(f.hours), 2);
  }
}

TEST(Cron, KeepsTheValuesOfHForever) {
  auto f = parsed("H H H H H", "9b1c6b0e-5d0a-4a57-9a3f-0d8f2a7f6f10").bits();
  std::vector<int> drawn{std::countr_zero(f.minutes), std::countr_zero(f.hours), std::countr_zero(f.days), std::countr_zero(f.months),
                         std::countr_zero(f.weekdays)};
  EXPECT_EQ(drawn, (std::vector<int>{49, 12, 1, 1, 0}));
}

TEST(Cron, DrawsAHashedDateAgainUntilItComes) {
  std::set<int> months;
  for (int i = 0; i < 500; ++i) months.insert(std::countr_zero(parsed("0 0 31 H *", std::to_string(i)).bits().months));
  EXPECT_EQ(months, (std::set<int>{1, 3, 5, 7, 8, 10, 12}));
}

TEST(Cron, AnswersStrictlyAfterAndStrictlyBefore) {
  auto z = zone::find("Europe/Berlin").value();
  auto s = parsed("*/5 * * * *");
  auto slot = at("2026-10-25T00:30:00Z");
  EXPECT_EQ(s.next(slot, z), slot + minutes{5});
  EXPECT_EQ(s.next(slot - milliseconds{1}, z), slot);
  EXPECT_EQ(s.next(slot + milliseconds{1}, z), slot + minutes{5});
  EXPECT_EQ(s.previous(slot, z), slot - minutes{5});
  EXPECT_EQ(s.previous(slot + milliseconds{1}, z), slot);
  EXPECT_EQ(s.previous(slot - milliseconds{1}, z), slot - minutes{5});
}

/// Queries in random order give consistent answers: the neighbours of a slot are each other's neighbours, and counts add up.
TEST(Cron, AnswersAgreeAtRandomInstants) {
  std::mt19937_64 random(7);
  std::vector<zone> zones;
  for (auto name :
       {"UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Cairo", "Antarctica/Troll", "America/Santiago"})
    zones.push_back(zone::find(name).value());
  for (auto text :
       {"* * * * *", "*/7 * * * *", "13 */3 * * *", "30 2 * * *", "0 0 1 * *", "5 4 29 2 *", "H H(0-6) * * H", "0 0,3 13 * 5"}) {
    auto s = parsed(text);
    for (int i = 0; i < 400; ++i) {
      auto const& z = zones[random() % zones.size()];
      instant const t = at("2024-01-01T00:00:00Z") + milliseconds{random() % (7ull * 365 * 86400 * 1000)};
      auto before = s.previous(t, z).value(), next = s.next(t - milliseconds{1}, z).value();
      ASSERT_LT(before, t);
      ASSERT_GE(next, t);
      EXPECT_EQ(s.next(before, z), next) << text << ' ' << z.name() << ' ' << to_text(t);
      EXPECT_EQ(s.previous(next, z), before) << text << ' ' << z.name() << ' ' << to_text(t);
      EXPECT_EQ(s.count(before, next, z), 1u) << text << ' ' << z.name() << ' ' << to_text(t);
      EXPECT_EQ(s.count(before, next - milliseconds{1}, z), 0u) << text << ' ' << z.name() << ' ' << to_text(t);
      instant const later = t + milliseconds{random() % (400ull * 86400 * 1000)};
      EXPECT_EQ(s.count(before, t, z) + s.count(t, later, z), s.count(before, later, z)) << text << ' ' << z.name() << ' ' << to_text(t);
    }
  }
}

/// Text made of the grammar's pieces: accepted text has slots, refused text gets a reason.
TEST(Cron, EitherRefusesOrHasSlotsForAnyText) {
  static constexpr std::array pieces{"*",  "H",  "H(", ")",  "-", "/",   ",",   " ",      " ", " ",  "0",      "1",   "5",
                                     "12", "29", "31", "60", "7", "MON", "feb", "@daily", "?", "\t", "H(1-5)", "*/2", "99999999999"};
  std::mt19937 random(11);
  auto z = zone::find("Africa/Cairo").value();
  int accepted = 0;
  for (int i = 0; i < 20'000; ++i) {
    std::string text;
    if (i % 2)
      for (auto n = random() % 14; n > 0; --n) text += pieces[random() % pieces.size()];
    else  // five fields, to get past the first check
      for (int field = 0; field < 5; ++field) {
        static constexpr std::array whole{"*", "H", "1", "5", "12", "2-6", "*/2", "H/3", "1,5", "7", "H(2-6)/2"};
        if (random() % 8)
          text += whole[random() % whole.size()];
        else
          for (auto n = 1 + random() % 3; n > 0; --n) text += pieces[random() % pieces.size()];
        text += ' ';
      }
    auto s = schedule::parse(text, std::to_string(i));
    if (!s) {
      EXPECT_TRUE(s.error().starts_with("cron \"") && s.error().ends_with(".")) << s.error();
      continue;
    }
    ++accepted;
    auto next = s->next(at("2026-11-21T00:00:00Z"), z);
    ASSERT_TRUE(next && s->previous(*next + milliseconds{1}, z) == next) << text;
    auto const gap = s->shortest_gap();
    for (int k = 0; k < 20; ++k) {
      auto later = s->next(*next, zone::utc()).value();
      ASSERT_GE(later - *next, k ? gap : duration{1}) << text;  // the first query used another zone
      next = later;
    }
  }
  EXPECT_GT(accepted, 500);
}

TEST(Cron, CountsAYearOfMinutes) {
  EXPECT_EQ(parsed("* * * * *").count(at("2025-01-01T00:00:00Z"), at("2026-01-01T00:00:00Z"), zone::utc()), 525'600u);
  EXPECT_EQ(parsed("* * * * *").count(at("2026-01-01T00:00:00Z"), at("2025-01-01T00:00:00Z"), zone::utc()), 0u);
}

TEST(Cron, KnowsTheShortestGap) {
  struct row {
    char const* cron;
    duration gap;
  };
  for (auto const& [text, gap] : std::vector<row>{{"* * * * *", minutes{1}},
                                                  {"*/15 * * * *", minutes{15}},
                                                  {"*/7 * * * *", minutes{4}},
                                                  {"0 * * * *", hours{1}},
                                                  {"0 3 * * *", hours{24}},
                                                  {"0 1,23 * * *", hours{2}},
                                                  {"0 3 * * 0", hours{24 * 7}},
                                                  {"0 3 * * 0,2", hours{48}},
                                                  {"0 0 1 * *", hours{24 * 28}},
                                                  {"0 0 31 * *", hours{24 * 31}},
                                                  {"0 0 1 1 *", hours{24 * 365}},
                                                  {"0 0 29 2 *", hours{24 * 1461}},
                                                  {"0 0 31 12 *", hours{24 * 365}},
                                                  {"0 22,23 1,31 * *", hours{1}}})
    EXPECT_EQ(parsed(text).shortest_gap(), gap) << text;
}

TEST(Jitter, IsBelowItsWindowEvenAndFixed) {
  auto const slot = at("2026-11-21T06:00:00Z");
  std::array<int, 10> hits{};
  for (int i = 0; i < 10'000; ++i) {
    auto later = cron::jitter("uid", slot + hours{i}, minutes{10});
    ASSERT_GE(later, duration::zero());
    ASSERT_LT(later, minutes{10});
    ++hits[static_cast<std::size_t>(later / minutes{1})];
  }
  double chi = 0;
  for (int n : hits) chi += (n - 1000.0) * (n - 1000.0) / 1000.0;
  EXPECT_LT(chi, 30.0);
  EXPECT_EQ(cron::jitter("9b1c6b0e-5d0a-4a57-9a3f-0d8f2a7f6f10", slot, hours{1}), milliseconds{1'412'800});  // fixed forever
  EXPECT_EQ(cron::jitter("uid", slot, duration::zero()), duration::zero());
  EXPECT_EQ(cron::jitter("uid", slot, milliseconds{999}), duration::zero());
}

TEST(Jitter, IsRefusedUnlessBelowTheShortestGap) {
  EXPECT_TRUE(cron::check_jitter(parsed("0 * * * *"), minutes{59}));
  EXPECT_EQ(cron::check_jitter(parsed("0 * * * *"), hours{1}).error(),
            "jitter 1h is not below the shortest gap between slots (1h): runs could swap places. Give a shorter jitter.");
  EXPECT_FALSE(cron::check_jitter(parsed("0 * * * *"), -minutes{1}));
}

}  // namespace
