#include <set>

#include "common/bus/dead_letters.hpp"
#include "common/bus/test/conformance.hpp"
#include "common/bus/view.hpp"

/// Durable consumers: sharing, settling, redelivery, dead letters.
namespace kopiur::bus::conformance {

using namespace std::chrono_literals;

namespace {

/// A work queue `a` with the durable `workers` and `count` messages `a.0`, `a.1`...
asio::awaitable<port*> with_work(stage& stage, int count) {
  auto* bus = co_await stage.connect();
  must(co_await bus->ensure(queue("a")));
  must(co_await bus->ensure(durable("a")));
  for (int i = 0; i < count; ++i) must(co_await bus->publish({.subject = "a." + std::to_string(i), .body = std::to_string(i)}));
  co_return bus;
}

/// The next delivery; the check ends when none comes.
asio::awaitable<delivery> take(stage& stage, worker& from) {
  auto got = co_await soon(stage, from);
  if (!got) throw broken("no delivery came");
  co_return *std::move(got);
}

asio::awaitable<bool> holds(port& bus, std::uint64_t messages) { co_return must(co_await bus.info("a")).messages == messages; }

asio::awaitable<void> gives_in_order_and_forgets_what_is_acked(stage& stage) {
  auto* bus = co_await with_work(stage, 3);
  auto work = bus->work("a", "workers", 10);
  for (int i = 0; i < 3; ++i) {
    auto got = co_await take(stage, *work);
    EXPECT_EQ(got.message.subject, "a." + std::to_string(i));
    EXPECT_EQ(got.message.body, std::to_string(i));
    EXPECT_EQ(got.message.sequence, static_cast<std::uint64_t>(i) + 1);
    EXPECT_EQ(got.attempt, 1);
    work->ack(got);
  }
  EXPECT_TRUE(co_await eventually(stage, [bus] { return holds(*bus, 0); }));
  EXPECT_FALSE(co_await soon(stage, *work, 2s));
  must(co_await bus->publish({.subject = "a.x", .body = "later"}));
  EXPECT_EQ((co_await take(stage, *work)).message.body, "later");
}

asio::awaitable<void> share(stage& stage, worker& work, std::vector<std::uint64_t>& handled, std::size_t all) {
  while (handled.size() < all) {
    auto got = co_await soon(stage, work, 2s);
    if (!got) co_return;
    handled.push_back(got->message.sequence);
    work.ack(*got);
    co_await stage.time().sleep_for(1ms);
  }
}

asio::awaitable<void> two_workers_share(stage& stage) {
  constexpr int count = 200;
  auto* bus = co_await with_work(stage, count);
  auto* other = co_await stage.connect();
  auto first = bus->work("a", "workers", 10), second = other->work("a", "workers", 10);
  std::vector<std::uint64_t> handled;
  app::nursery both(co_await asio::this_coro::executor);
  both.spawn(share(stage, *first, handled, count));
  both.spawn(share(stage, *second, handled, count));
  co_await both.join();
  EXPECT_EQ(handled.size(), static_cast<std::size_t>(count));
  EXPECT_EQ(std::set(handled.begin(), handled.end()).size(), static_cast<std::size_t>(count));
  EXPECT_TRUE(co_await eventually(stage, [bus] { return holds(*bus, 0); }));
}

asio::awaitable<void> retry_comes_back_after_its_delay(stage& stage) {
  auto* bus = co_await with_work(stage, 1);
  auto work = bus->work("a", "workers", 10);
  auto got = co_await take(stage, *work);
  work->retry(got, 3s);
  EXPECT_FALSE(co_await soon(stage, *work, 2s));
  auto again = co_await take(stage, *work);
  EXPECT_EQ(again.attempt, 2);
  EXPECT_EQ(again.message.sequence, got.message.sequence);
  work->retry(again, 0ms);
  EXPECT_EQ((co_await take(stage, *work)).attempt, 3);
}

asio::awaitable<void> unacked_comes_back_after_the_ack_wait(stage& stage) {
  auto* bus = co_await with_work(stage, 1);
  auto work = bus->work("a", "workers", 10);
  co_await take(stage, *work);
  EXPECT_FALSE(co_await soon(stage, *work, 500ms));
  auto again = co_await take(stage, *work);
  EXPECT_EQ(again.attempt, 2);
  work->ack(again);
  EXPECT_TRUE(co_await eventually(stage, [bus] { return holds(*bus, 0); }));
}

asio::awaitable<void> progress_restarts_the_ack_wait(stage& stage) {
  auto* bus = co_await with_work(stage, 1);
  auto work = bus->work("a", "workers", 10);
  auto got = co_await take(stage, *work);
  for (int i = 0; i < 4; ++i) {
    EXPECT_FALSE(co_await soon(stage, *work, 600ms));
    work->progress(got);
  }
  EXPECT_EQ((co_await take(stage, *work)).attempt, 2);
}

asio::awaitable<void> the_window_bounds_what_is_unsettled(stage& stage) {
  auto* bus = co_await with_work(stage, 5);
  auto config = durable("a");
  config.backoff = {30s};
  must(co_await bus->ensure(config));
  auto work = bus->work("a", "workers", 2);
  auto first = co_await take(stage, *work);
  co_await take(stage, *work);
  EXPECT_FALSE(co_await soon(stage, *work, 2s));
  work->ack(first);
  EXPECT_TRUE(co_await soon(stage, *work));
}

asio::awaitable<void> a_cancelled_next_loses_nothing(stage& stage) {
  auto* bus = co_await with_work(stage, 0);
  auto work = bus->work("a", "workers", 10);
  EXPECT_FALSE(co_await soon(stage, *work, 100ms));
  must(co_await bus->publish({.subject = "a.x", .body = "1"}));
  EXPECT_EQ((co_await take(stage, *work)).attempt, 1);
}

asio::awaitable<void> a_durable_sees_its_filters_only(stage& stage) {
  auto* bus = co_await stage.connect();
  must(co_await bus->ensure(plain("a")));
  auto config = durable("a");
  config.filters = {"a.x.*", "a.y"};
  must(co_await bus->ensure(config));
  for (auto subject : {"a.x.1", "a.x", "a.y", "a.x.1.2", "a.z", "a.x.2"}) must(co_await bus->publish({.subject = subject, .body = "1"}));
  auto work = bus->work("a", "workers", 10);
  for (auto subject : {"a.x.1", "a.y", "a.x.2"}) {
    auto got = co_await take(stage, *work);
    EXPECT_EQ(got.message.subject, subject);
    work->ack(got);
  }
  EXPECT_FALSE(co_await soon(stage, *work, 2s));
  EXPECT_EQ(must(co_await bus->info("a")).messages, 6u) << "only a work queue forgets what is acked";
}

asio::awaitable<void> a_durable_remembers(stage& stage) {
  auto* bus = co_await stage.connect();
  must(co_await bus->ensure(plain("a")));
  must(co_await bus->ensure(durable("a")));
  for (auto body : {"1", "2"}) must(co_await bus->publish({.subject = "a.x", .body = body}));
  auto first = bus->work("a", "workers", 1);
  first->ack(co_await take(stage, *first));
  co_await stage.time().sleep_for(100ms);
  first.reset();
  auto second = (co_await stage.connect())->work("a", "workers", 1);
  EXPECT_EQ((co_await take(stage, *second)).message.body, "2");
}

/// The dead letter of `a.0`, once it exists.
asio::awaitable<stored> letter(stage& stage, port& bus) {
  std::optional<stored> found;
  co_await eventually(stage, [&] {
    return [](port& from, std::optional<stored>& value) -> asio::awaitable<bool> {
      value = must(co_await from.last("dead-letters", "dead.a.workers"));
      co_return value.has_value();
    }(bus, found);
  });
  if (!found) throw broken("no dead letter came");
  co_return *std::move(found);
}

asio::awaitable<void> reject_leaves_a_dead_letter(stage& stage) {
  auto* bus = co_await with_work(stage, 0);
  must(co_await bus->ensure(dead_letter_stream({})));
  must(co_await bus->publish({.subject = "a.0", .body = "poison", .head = {{"ce-id", "7"}}, .id = "i"}));
  auto work = bus->work("a", "workers", 10);
  work->reject(co_await take(stage, *work), "no JSON:\r\nit ends at byte 3");
  auto dead = co_await letter(stage, *bus);
  EXPECT_EQ(dead.body, "poison");
  EXPECT_EQ(header(dead.head, "ce-id"), "7");
  EXPECT_EQ(header(dead.head, "Dead-Reason"), "no JSON:  it ends at byte 3");
  EXPECT_EQ(header(dead.head, "Dead-Subject"), "a.0");
  EXPECT_EQ(header(dead.head, "Dead-Sequence"), "1");
  EXPECT_EQ(header(dead.head, "Dead-Attempts"), "1");
  EXPECT_TRUE(co_await eventually(stage, [bus] { return holds(*bus, 0); }));
  EXPECT_FALSE(co_await soon(stage, *work, 3s));
}

asio::awaitable<void> at_max_deliver_it_stays_and_a_dead_letter_tells(stage& stage) {
  auto* bus = co_await with_work(stage, 1);
  auto config = durable("a");
  config.max_deliver = 2;
  must(co_await bus->ensure(config));
  dead_letter_options options;
  must(co_await bus->ensure(dead_letter_stream(options)));
  must(co_await bus->ensure(dead_letter_consumer(options)));
  auto work = bus->work("a", "workers", 10);
  EXPECT_EQ((co_await take(stage, *work)).attempt, 1);
  EXPECT_EQ((co_await take(stage, *work)).attempt, 2);
  EXPECT_FALSE(co_await soon(stage, *work, 4s));
  EXPECT_TRUE(must(co_await bus->at("a", 1))) << "the server gives up, but forgets nothing";
  options.erase_from = {"a"};
  app::nursery handler(co_await asio::this_coro::executor);
  handler.spawn(store_dead_letters(*bus, options));
  auto dead = co_await letter(stage, *bus);
  EXPECT_EQ(dead.body, "0");
  EXPECT_EQ(header(dead.head, "Dead-Attempts"), "2");
  EXPECT_TRUE(header(dead.head, "Dead-Reason").find("2 deliveries") != std::string_view::npos) << header(dead.head, "Dead-Reason");
  EXPECT_TRUE(co_await eventually(stage, [bus] { return holds(*bus, 0); }));
  handler.cancel();
  co_await handler.join();
}

asio::awaitable<void> a_durable_may_leave_out_bodies(stage& stage) {
  auto* bus = co_await with_work(stage, 0);
  auto config = durable("a");
  config.headers_only = true;
  must(co_await bus->ensure(config));
  dead_letter_options options;
  must(co_await bus->ensure(dead_letter_stream(options)));
  must(co_await bus->ensure(dead_letter_consumer(options)));
  must(co_await bus->publish({.subject = "a.full", .body = "hello", .head = {{"who", "me"}}}));
  must(co_await bus->publish({.subject = "a.gone", .body = ""}));
  auto work = bus->work("a", "workers", 10);
  auto full = co_await take(stage, *work);
  EXPECT_EQ(full.message.body, "");
  EXPECT_EQ(header(full.message.head, "who"), "me");
  EXPECT_EQ(body_size(full.message), 5u);
  EXPECT_FALSE(says_gone(full.message));
  auto gone = co_await take(stage, *work);
  EXPECT_EQ(body_size(gone.message), 0u);
  EXPECT_TRUE(says_gone(gone.message));
  app::nursery handler(co_await asio::this_coro::executor);
  handler.spawn(store_dead_letters(*bus, options));
  work->reject(full, "why not");
  auto dead = co_await letter(stage, *bus);
  EXPECT_EQ(dead.body, "hello") << "a dead letter has its body";
  EXPECT_EQ(header(dead.head, "who"), "me");
  handler.cancel();
  co_await handler.join();
}

}  // namespace

std::vector<named_check> work_checks() {
  return {{"GivesInOrderAndForgetsWhatIsAcked", gives_in_order_and_forgets_what_is_acked},
          {"TwoWorkersShare", two_workers_share},
          {"RetryComesBackAfterItsDelay", retry_comes_back_after_its_delay},
          {"UnackedComesBackAfterTheAckWait", unacked_comes_back_after_the_ack_wait},
          {"ProgressRestartsTheAckWait", progress_restarts_the_ack_wait},
          {"TheWindowBoundsWhatIsUnsettled", the_window_bounds_what_is_unsettled},
          {"ACancelledNextLosesNothing", a_cancelled_next_loses_nothing},
          {"ADurableSeesItsFiltersOnly", a_durable_sees_its_filters_only},
          {"ADurableRemembers", a_durable_remembers},
          {"ADurableMayLeaveOutBodies", a_durable_may_leave_out_bodies},
          {"RejectLeavesADeadLetter", reject_leaves_a_dead_letter},
          {"AtMaxDeliverItStaysAndADeadLetterTells", at_max_deliver_it_stays_and_a_dead_letter_tells}};
}

}  // namespace kopiur::bus::conformance
