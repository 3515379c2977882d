#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <random>

#include "common/json/codec.hpp"
#include "common/json/describe.hpp"
#include "common/json/members.hpp"

/// Objects with many members: the cost is linear in their number, and their order is kept.
namespace kopiur::json {
namespace {

struct named {
  std::string unique_ID;
  std::optional<std::int64_t> size_bytes;
};
KOPIUR_DESCRIBE(named, (), (unique_ID, size_bytes))

/// `{"a0000000z":0,...}`: each name `copies` times, in random order. All names have one length, first and last character, which is all that
/// a cheap test for duplicates looks at.
std::string large_object(int members, int copies = 1) {
  std::vector<int> order(static_cast<std::size_t>(members));
  for (int i = 0; i < members; ++i) order[static_cast<std::size_t>(i)] = i / copies;
  std::ranges::shuffle(order, std::minstd_rand(1));
  std::string text;
  for (int each : order) {
    auto digits = std::to_string(each);
    text += (text.empty() ? "{\"a" : ",\"a") + std::string(7 - digits.size(), '0') + digits + "z\":" + digits;
  }
  return text + "}";
}
value turned_round(value object) {
  std::ranges::reverse(*object.as_object());
  return object;
}

double seconds_of(std::function<void()> const& work) {
  auto begun = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
}
/// The time with 100,000 members, over ten times that with 10,000. Each is the best of several runs: another run follows while the result
/// is not good and the limit of time is not reached.
double growth(std::function<std::function<void()>(int members)> const& prepare) {
  constexpr double good = 5, long_enough = 5;
  auto few = prepare(10'000), many = prepare(100'000);
  auto best_few = std::min({seconds_of(few), seconds_of(few), seconds_of(few)});
  auto best_many = seconds_of(many);
  for (double spent = best_many; best_many > good * 10 * best_few && spent < long_enough;) {
    auto again = seconds_of(many);
    spent += again, best_many = std::min(best_many, again);
    best_few = std::min(best_few, seconds_of(few));
  }
  return best_many / (10 * best_few);
}
/// Linear work gives 1 to 5, as 10,000 members fit into a cache that a busy machine shares. Quadratic work gives 10, and 25 with that
/// effect.
constexpr double linear = 8;

TEST(LargeObject, IsParsedInLinearTime) {
  for (int copies : {1, 2})
    EXPECT_LT(growth([&](int members) { return [text = large_object(members, copies)] { ASSERT_TRUE(parse(text)); }; }), linear) << copies;
}

TEST(LargeObject, IsComparedInLinearTime) {
  auto prepare = [](int members) {
    auto one = parse(large_object(members)).value();
    return [one, other = turned_round(one)] { ASSERT_TRUE(one == other); };
  };
  EXPECT_LT(growth(prepare), linear);
}

TEST(LargeObject, IsMergedInLinearTime) {
  auto prepare = [](int members) {
    auto patch = parse(large_object(members)).value();
    return [patch] {
      value target;
      merge(target, patch);
      ASSERT_EQ(target.as_object()->size(), patch.as_object()->size());
    };
  };
  EXPECT_LT(growth(prepare), linear);
}

TEST(LargeObject, IsEditedInLinearTime) {
  auto prepare = [](int members) {
    return [from = parse(large_object(members)).value()] {
      object_editor edited(value{});
      for (auto& [name, content] : *from.as_object()) edited.set(name, content);
      for (auto& [name, content] : *from.as_object()) ASSERT_TRUE(edited.find(name) && edited.erase(name));
      ASSERT_TRUE(std::move(edited).done().as_object()->empty());
    };
  };
  EXPECT_LT(growth(prepare), linear);
}

TEST(LargeObject, IsDecodedInLinearTimeWhereItsMembersAreUnknown) {
  auto prepare = [](int members) {
    auto from = parse(large_object(members)).value();
    from.set("uniqueID", "u");
    return [from] { ASSERT_EQ(decode<named>(from)->unique_ID, "u"); };
  };
  EXPECT_LT(growth(prepare), linear);
}

TEST(LargeObject, IsReadAndWrittenAsAMapInLinearTime) {
  auto prepare = [](int members) {
    return [from = parse(large_object(members)).value()] {
      auto read = decode<std::map<std::string, int>>(from);
      ASSERT_TRUE(read && encode(*read) == from);
    };
  };
  EXPECT_LT(growth(prepare), linear);
}

/// Around few_members, where the implementation changes.
constexpr int sizes[] = {2, 31, 32, 33, 34, 500};

TEST(Object, OfMembersOfOneNameTheLastCountsAtThePlaceOfTheFirst) {
  EXPECT_EQ(dump(*parse(R"({"a":1,"b":2,"a":3,"c":4,"a":5})")), R"({"a":5,"b":2,"c":4})");
  for (int size : sizes) {
    std::string text = "{", expected = "{";
    for (int i = 0; i < size; ++i) text += "\"k" + std::to_string(i) + "\":0,";
    for (int i = size; i-- > 0;) text += "\"k" + std::to_string(i) + "\":" + std::to_string(i) + (i == 0 ? "}" : ",");
    for (int i = 0; i < size; ++i) expected += "\"k" + std::to_string(i) + "\":" + std::to_string(i) + (i == size - 1 ? "}" : ",");
    EXPECT_EQ(dump(*parse(text)), expected);
  }
}

TEST(Object, IsEqualInWhateverOrderItsMembersStand) {
  for (int size : sizes) {
    auto one = parse(large_object(size)).value();
    EXPECT_EQ(one, turned_round(one)) << size;
    auto other = turned_round(one);
    other.as_object()->front().second = "another";
    EXPECT_NE(one, other) << size;
    other = turned_round(one);
    other.as_object()->front().first = "another";
    EXPECT_NE(one, other) << size;
    other = turned_round(one);
    other.as_object()->pop_back();
    EXPECT_NE(one, other) << size;
    EXPECT_NE(other, one) << size;
  }
}

TEST(Object, IsMergedAsRfc7386WhateverItsSize) {
  for (int size : sizes) {
    value target, patch = parse(large_object(size)).value();
    merge(target, *parse(R"({"old":1,"a0000000z":null,"a0000001z":{"in":1}})"));
    patch.set("a0000001z", *parse(R"({"out":{"gone":null}})"));
    patch.set("old", nullptr);
    patch.set("never", nullptr);
    merge(target, patch);
    EXPECT_EQ(target.as_object()->size(), static_cast<std::size_t>(size)) << size;
    EXPECT_EQ(dump(*target.find("a0000001z")), R"({"in":1,"out":{}})") << size;
    EXPECT_EQ(*target.find("a0000000z"), value(0)) << size;
    auto again = target;
    merge(again, patch);
    EXPECT_EQ(again, target) << size;
  }
}

TEST(ObjectEditor, DoesAsTheValueDoes) {
  std::minstd_rand dice(3);
  value plain = *parse(R"({"n1":"x","n2":"y"})");
  object_editor edited(plain);
  for (int i = 0; i < 2000; ++i) {
    auto name = "n" + std::to_string(dice() % 50);
    if (dice() % 3 == 0) {
      ASSERT_EQ(edited.erase(name), plain.erase(name));
    } else {
      edited.set(name, i), plain.set(name, i);
    }
    auto other = "n" + std::to_string(dice() % 50);
    auto *found = edited.find(other), *expected = plain.find(other);
    ASSERT_TRUE(found ? expected && *found == *expected : !expected) << other;
  }
  EXPECT_EQ(dump(std::move(edited).done()), dump(plain));
  EXPECT_EQ(dump(object_editor(value("no object")).done()), "{}");
}

}  // namespace
}  // namespace kopiur::json
