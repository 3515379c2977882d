#include <gtest/gtest.h>
#include <stdlib.h>
#include <time.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <set>

#include "common/time/cron.hpp"
#include "common/time/zone.hpp"

/// Checks every change of the clocks, in every zone of this machine's database, 2024 to 2030, against an independent oracle: it takes the
/// local time of each UTC minute around the change from the C library, and applies the rules to it.

using namespace kopiur;
using namespace std::chrono;

namespace {

constexpr std::time_t first_instant = 1704067200, last_instant = 1924992000;  // 2024-01-01 to 2031-01-01

struct pattern {
  char const* text;
  bool both_passes;
  std::function<bool(std::tm const&)> meets;
};

std::vector<pattern> const patterns = {
    {"* * * * *", true, [](auto&) { return true; }},
    {"*/15 * * * *", true, [](auto& t) { return t.tm_min % 15 == 0; }},
    {"17 */2 * * *", true, [](auto& t) { return t.tm_min == 17 && t.tm_hour % 2 == 0; }},
    {"30 2 * * *", false, [](auto& t) { return t.tm_min == 30 && t.tm_hour == 2; }},
    {"0 3 * * *", false, [](auto& t) { return t.tm_min == 0 && t.tm_hour == 3; }},
    {"0 0 * * *", false, [](auto& t) { return t.tm_min == 0 && t.tm_hour == 0; }},
    {"59 23 * * *", false, [](auto& t) { return t.tm_min == 59 && t.tm_hour == 23; }},
    {"0,30,45 0-4,22-23 * * *", false,
     [](auto& t) { return (t.tm_min == 0 || t.tm_min == 30 || t.tm_min == 45) && (t.tm_hour <= 4 || t.tm_hour >= 22); }},
    {"5 1,2,13 * * SUN", false,
     [](auto& t) { return t.tm_min == 5 && (t.tm_hour == 1 || t.tm_hour == 2 || t.tm_hour == 13) && t.tm_wday == 0; }},
    {"*/20 2 1,15,25-31 * MON", false,
     [](auto& t) {
       bool day = t.tm_mday == 1 || t.tm_mday == 15 || t.tm_mday >= 25;
       return t.tm_min % 20 == 0 && t.tm_hour == 2 && (day || t.tm_wday == 1);
     }},
};

std::tm clocks_at(std::time_t t) {
  std::tm shown{};
  localtime_r(&t, &shown);
  return shown;
}

/// Local time as a comparable count of minutes.
std::int64_t minute_of(std::tm shown) {
  shown.tm_isdst = 0;
  return timegm(&shown) / 60;
}

/// The local time of each UTC minute of [begin, end).
std::vector<std::tm> watch(std::time_t begin, std::time_t end) {
  std::vector<std::tm> shown;
  for (auto t = begin; t < end; t += 60) shown.push_back(clocks_at(t));
  return shown;
}

std::set<std::int64_t> expected_slots(pattern const& p, std::time_t begin, std::vector<std::tm> const& watched) {
  std::set<std::int64_t> slots, seen;
  std::int64_t previous = minute_of(watched.front()) - 1;
  for (auto t = begin; auto const& shown : watched) {
    auto minute = minute_of(shown);
    for (auto skipped = previous + 1; skipped < minute; ++skipped) {
      std::time_t as_utc = skipped * 60;
      std::tm never_shown{};
      gmtime_r(&as_utc, &never_shown);
      if (p.meets(never_shown)) slots.insert(t);
    }
    bool first_time = seen.insert(minute).second;
    if (p.meets(shown) && (first_time || p.both_passes)) slots.insert(t);
    previous = minute;
    t += 60;
  }
  return slots;
}

std::vector<std::string> every_zone() {
  std::vector<std::string> names;
  std::filesystem::path const root = "/usr/share/zoneinfo";
  for (auto const& entry : std::filesystem::recursive_directory_iterator(root)) {
    auto name = entry.path().lexically_relative(root).string();
    if (!entry.is_regular_file() || name.starts_with("posix/") || name.starts_with("right/")) continue;
    if (name == "localtime" || name == "posixrules" || name == "Factory") continue;  // not places
    char magic[4] = {};
    std::ifstream(entry.path()).read(magic, 4);
    if (std::string_view(magic, 4) == "TZif") names.push_back(name);
  }
  return names;
}

using change = std::pair<std::time_t, std::pair<long, long>>;  // when, offsets before and after

/// Changes by the C library: samples twice a day, then bisects.
std::vector<change> changes_by_libc() {
  std::vector<change> found;
  for (auto t = first_instant; t < last_instant; t += 43200) {
    long before = clocks_at(t).tm_gmtoff, after = clocks_at(t + 43200).tm_gmtoff;
    if (before == after) continue;
    auto low = t, high = t + 43200;
    while (high - low > 1) (clocks_at((low + high) / 2).tm_gmtoff == before ? low : high) = (low + high) / 2;
    found.push_back({high, {before, after}});
  }
  return found;
}

std::vector<change> changes_by_zone(zone const& z) {
  std::vector<change> found;
  for (auto e = z.at(sys_seconds{seconds{first_instant}}); e.end < sys_seconds{seconds{last_instant}}; e = z.at(e.end)) {
    auto next = z.at(e.end);
    found.push_back({next.begin.time_since_epoch().count(), {next.offset_before.count(), next.offset.count()}});
  }
  return found;
}

constexpr std::time_t margin = 26 * 3600;

void check(pattern const& p, zone const& z, std::time_t change, std::vector<std::tm> const& watched) {
  auto begin = change - margin, end = change + margin;
  auto expected = expected_slots(p, begin, watched);
  auto parsed = cron::schedule::parse(p.text, "uid");
  ASSERT_TRUE(parsed) << parsed.error();
  instant const from = sys_seconds{seconds{begin}} - milliseconds{1}, until = sys_seconds{seconds{end}} - milliseconds{1};

  std::set<std::int64_t> forward, backward;
  for (auto s = parsed->next(from, z); s && *s <= until; s = parsed->next(*s, z))
    forward.insert(floor<seconds>(*s).time_since_epoch().count());
  for (auto s = parsed->previous(until, z); s && *s > from; s = parsed->previous(*s, z))
    backward.insert(floor<seconds>(*s).time_since_epoch().count());
  EXPECT_EQ(forward, expected) << p.text << " next() in " << z.name() << " around " << change;
  EXPECT_EQ(backward, expected) << p.text << " previous() in " << z.name() << " around " << change;
  EXPECT_EQ(parsed->count(from, until, z), expected.size()) << p.text << " count() in " << z.name() << " around " << change;
}

TEST(EveryZone, HasTheSlotsThatTheClocksShowAroundEveryChange) {
  std::set<std::vector<change>> done;
  std::size_t zones = 0, edges = 0;
  for (auto const& name : every_zone()) {
    auto z = zone::find(name);
    ASSERT_TRUE(z) << z.error();
    setenv("TZ", (":" + name).c_str(), 1);
    tzset();
    auto changes = changes_by_libc();
    ASSERT_EQ(changes_by_zone(*z), changes) << name;
    ++zones;
    if (!done.insert(changes).second) continue;  // the same clocks under another name
    for (auto const& [when, offsets] : changes) {
      ++edges;
      auto watched = watch(when - margin, when + margin);
      for (auto const& p : patterns) check(p, *z, when, watched);
      if (HasFailure()) return;
    }
  }
  EXPECT_GT(zones, 400u);
  EXPECT_GT(edges, 300u);
  std::printf("%zu zones, %zu different histories, %zu edges, %zu patterns\n", zones, done.size(), edges, patterns.size());
}

}  // namespace
