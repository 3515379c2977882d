#include "services/scheduler/core/agenda.hpp"

#include <gtest/gtest.h>

#include <random>

using namespace kopiur;
using namespace kopiur::scheduler;

namespace {

instant at(int second) { return instant(std::chrono::seconds(second)); }
using keys = std::vector<std::string>;

TEST(Agenda, GivesTheEarliestFirstAndTiesByKey) {
  agenda a;
  EXPECT_FALSE(a.next());
  a.set("late", at(30)), a.set("b", at(10)), a.set("a", at(10)), a.set("moved", at(5));
  a.set("moved", at(20));
  EXPECT_EQ(a.next(), at(10));
  EXPECT_EQ(a.take_due(at(9)), keys{});
  EXPECT_EQ(a.take_due(at(20)), (keys{"a", "b", "moved"}));
  EXPECT_EQ(a.next(), at(30));
  a.erase("late"), a.erase("never-there");
  EXPECT_FALSE(a.next());
}

TEST(Agenda, TakesNoMoreThanAsked) {
  agenda a;
  for (int i = 0; i < 5; ++i) a.set(std::to_string(i), at(i));
  EXPECT_EQ(a.take_due(at(100), 2), (keys{"0", "1"}));
  EXPECT_EQ(a.size(), 3u);
}

TEST(Agenda, AgreesWithAPlainListUnderRandomChanges) {
  std::mt19937 random(3);
  agenda a;
  std::map<std::string, instant> plain;
  for (int i = 0; i < 20'000; ++i) {
    auto key = "k" + std::to_string(random() % 200);
    if (random() % 4 == 0) {
      a.erase(key), plain.erase(key);
    } else if (random() % 50 == 0) {
      auto now = at(static_cast<int>(random() % 1000));
      std::vector<std::pair<instant, std::string>> due;
      for (auto const& [k, t] : plain)
        if (t <= now) due.emplace_back(t, k);
      std::ranges::sort(due);
      keys expected;
      for (auto const& [t, k] : due) expected.push_back(k), plain.erase(k);
      ASSERT_EQ(a.take_due(now), expected);
    } else {
      auto when = at(static_cast<int>(random() % 1000));
      a.set(key, when), plain[key] = when;
    }
    ASSERT_EQ(a.size(), plain.size());
  }
}

}  // namespace
