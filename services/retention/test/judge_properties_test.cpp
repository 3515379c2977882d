#include <gtest/gtest.h>
#include <stdlib.h>
#include <time.h>

#include <algorithm>
#include <random>
#include <set>

#include "services/retention/core/explain.hpp"
#include "services/retention/core/judge.hpp"

/// Random histories against a naive oracle that uses the C library's calendar.

using namespace kopiur;
using namespace kopiur::retention;

namespace {

instant const now = instant_from("2026-11-21T18:00:00Z").value();
using names = std::set<std::string>;

struct world {
  std::mt19937_64 random;
  explicit world(std::uint64_t seed) : random(seed) {}

  std::uint64_t below(std::uint64_t n) { return random() % n; }

  row any_row(int serial) {
    row r{.id = "b" + std::to_string(below(1000)) + "-" + std::to_string(serial)};
    // Dense near now, sparse in the past, some in the future; sometimes two at one instant.
    auto spread = std::chrono::milliseconds{1000 * below(std::uint64_t{1} << (8 + below(20)))};
    r.ended = below(30) ? now - spread : now + spread;
    if (below(4) == 0) r.ended = std::chrono::floor<std::chrono::hours>(r.ended);
    r.origin = static_cast<proto::backup_origin>(below(4) ? 0 : below(4));
    if (below(10)) r.phase = below(8) ? proto::backup_phase::Succeeded : proto::backup_phase::Failed;
    r.has_snapshot = below(15) > 0, r.pinned = below(15) == 0, r.in_use = below(15) == 0, r.deleting = below(15) == 0;
    return r;
  }
  std::vector<row> history(int most) {
    std::vector<row> rows;
    for (int i = 0, n = static_cast<int>(below(static_cast<std::uint64_t>(most))); i < n; ++i) rows.push_back(any_row(i));
    return rows;
  }
  proto::retention_policy policy() {
    static constexpr std::array zones{"UTC",           "Europe/Berlin", "America/New_York", "Pacific/Auckland", "Australia/Lord_Howe",
                                      "Asia/Kathmandu"};
    auto count = [&]() -> std::optional<int> { return below(2) ? std::optional(static_cast<int>(below(7))) : std::nullopt; };
    return {count(), count(), count(), count(), count(), count(), zones[below(zones.size())]};
  }
};

bool takes_part(row const& r) {
  bool of_ours = r.origin == proto::backup_origin::scheduled || r.origin == proto::backup_origin::imported;
  return of_ours && r.phase == proto::backup_phase::Succeeded && r.has_snapshot && !r.pinned && !r.deleting &&
         r.ended <= now + std::chrono::minutes(5);
}

/// A slow, direct implementation of the specified rule: returns the ids to delete.
names oracle(std::vector<row> rows, proto::retention_policy const& policy) {
  std::erase_if(rows, [](auto& r) { return !takes_part(r); });
  std::ranges::sort(rows, [](auto& a, auto& b) { return a.ended != b.ended ? a.ended > b.ended : a.id < b.id; });
  setenv("TZ", (":" + policy.timezone).c_str(), 1);
  tzset();
  std::vector<std::pair<std::optional<int>, char const*>> const walks{{policy.keep_hourly, "%F %H %z"},
                                                                      {policy.keep_daily, "%F"},
                                                                      {policy.keep_weekly, "%G-%V"},
                                                                      {policy.keep_monthly, "%Y-%m"},
                                                                      {policy.keep_annual, "%Y"}};
  bool any = policy.keep_latest.value_or(0) > 0;
  for (auto const& [n, form] : walks) any = any || n.value_or(0) > 0;
  if (!any || rows.empty()) return {};
  names kept{rows[0].id};
  for (int i = 0; i < policy.keep_latest.value_or(0) && i < static_cast<int>(rows.size()); ++i)
    kept.insert(rows[static_cast<std::size_t>(i)].id);
  for (auto const& [n, form] : walks) {
    std::set<std::string> buckets;
    for (auto const& r : rows) {
      std::time_t t = std::chrono::floor<std::chrono::seconds>(r.ended).time_since_epoch().count();
      std::tm local{};
      localtime_r(&t, &local);
      char text[64];
      std::strftime(text, sizeof text, form, &local);
      if (buckets.contains(text) || static_cast<int>(buckets.size()) >= n.value_or(0)) continue;
      buckets.insert(text);
      kept.insert(r.id);
    }
  }
  names gone;
  for (auto const& r : rows)
    if (!kept.contains(r.id) && !r.in_use) gone.insert(r.id);
  return gone;
}

names gone_of(std::vector<row> const& rows, policy const& by) {
  names gone;
  auto verdicts = judge(rows, by, now);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!verdicts[i].keep) gone.insert(rows[i].id);
    EXPECT_EQ(verdicts[i].keep, !reasons(verdicts[i]).empty());
    EXPECT_TRUE(sentence(verdicts[i], by).ends_with('.'));
  }
  return gone;
}

TEST(Judge, AgreesWithTheOracleOnRandomHistories) {
  std::size_t pruned = 0, rows_seen = 0;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    world w(seed);
    auto rows = w.history(150);
    auto policy = w.policy();
    auto expected = oracle(rows, policy);
    ASSERT_EQ(gone_of(rows, compile(policy).value()), expected) << "seed " << seed;
    std::ranges::shuffle(rows, w.random);
    ASSERT_EQ(gone_of(rows, compile(policy).value()), expected) << "the order of the rows matters; seed " << seed;
    pruned += expected.size(), rows_seen += rows.size();
  }
  EXPECT_GT(pruned, rows_seen / 4);  // the histories are not trivial
  EXPECT_LT(pruned, rows_seen * 3 / 4);
}

TEST(Judge, ForgetsNothingMoreOfTheSurvivors) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    world w(seed);
    auto rows = w.history(150);
    auto by = compile(w.policy()).value();
    auto gone = gone_of(rows, by);
    std::erase_if(rows, [&](auto& r) { return gone.contains(r.id); });
    ASSERT_EQ(gone_of(rows, by), names{}) << "seed " << seed;
  }
}

TEST(Judge, KeepsASupersetUnderALongerPolicy) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    world w(seed);
    auto rows = w.history(150);
    auto shorter = compile(w.policy()).value(), longer = shorter;
    if (!shorter.prunes()) continue;  // without a rule everything is kept, so adding a rule may keep less
    for (auto& n : longer.keep) n += static_cast<std::uint32_t>(w.below(3));
    auto more = gone_of(rows, shorter), less = gone_of(rows, longer);
    ASSERT_TRUE(std::ranges::includes(more, less)) << "seed " << seed;
  }
}

TEST(Judge, NeverMixesTwoTenants) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    world w(seed);
    auto by = compile(w.policy()).value();
    std::vector<set_key> const keys{{"repo-1", "app", "tenant-a", "/pvc/data"},
                                    {"repo-1", "app", "tenant-b", "/pvc/data"},
                                    {"repo-1", "app", "tenant-a", "/pvc/logs"},
                                    {"repo-2", "app", "tenant-a", "/pvc/data"}};
    std::vector<catalog_row> mixed;
    for (auto const& key : keys)
      for (auto const& r : w.history(60)) mixed.push_back({key, r});
    std::ranges::shuffle(mixed, w.random);
    auto all = by_set(mixed);
    for (auto const& [key, rows] : all) {
      std::vector<catalog_row> alone = mixed;
      std::erase_if(alone, [&](auto& one) { return one.set != key; });
      auto only = by_set(alone);
      ASSERT_EQ(gone_of(rows, by), gone_of(only.begin()->second, by)) << "seed " << seed;
      std::size_t expected = 0;
      for (auto const& one : mixed) expected += one.set == key;
      ASSERT_EQ(rows.size(), expected);
    }
  }
}

}  // namespace
