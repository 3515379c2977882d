#include "common/bus/test/conformance.hpp"
#include "common/bus/view.hpp"

/// Feeds, the view on top of them, and listeners.
namespace kopiur::bus::conformance {

using namespace std::chrono_literals;

namespace {

asio::awaitable<port*> with_stream(stage& stage) {
  auto* bus = co_await stage.connect();
  must(co_await bus->ensure(plain("a")));
  co_return bus;
}

/// The item as text: `subject=body`, `caught up`, `restarted`, `nothing`.
std::string text_of(std::optional<feed_item> const& item) {
  if (!item) return "nothing";
  if (auto* one = std::get_if<stored>(&*item)) return one->subject + "=" + one->body;
  return std::holds_alternative<caught_up>(*item) ? "caught up" : "restarted";
}

asio::awaitable<void> expect_next(stage& stage, feed& from, std::vector<std::string> wanted) {
  for (auto const& each : wanted) EXPECT_EQ(text_of(co_await soon(stage, from)), each);
}

asio::awaitable<void> the_last_of_each_subject_then_what_is_new(stage& stage) {
  auto* bus = co_await with_stream(stage);
  for (auto body : {"1", "2"})
    for (auto subject : {"a.x", "a.y"}) must(co_await bus->publish({.subject = subject, .body = body}));
  must(co_await bus->publish({.subject = "a.x", .body = "3"}));
  auto from = bus->follow("a", {"a.>"});
  co_await expect_next(stage, *from, {"a.y=2", "a.x=3"});
  auto end = co_await soon(stage, *from);
  if (!end || !std::holds_alternative<caught_up>(*end)) throw broken("expected to be caught up, got " + text_of(end));
  EXPECT_EQ(std::get<caught_up>(*end).sequence, 5u);
  for (auto body : {"4", "5"}) must(co_await bus->publish({.subject = "a.x", .body = body}));
  co_await expect_next(stage, *from, {"a.x=4", "a.x=5"});
  EXPECT_EQ(text_of(co_await soon(stage, *from, 2s)), "nothing");
}

asio::awaitable<void> an_empty_stream_is_caught_up_at_once(stage& stage) {
  auto* bus = co_await with_stream(stage);
  auto from = bus->follow("a", {});
  auto end = co_await soon(stage, *from);
  if (!end || !std::holds_alternative<caught_up>(*end)) throw broken("expected to be caught up, got " + text_of(end));
  EXPECT_EQ(std::get<caught_up>(*end).sequence, 0u);
  must(co_await bus->publish({.subject = "a.x", .body = "1"}));
  co_await expect_next(stage, *from, {"a.x=1"});
}

asio::awaitable<void> a_feed_sees_its_filters_only(stage& stage) {
  auto* bus = co_await with_stream(stage);
  for (auto subject : {"a.x.1", "a.y", "a.z.1", "a.x.2"}) must(co_await bus->publish({.subject = subject, .body = "1"}));
  auto from = bus->follow("a", {"a.x.*", "a.z.>"});
  co_await expect_next(stage, *from, {"a.x.1=1", "a.z.1=1", "a.x.2=1", "caught up"});
  for (auto subject : {"a.y", "a.x.1.1", "a.z.1.1"}) must(co_await bus->publish({.subject = subject, .body = "2"}));
  co_await expect_next(stage, *from, {"a.z.1.1=2"});
}

asio::awaitable<void> waits_for_a_stream_that_comes_later(stage& stage) {
  auto* bus = co_await stage.connect();
  auto from = bus->follow("a", {"a.>"});
  EXPECT_EQ(text_of(co_await soon(stage, *from, 1s)), "nothing");
  must(co_await bus->ensure(plain("a")));
  auto first = text_of(co_await soon(stage, *from, 20s));
  if (first == "restarted") first = text_of(co_await soon(stage, *from, 20s));
  EXPECT_EQ(first, "caught up");
}

asio::awaitable<void> publish_many(port& port, int count) {
  for (int i = 0; i < count; ++i) must(co_await port.publish({.subject = "a." + std::to_string(i % 7), .body = std::to_string(i)}));
}

asio::awaitable<void> read_many(stage& stage, feed& from, int count) {
  for (int i = 0; i < count; ++i) {
    auto item = co_await soon(stage, from);
    auto* one = item ? std::get_if<stored>(&*item) : nullptr;
    if (!one) throw broken("expected message " + std::to_string(i) + ", got " + text_of(item));
    EXPECT_EQ(one->body, std::to_string(i));
    EXPECT_EQ(one->sequence, static_cast<std::uint64_t>(i) + 1);
  }
}

asio::awaitable<void> two_feeds_see_all_in_order(stage& stage) {
  auto* bus = co_await with_stream(stage);
  auto* other = co_await stage.connect();
  auto one = bus->follow("a", {"a.>"}), two = other->follow("a", {"a.>"});
  co_await expect_next(stage, *one, {"caught up"});
  co_await expect_next(stage, *two, {"caught up"});
  app::nursery all(co_await asio::this_coro::executor);
  all.spawn(publish_many(*other, 500));
  all.spawn(read_many(stage, *one, 500));
  all.spawn(read_many(stage, *two, 500));
  co_await all.join();
}

asio::awaitable<void> a_listener_hears_what_is_told(stage& stage) {
  auto* bus = co_await stage.connect();
  auto* other = co_await stage.connect();
  auto from = other->listen("live.*.x");
  std::optional<stored> heard;
  for (int i = 0; i < 50 && !heard; ++i) {  // a bus learns of a subscription a little later
    bus->tell("live.1.y", "not for us");
    bus->tell("live.1.x", "hello", {{"Colour", "red"}});
    heard = co_await soon(stage, *from, 100ms);
  }
  if (!heard) throw broken("nothing was heard");
  EXPECT_EQ(heard->subject, "live.1.x");
  EXPECT_EQ(heard->body, "hello");
  EXPECT_EQ(header(heard->head, "colour"), "red");
}

/// A view that runs for the length of a check.
struct following {
  view content;
  app::nursery runs;
  following(stage& stage, port& bus, asio::any_io_executor loop, std::vector<std::string> filters, view::keep what = view::keep::messages)
      : content(bus, stage.time(), loop, "a", std::move(filters), what), runs(loop) {
    runs.spawn(content.run());
  }
  asio::awaitable<void> end() {
    runs.cancel();
    co_await runs.join();
  }
};

asio::awaitable<void> a_view_holds_the_last_of_each_subject(stage& stage) {
  auto* bus = co_await with_stream(stage);
  for (auto subject : {"a.x.1", "a.x.2", "a.y"}) must(co_await bus->publish({.subject = subject, .body = "1"}));
  following it(stage, *bus, co_await asio::this_coro::executor, {"a.>"});
  std::vector<std::string> told;
  it.content.on_change([&](std::string const& subject, stored const* now) { told.push_back(subject + (now ? "=" + now->body : " gone")); });
  EXPECT_FALSE(it.content.ready());
  co_await it.content.until_ready();
  EXPECT_EQ(it.content.size(), 3u);
  EXPECT_EQ(std::ranges::distance(it.content.under("a.x.")), 2);
  auto wrote = must(co_await bus->publish({.subject = "a.x.1", .body = "2"}));
  co_await it.content.until(wrote.sequence);
  auto* now = it.content.find("a.x.1");
  EXPECT_TRUE(now && now->body == "2");
  wrote = must(co_await bus->publish({.subject = "a.y", .body = ""}));
  co_await it.content.until(wrote.sequence);
  EXPECT_FALSE(it.content.find("a.y"));
  wrote = must(co_await bus->publish({.subject = "a.x.2", .body = "1", .head = {{"KV-Operation", "DEL"}}}));
  co_await it.content.until(wrote.sequence);
  EXPECT_EQ(it.content.size(), 1u);
  EXPECT_EQ(told, (std::vector<std::string>{"a.x.1=1", "a.x.2=1", "a.y=1", "a.x.1=2", "a.y gone", "a.x.2 gone"}));
  co_await it.end();
}

/// The bodies of thousands of messages would be most of a service's memory.
asio::awaitable<void> a_view_of_marks_lets_messages_go(stage& stage) {
  auto* bus = co_await with_stream(stage);
  auto wrote = must(co_await bus->publish({.subject = "a.x", .body = std::string(3000, 'x'), .head = {{"H", "h"}}}));
  following it(stage, *bus, co_await asio::this_coro::executor, {"a.>"}, view::keep::marks);
  std::size_t told = 0;
  it.content.on_change([&](std::string const&, stored const* now) { told = now->body.size(); });
  co_await it.content.until_ready();
  EXPECT_EQ(told, 3000u);
  EXPECT_FALSE(it.content.find("a.x"));
  auto* mark = it.content.find_mark("a.x");
  EXPECT_TRUE(mark && mark->sequence == wrote.sequence);
  co_await it.end();
}

asio::awaitable<void> a_view_reaches_a_sequence_that_is_not_for_it(stage& stage) {
  auto* bus = co_await with_stream(stage);
  must(co_await bus->publish({.subject = "a.x", .body = "1"}));
  following it(stage, *bus, co_await asio::this_coro::executor, {"a.x"});
  co_await it.content.until_ready();
  must(co_await bus->publish({.subject = "a.x", .body = "2"}));
  auto other = must(co_await bus->publish({.subject = "a.y", .body = "1"}));
  co_await app::within(stage.time(), 10s, it.content.until(other.sequence), "the view waits for what is not for it");
  auto* now = it.content.find("a.x");
  EXPECT_TRUE(now && now->body == "2");
  co_await it.end();
}

asio::awaitable<void> a_view_reaches_a_sequence_that_was_erased(stage& stage) {
  auto* bus = co_await with_stream(stage);
  following it(stage, *bus, co_await asio::this_coro::executor, {"a.>"});
  co_await it.content.until_ready();
  must(co_await bus->publish({.subject = "a.x", .body = "1"}));
  auto wrote = must(co_await bus->publish({.subject = "a.y", .body = "1"}));
  must(co_await bus->erase("a", wrote.sequence));
  co_await app::within(stage.time(), 10s, it.content.until(wrote.sequence), "the view waits for what was erased");
  EXPECT_TRUE(it.content.find("a.x"));
  co_await it.end();
}

}  // namespace

std::vector<named_check> feed_checks() {
  return {{"FeedGivesTheLastOfEachSubjectThenWhatIsNew", the_last_of_each_subject_then_what_is_new},
          {"FeedOfAnEmptyStreamIsCaughtUpAtOnce", an_empty_stream_is_caught_up_at_once},
          {"FeedSeesItsFiltersOnly", a_feed_sees_its_filters_only},
          {"FeedWaitsForAStreamThatComesLater", waits_for_a_stream_that_comes_later},
          {"TwoFeedsSeeAllInOrder", two_feeds_see_all_in_order},
          {"AListenerHearsWhatIsTold", a_listener_hears_what_is_told},
          {"AViewHoldsTheLastOfEachSubject", a_view_holds_the_last_of_each_subject},
          {"AViewOfMarksLetsMessagesGo", a_view_of_marks_lets_messages_go},
          {"AViewReachesASequenceThatIsNotForIt", a_view_reaches_a_sequence_that_is_not_for_it},
          {"AViewReachesASequenceThatWasErased", a_view_reaches_a_sequence_that_was_erased}};
}

}  // namespace kopiur::bus::conformance
