#include "services/controller/core/lease_queue.hpp"

#include <gtest/gtest.h>

namespace kopiur::controller {
namespace {

using namespace proto;
using namespace std::chrono_literals;

lease_waiter waits(std::string run, duration since, lease_priority priority = lease_priority::Scheduled) {
  return {.cluster = "c", .run = std::move(run), .priority = priority, .since = instant(since), .until = instant(since + 60s)};
}

std::string in_order(lease_queue& queue) {
  std::string names;
  for (auto* next = queue.first(); next; next = queue.first()) {
    names += next->run;
    auto gone = *next;
    queue.remove(gone.cluster, gone.run);
  }
  return names;
}

TEST(LeaseQueue, GoesByPriorityThenByAge) {
  lease_queue queue;
  queue.put(waits("c", 2s)), queue.put(waits("b", 1s)), queue.put(waits("a", 3s, lease_priority::Restore));
  queue.put(waits("d", 0s, lease_priority::Background)), queue.put(waits("e", 2s));
  auto* e = queue.find("c", "e");
  EXPECT_EQ(queue.ahead_of(*e), 3u);
  EXPECT_EQ(queue.size(), 5u);
  EXPECT_EQ(in_order(queue), "abced") << "of two of one moment the name decides, in every replica";
  EXPECT_TRUE(queue.empty());
  EXPECT_FALSE(queue.first_to_expire());
}

TEST(LeaseQueue, ARepeatedRequestKeepsItsPlace) {
  lease_queue queue;
  queue.put(waits("a", 1s)), queue.put(waits("b", 2s));
  auto again = waits("a", 1s);
  again.until = instant(90s);
  queue.put(again);
  EXPECT_EQ(queue.size(), 2u);
  EXPECT_EQ(queue.first_to_expire()->run, "b");
  EXPECT_EQ(in_order(queue), "ab");
}

TEST(LeaseQueue, NamesTheClustersThatWait) {
  lease_queue queue;
  queue.put(waits("a", 1s)), queue.put(waits("b", 1s));
  auto other = waits("a", 3s);
  other.cluster = "d";
  queue.put(other);
  EXPECT_EQ(queue.clusters(), (std::vector<std::string>{"c", "d"}));
  queue.remove("d", "a"), queue.remove("d", "never");
  EXPECT_EQ(queue.clusters(), (std::vector<std::string>{"c"}));
}

}  // namespace
}  // namespace kopiur::controller
