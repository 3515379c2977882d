#include "proto/streams.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "proto/budget.hpp"
#include "proto/subjects.hpp"

namespace kopiur::proto {
namespace {

constexpr std::int64_t gib = std::int64_t{1} << 30;

TEST(Streams, ShareTheStoreAndRefuseWhatDoesNotFit) {
  std::int64_t all = 0;
  for (auto& each : streams(1, 10 * gib)) {
    EXPECT_GT(each.max_bytes, 0) << each.name;
    bool refuses = each.discard == bus::stream_config::discard_policy::fresh;
    EXPECT_EQ(refuses, each.name != subjects::dead_letters) << each.name << ": no fact is lost for another";
    all += each.max_bytes;
  }
  EXPECT_LE(all, 9 * gib) << "a server needs space of its own";
  EXPECT_GT(all, 8 * gib);
}

TEST(Streams, KeepRunsFor90DaysAt4000ADay) {
  auto all = streams(1, 10 * gib);
  auto runs = std::ranges::find(all, subjects::runs, &bus::stream_config::name);
  constexpr std::int64_t runs_of_90_days = 360'000, bytes_of_one = 6'000;
  EXPECT_LT(runs_of_90_days * bytes_of_one, runs->max_bytes / 100 * full_for_new_runs);
}

TEST(Budget, NewRunsStopBeforeTheStreamIsFull) {
  EXPECT_FALSE(why_no_run_begins(0));
  EXPECT_FALSE(why_no_run_begins(89));
  auto why = why_no_run_begins(90);
  ASSERT_TRUE(why);
  for (auto part : {"90 %", "nats.storage.size", "--bus-store"}) EXPECT_NE(why->find(part), std::string::npos) << *why;
}

TEST(Durables, OfTwoClustersShareLeasesOnly) {
  std::set<std::string> of_a, shared;
  for (auto& each : consumers("a")) of_a.insert(each.name);
  for (auto& each : consumers("b"))
    if (of_a.contains(each.name)) shared.insert(each.name);
  EXPECT_EQ(shared, (std::set<std::string>{durable::lease_requests, bus::dead_letter_consumer(dead_letter_store()).name}));
  auto is_of_a = [](std::string const& filter) {
    return subjects::part(filter, subjects::part(filter, 2) == "lease-waiter" ? 4 : 3) == "a" || filter == "kopiur.v1.lease.>";
  };
  for (auto& each : consumers("a"))
    for (auto& filter : each.filters) EXPECT_TRUE(shared.contains(each.name) || is_of_a(filter)) << each.name << " " << filter;
}

TEST(Durables, EachFormerOneHasASuccessor) {
  auto all = consumers("a");
  for (auto& former : former_durables()) {
    auto now = std::ranges::find(all, former.now("a"), &bus::consumer_config::name);
    ASSERT_NE(now, all.end()) << former.name;
    EXPECT_EQ(now->stream, former.stream);
    EXPECT_EQ(std::ranges::find(all, former.name, &bus::consumer_config::name), all.end());
  }
}

}  // namespace
}  // namespace kopiur::proto
