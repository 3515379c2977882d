#include "common/bus/test/conformance.hpp"

/// Streams and consumers: creating, updating, refusing.
namespace kopiur::bus::conformance {

using namespace std::chrono_literals;

namespace {

asio::awaitable<void> ensure_twice_is_once(stage& stage) {
  auto* bus = co_await stage.connect();
  auto made = must(co_await bus->ensure(plain("a")));
  must(co_await bus->publish({.subject = "a.x", .body = "1"}));
  auto again = must(co_await bus->ensure(plain("a")));
  EXPECT_FALSE(made.created.empty());
  EXPECT_EQ(made.created, again.created);
  EXPECT_EQ(again.messages, 1u);
  EXPECT_EQ(again.last_sequence, 1u);
}

asio::awaitable<void> ensure_updates(stage& stage) {
  auto* bus = co_await stage.connect();
  auto config = plain("a");
  must(co_await bus->ensure(config));
  config.max_message = 10;
  config.subjects.push_back("b.>");
  must(co_await bus->ensure(config));
  EXPECT_EQ(must(co_await bus->publish({.subject = "b.x", .body = "1"})).stream, "a");
  EXPECT_EQ(kind_of(co_await bus->publish({.subject = "a.x", .body = std::string(11, 'x')})), failure::too_large);
}

asio::awaitable<void> ensure_refuses_another_nature(stage& stage) {
  auto* bus = co_await stage.connect();
  must(co_await bus->ensure(plain("a")));
  must(co_await bus->publish({.subject = "a.x", .body = "1"}));
  auto refused = co_await bus->ensure(queue("a"));
  EXPECT_EQ(kind_of(refused), failure::refused);
  EXPECT_FALSE(refused.error().text.empty());
  EXPECT_EQ(must(co_await bus->info("a")).messages, 1u);
}

asio::awaitable<void> a_subject_has_one_owner(stage& stage) {
  auto* bus = co_await stage.connect();
  must(co_await bus->ensure(plain("a")));
  auto rival = plain("b");
  rival.subjects = {"a.x"};
  EXPECT_EQ(kind_of(co_await bus->ensure(rival)), failure::refused);
}

asio::awaitable<void> info_counts(stage& stage) {
  auto* bus = co_await stage.connect();
  must(co_await bus->ensure(plain("a")));
  for (int i = 0; i < 3; ++i) must(co_await bus->publish({.subject = "a.x", .body = "1"}));
  must(co_await bus->erase("a", 1));
  auto told = must(co_await bus->info("a"));
  EXPECT_EQ(told.first_sequence, 2u);
  EXPECT_EQ(told.last_sequence, 3u);
  EXPECT_EQ(told.messages, 2u);
}

asio::awaitable<void> what_is_not_there_is_not_found(stage& stage) {
  auto* bus = co_await stage.connect();
  EXPECT_EQ(kind_of(co_await bus->info("a")), failure::not_found);
  EXPECT_EQ(kind_of(co_await bus->last("a", "a.x")), failure::not_found);
  EXPECT_EQ(kind_of(co_await bus->at("a", 1)), failure::not_found);
  EXPECT_EQ(kind_of(co_await bus->erase("a", 1)), failure::not_found);
  EXPECT_EQ(kind_of(co_await bus->ensure(durable("a"))), failure::not_found);
}

asio::awaitable<void> consumers_are_updated(stage& stage) {
  auto* bus = co_await stage.connect();
  must(co_await bus->ensure(plain("a")));
  auto config = durable("a");
  must(co_await bus->ensure(config));
  must(co_await bus->ensure(config));
  must(co_await bus->publish({.subject = "a.x", .body = "1"}));
  config.max_deliver = 1 + static_cast<int>(config.backoff.size());
  must(co_await bus->ensure(config));
  auto work = bus->work("a", "workers", 10);
  EXPECT_TRUE(co_await soon(stage, *work));
  EXPECT_TRUE(co_await soon(stage, *work));
  EXPECT_FALSE(co_await soon(stage, *work, 3s));
}

asio::awaitable<void> a_queue_has_one_consumer_a_subject(stage& stage) {
  auto* bus = co_await stage.connect();
  must(co_await bus->ensure(queue("a")));
  auto config = durable("a");
  must(co_await bus->ensure(config));
  config.name = "others";
  EXPECT_EQ(kind_of(co_await bus->ensure(config)), failure::refused);
}

}  // namespace

std::vector<named_check> config_checks() {
  return {{"EnsureTwiceIsOnce", ensure_twice_is_once},
          {"EnsureUpdates", ensure_updates},
          {"EnsureRefusesAnotherNature", ensure_refuses_another_nature},
          {"ASubjectHasOneOwner", a_subject_has_one_owner},
          {"InfoCounts", info_counts},
          {"WhatIsNotThereIsNotFound", what_is_not_there_is_not_found},
          {"ConsumersAreUpdated", consumers_are_updated},
          {"AQueueHasOneConsumerASubject", a_queue_has_one_consumer_a_subject}};
}

}  // namespace kopiur::bus::conformance
