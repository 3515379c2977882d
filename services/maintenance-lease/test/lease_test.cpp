#include "services/maintenance-lease/core/lease.hpp"

#include <gtest/gtest.h>

#include "proto/codec.hpp"

namespace kopiur::maintenance_lease {
namespace {

using namespace proto;
using namespace std::chrono_literals;

/// One key: each request is decided, then tick() runs until it returns nothing. What is decided is stored as the service stores it.
class key_scene {
 public:
  explicit key_scene(std::string key) { state.key = std::move(key); }
  lease_state state;
  controller::lease_queue queue;
  std::uint64_t sequence = 0;
  instant now{1'000'000ms};
  policy rule;
  std::string ended;  ///< the run whose end is proven
  unrecorded_holders beside;
  std::int64_t slots = usual_slots;  // of requests

  void ask(lease_request const& request) {
    auto asker = std::visit([](auto& each) { return std::pair(each.cluster, each.run); }, request);
    if (std::holds_alternative<release_lease>(request)) queue.remove(asker.first, asker.second);
    auto* mine = queue.find(asker.first, asker.second);
    take(decide(sight(), request, mine ? std::optional(*mine) : std::nullopt, rule));
    settle();
  }
  void settle() {
    while (take(
        tick(sight(), rule, [&](lease_holder const& h) { return h.run == ended ? std::optional<std::string>("seen") : std::nullopt; }))) {
    }
  }
  maintenance_lease::sight sight() const { return {state, queue, sequence + 1, now, beside}; }
  void acquire(std::string run, lease_mode mode = lease_mode::Exclusive, lease_priority priority = lease_priority::Scheduled) {
    ask(acquire_lease{state.key, "c", std::move(run), mode, priority, slots});
  }
  void renew(std::string run) { ask(renew_lease{state.key, "c", std::move(run)}); }
  void release(std::string run) { ask(release_lease{state.key, "c", std::move(run)}); }
  std::string holders() const {
    std::string names;
    for (auto& each : state.holders) names += each.run;
    return names;
  }

 private:
  bool take(outcome next) {
    if (std::holds_alternative<std::monostate>(next)) return false;
    ++sequence;
    if (auto* waits = std::get_if<queued>(&next)) queue.put(waits->waiter);
    if (auto* gone = std::get_if<dropped>(&next)) queue.remove(gone->waiter.cluster, gone->waiter.run);
    if (auto* written = std::get_if<change>(&next)) take(*std::move(written));
    return true;
  }
  void take(change one) {
    if (auto* granted = std::get_if<lease_granted>(&one.event)) queue.remove("c", granted->run);
    state = std::move(one.state);
    bool alone = state.holders.size() < 2;
    for (auto& each : state.holders) EXPECT_TRUE(alone || each.mode == lease_mode::Shared) << "an exclusive holder is alone";
  }
};

TEST(Lease, IsNotGrantedBesideAMoverThatTheBusHasForgotten) {
  key_scene s("claim/c/ns/data");
  s.beside = {{.cluster = "c", .run = "old", .mode = lease_mode::Shared}};
  s.acquire("a");
  EXPECT_EQ(s.holders(), "") << "the old one reads, a wants to write";
  s.acquire("old", lease_mode::Shared, lease_priority::Restore);
  EXPECT_EQ(s.holders(), "old") << "its own mover is in nobody's way";
  s.release("old");
  EXPECT_EQ(s.holders(), "");
  s.beside.clear();
  s.settle();
  EXPECT_EQ(s.holders(), "a");
}

TEST(Lease, AMoverThatTheBusHasForgottenTakesAPlaceAsAHolderDoes) {
  key_scene s("repo/r");
  s.slots = 2;
  s.beside = {{.cluster = "c", .run = "old", .mode = lease_mode::Shared}};
  for (auto* run : {"a", "b"}) s.acquire(run, lease_mode::Shared);
  EXPECT_EQ(s.holders(), "a");
  s.beside.front().mode = lease_mode::Exclusive;
  s.release("a");
  EXPECT_EQ(s.holders(), "") << "an exclusive one is alone";
  s.beside.clear();
  s.settle();
  EXPECT_EQ(s.holders(), "b");
}

TEST(Lease, OneExclusiveHolderAtATime) {
  key_scene s("maintenance/r");
  s.acquire("a");
  s.acquire("b");
  EXPECT_EQ(s.holders(), "a");
  s.release("a");
  EXPECT_EQ(s.holders(), "b");
}

TEST(Lease, AskingAgainChangesNothing) {
  key_scene s("maintenance/r");
  s.acquire("a");
  s.acquire("waits");
  auto before = s.sequence;
  s.acquire("a");
  s.acquire("waits");
  s.release("nobody");
  s.renew("nobody");
  EXPECT_EQ(s.sequence, before);
}

TEST(Lease, SharedHoldersUpToTheSlots) {
  key_scene s("repo/r");
  s.slots = 2;
  for (auto* run : {"a", "b", "c"}) s.acquire(run, lease_mode::Shared);
  EXPECT_EQ(s.holders(), "ab");
  s.release("a");
  EXPECT_EQ(s.holders(), "bc");
}

TEST(Lease, EachRequestNamesItsSlots) {
  key_scene s("repo/r");
  s.slots = 0;
  for (char run = 'a'; run < 'n'; ++run) s.acquire(std::string(1, run), lease_mode::Shared);
  EXPECT_EQ(s.holders(), "abcdefghijklm") << "any number";
  s.slots = 3;
  s.acquire("z", lease_mode::Shared);
  EXPECT_EQ(s.queue.size(), 1U);
}

/// Of a version that knew no slots, there may be plans, requests and waiters on the bus.
TEST(Lease, ARequestWithoutSlotsHasTheUsualOnes) {
  auto request = json::read<lease_request>(R"({"acquire":{"key":"repo/r","cluster":"c","run":"a","mode":"Shared"}})");
  ASSERT_TRUE(request);
  EXPECT_EQ(std::get<acquire_lease>(*request).slots, 8);
}

TEST(Lease, AWaitingExclusiveBlocksNewShared) {
  key_scene s("repo/r");
  s.acquire("a", lease_mode::Shared);
  s.acquire("x", lease_mode::Exclusive);
  s.now += 1s;
  s.acquire("b", lease_mode::Shared);
  EXPECT_EQ(s.holders(), "a");
  s.release("a");
  EXPECT_EQ(s.holders(), "x");
  s.release("x");
  EXPECT_EQ(s.holders(), "b");
}

TEST(Lease, TheHigherPriorityGoesFirst) {
  key_scene s("maintenance/r");
  s.acquire("a");
  s.acquire("scheduled");
  s.now += 1s;
  s.acquire("restore", lease_mode::Exclusive, lease_priority::Restore);
  s.release("a");
  EXPECT_EQ(s.holders(), "restore");
}

TEST(Lease, AnExpiredHolderStaysUntilItsEndIsProven) {
  key_scene s("maintenance/r");
  s.acquire("a");
  s.now += 150s;
  s.acquire("b");
  EXPECT_EQ(s.holders(), "a") << "expired, but its pods may still run";
  s.ended = "a";
  s.settle();
  EXPECT_EQ(s.holders(), "b");
}

TEST(Lease, AProvenEndWithoutExpiryTakesNothing) {
  key_scene s("maintenance/r");
  s.acquire("a");
  s.ended = "a";
  s.now += 10s;
  s.acquire("b");
  EXPECT_EQ(s.holders(), "a");
}

TEST(Lease, RenewalKeepsIt) {
  key_scene s("maintenance/r");
  s.acquire("a");
  for (int i = 0; i < 10; ++i) s.now += 40s, s.renew("a");
  EXPECT_GT(s.state.holders[0].until, s.now + 100s);
}

/// Hundreds of holders must not renew every minute: each renewal writes all of them, and the queue would not advance.
TEST(Lease, InACrowdNobodyHasToSpeakOften) {
  key_scene s("claim/c/ns/data");
  s.slots = 0;
  for (std::size_t i = 0; i < most_holders; ++i) s.acquire("run-" + std::to_string(i), lease_mode::Shared);
  EXPECT_EQ(s.state.holders.front().until, s.now + s.rule.ttl);
  EXPECT_GT(s.state.holders.back().until, s.now + 6min);
  s.renew("run-0");
  EXPECT_GT(s.state.holders.front().until, s.now + 6min);
  for (int i = 0; i < 1000; ++i) s.acquire("late-" + std::to_string(i), lease_mode::Exclusive);
  EXPECT_GT(s.queue.find("c", "late-999")->until, s.now + 8min);
}

/// M7: with its waiters in it, a lease with 6,512 of them was larger than a message may be.
TEST(Lease, ItsMessageIsBoundedHoweverManyHoldItOrWait) {
  key_scene s("repo/0123456789abcdef0123456789abcdef");
  s.slots = 0;
  std::string padding(60, 'x');
  auto name = [&](int number) { return padding + "-" + std::to_string(number); };
  constexpr std::size_t most_bytes = 256 * 1024;
  for (int i = 0; i < 20'000; ++i) s.now += 1ms, s.acquire(name(i), lease_mode::Shared);
  EXPECT_EQ(s.state.holders.size(), most_holders);
  EXPECT_EQ(s.queue.size(), 20'000 - most_holders);
  EXPECT_LT(json::write(s.state).size(), most_bytes);
  EXPECT_LT(json::write(*s.queue.first()).size(), 1024u);
  s.release(name(0));
  EXPECT_EQ(s.state.holders.back().run, name(most_holders)) << "each gets it in its turn";
}

TEST(Lease, ARunThatHasItWaitsNoLonger) {
  key_scene s("maintenance/r");
  s.acquire("a");
  s.queue.put({.cluster = "c", .run = "a", .until = s.now + 60s});  // as after a crash between the two writes
  s.settle();
  EXPECT_TRUE(s.queue.empty());
}

TEST(Lease, FencesOnlyGrow) {
  key_scene s("maintenance/r");
  std::uint64_t last = 0;
  for (int i = 0; i < 5; ++i) {
    s.acquire("a");
    EXPECT_GT(s.state.holders[0].fence, last);
    last = s.state.holders[0].fence;
    s.release("a");
  }
}

TEST(Lease, AWaiterThatNoLongerAsksIsForgotten) {
  key_scene s("maintenance/r");
  s.acquire("a");
  s.acquire("gone");
  s.now += 20s, s.renew("a"), s.now += 20s, s.renew("a"), s.now += 25s, s.renew("a");
  s.settle();
  EXPECT_TRUE(s.queue.empty());
}

TEST(Lease, SomethingIsDueAsLongAsSomebodyIsNamed) {
  key_scene s("maintenance/r");
  EXPECT_FALSE(next_tick(s.state, s.queue));
  s.acquire("a");
  EXPECT_EQ(*next_tick(s.state, s.queue), s.now + 120s + 1ms);
  s.acquire("b");
  EXPECT_EQ(*next_tick(s.state, s.queue), s.now + 60s + 1ms);
}

TEST(Lease, ARequestThatDoesNotWaitIsGrantedAtOnceOrLeavesNothing) {
  key_scene s("etcd/c/hcp");
  auto ask_now = [&](std::string run) { s.ask(acquire_lease{.key = s.state.key, .cluster = "c", .run = std::move(run), .wait = false}); };
  ask_now("a");
  EXPECT_EQ(s.holders(), "a");
  ask_now("b");
  EXPECT_TRUE(s.queue.empty());
  s.release("a");
  EXPECT_EQ(s.holders(), "") << "b was not queued";
  s.acquire("c");
  s.acquire("d");
  s.release("c");
  EXPECT_EQ(s.holders(), "d");
  s.state.holders.clear();
  s.queue.put({.cluster = "c", .run = "e", .until = s.now + 60s});
  auto unchanged = decide(s.sight(), acquire_lease{.key = s.state.key, .cluster = "c", .run = "f", .wait = false}, {}, s.rule);
  EXPECT_TRUE(std::holds_alternative<std::monostate>(unchanged)) << "it passes nobody";
}

TEST(Lease, OneThatDoesNotWaitFollowsAHolderThatExpiredOnceItsEndIsProven) {
  key_scene s("etcd/c/hcp");
  s.acquire("old");
  s.now += 1h;
  auto ask_now = [&] { s.ask(acquire_lease{.key = s.state.key, .cluster = "c", .run = "new", .wait = false}); };
  ask_now();
  EXPECT_EQ(s.holders(), "old");
  s.ended = "old";
  s.settle();
  ask_now();
  EXPECT_EQ(s.holders(), "new");
}

}  // namespace
}  // namespace kopiur::maintenance_lease
