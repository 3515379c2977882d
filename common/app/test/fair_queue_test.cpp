#include "common/app/fair_queue.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace kopiur::app {
namespace {

/// `namespace/name`.
using key = std::string;
using keys = std::vector<key>;

std::string namespace_of(key const& one) { return one.substr(0, one.find('/')); }

keys take_all(fair_queue<key>& queue) {
  keys taken;
  while (auto next = queue.take()) taken.push_back(*next);
  return taken;
}

/// As one worker takes them, one after the other.
keys one_by_one(fair_queue<key>& queue) {
  keys taken;
  while (auto next = queue.take()) taken.push_back(*next), queue.finish(*next);
  return taken;
}

TEST(FairQueue, TakesEachKeyOnceInOrder) {
  fair_queue<key> queue(8);
  for (auto* each : {"a/1", "a/2", "a/1", "b/1"}) queue.add(each);
  EXPECT_EQ(take_all(queue), (keys{"a/1", "a/2", "b/1"}));
}

TEST(FairQueue, HasNoMoreKeysInWorkThanWorkers) {
  fair_queue<key> queue(2);
  for (auto* each : {"a/1", "a/2", "a/3"}) queue.add(each);
  EXPECT_EQ(take_all(queue), (keys{"a/1", "a/2"}));
  queue.finish("a/1");
  EXPECT_EQ(take_all(queue), keys{"a/3"});
}

TEST(FairQueue, RepeatsAKeyThatWasRequestedDuringItsWork) {
  fair_queue<key> queue(4);
  queue.add("a/1");
  EXPECT_EQ(take_all(queue), keys{"a/1"});
  queue.add("a/1"), queue.add("a/1");
  EXPECT_EQ(take_all(queue), keys{});
  queue.finish("a/1");
  EXPECT_EQ(take_all(queue), keys{"a/1"});
  queue.finish("a/1");
  EXPECT_EQ(take_all(queue), keys{});
  EXPECT_EQ(queue.waiting() + queue.in_work(), 0u);
}

TEST(FairQueue, LetsSharesTakeTurns) {
  fair_queue<key> queue(1, namespace_of);
  for (auto* each : {"a/1", "a/2", "a/3", "a/4", "b/1", "b/2", "c/1"}) queue.add(each);
  EXPECT_EQ(one_by_one(queue), (keys{"a/1", "b/1", "c/1", "a/2", "b/2", "a/3", "a/4"}));
}

TEST(FairQueue, GivesOneShareHalfOfTheWorkers) {
  fair_queue<key> queue(4, namespace_of);
  for (auto* each : {"a/1", "a/2", "a/3", "a/4"}) queue.add(each);
  EXPECT_EQ(take_all(queue), (keys{"a/1", "a/2"}));
  queue.add("b/1"), queue.add("b/2"), queue.add("b/3");
  EXPECT_EQ(take_all(queue), (keys{"b/1", "b/2"}));
  queue.finish("b/1");
  EXPECT_EQ(take_all(queue), keys{"b/3"});
  queue.finish("a/2");
  EXPECT_EQ(take_all(queue), keys{"a/3"});
}

TEST(FairQueue, TakesBackgroundKeysLast) {
  fair_queue<key> queue(1);
  queue.add("a/1", urgency::background), queue.add("a/2", urgency::background);
  queue.add("b/1");
  queue.add("a/2");
  queue.add("b/1", urgency::background);
  EXPECT_TRUE(queue.has_background());
  EXPECT_EQ(one_by_one(queue), (keys{"b/1", "a/2", "a/1"}));
  EXPECT_FALSE(queue.has_background());
}

TEST(FairQueue, KeepsABackgroundRequestDuringTheWork) {
  fair_queue<key> queue(1);
  queue.add("a/1");
  EXPECT_EQ(take_all(queue), keys{"a/1"});
  queue.add("a/1", urgency::background);
  queue.add("b/1");
  queue.finish("a/1");
  EXPECT_EQ(one_by_one(queue), (keys{"b/1", "a/1"}));
}

TEST(FairQueue, TakesBackgroundKeysWhileTheUrgentOnesOfAShareMustWait) {
  fair_queue<key> queue(2, namespace_of);
  queue.add("a/1"), queue.add("a/2");
  queue.add("b/1", urgency::background);
  EXPECT_EQ(take_all(queue), (keys{"a/1", "b/1"}));
}

}  // namespace
}  // namespace kopiur::app
