#include "common/kubernetes/optional_collection.hpp"

#include "common/kubernetes/test/cluster/widgets.hpp"

namespace kopiur::kubernetes {
namespace {

using namespace std::chrono_literals;
using words = std::vector<std::string>;

/// An optional collection, and what it has reported, as short texts.
struct stage : widget_stage {
  stage(asio::io_context& loop, std::string name, std::string const& user = "admin")
      : widget_stage(loop, std::move(name)),
        watching(time, loop.get_executor(), as(user)),
        changed(loop.get_executor()),
        watched(watching, time, {.resource = widgets, .told = [this](error const& why) { failed.push_back(why); }},
                {.is = [this](json::value object) { say(std::string(object.text("metadata.name"))); },
                 .gone = [this](object_key key, std::string) { say("no " + key.name); },
                 .changed = [this] { say(watched.is() == optional_collection::state::listed ? "listed" : "absent"); }},
                200ms) {}

  void say(std::string what) {
    said.push_back(std::move(what));
    changed.notify();
  }
  /// What it reports until it has reported all of these.
  awaitable<words> until_all(words all) {
    auto is_said = [this](std::string const& each) { return std::ranges::find(said, each) != said.end(); };
    auto wait = [&]() -> awaitable<void> {
      while (!std::ranges::all_of(all, is_said)) co_await changed.wait(changed.epoch());
    };
    co_await app::within(time, 30s, wait(), "it did not report " + all.back());
    co_return std::exchange(said, {});
  }
  awaitable<words> until(std::string last) { return until_all({std::move(last)}); }

  client watching;
  app::event changed;
  words said;
  std::vector<error> failed;
  optional_collection watched;
};

/// The server deletes all objects of a definition that is deleted, and its watches report each as deleted. None of them is a deletion.
TEST(OptionalCollection, OfADefinitionThatGoesKeepsWhatItKnows) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    stage it(loop, "goes");
    auto story = [&]() -> awaitable<void> {
      EXPECT_EQ(co_await it.until("absent"), words{"absent"}) << "it holds up nobody";
      co_await it.install();
      EXPECT_EQ(co_await it.until("listed"), words{"listed"});
      co_await it.create("a"), co_await it.create("b"), co_await it.create("c");
      EXPECT_EQ(co_await it.until_all({"a", "b", "c"}), (words{"a", "b", "c"}));
      co_await it.remove("b");
      EXPECT_EQ(co_await it.until("no b"), words{"no b"}) << "the definition still serves it";
      co_await it.uninstall();
      EXPECT_EQ(co_await it.until("absent"), words{"absent"}) << "a and c are unknown, not gone";
      co_await it.install();
      co_await it.create("c");
      auto said = co_await it.until_all({"listed", "c"});  // in either order
      std::ranges::sort(said);
      EXPECT_EQ(said, (words{"c", "listed", "no a", "no c"})) << "a new list proves that the former ones are gone";
    };
    co_await app::first_of(it.watched.run(), story());
  });
}

/// The definition was deleted and created again before anybody looked: a deletion of the former one's object proves nothing by itself.
TEST(OptionalCollection, OfADefinitionThatWasReplacedIsListedAgain) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    stage it(loop, "replaced");
    co_await it.install();
    co_await it.create("a");
    auto first = [&]() -> awaitable<void> { (void)co_await it.until("listed"); };
    co_await app::first_of(it.watched.run(), first());
    co_await it.uninstall();
    co_await it.install();
    co_await it.create("b");
    auto story = [&]() -> awaitable<void> { EXPECT_EQ(co_await it.until("no a"), (words{"b", "no a"})); };
    co_await app::first_of(it.watched.run(), story());
  });
}

/// A user who may not read definitions: that proves nothing, so the kind is neither absent nor listed.
TEST(OptionalCollection, WhoseDefinitionMayNotBeReadIsUnread) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    stage it(loop, "forbidden", "nobody");
    auto story = [&]() -> awaitable<void> {
      while (it.failed.size() < 2) co_await it.time.sleep_for(100ms);
    };
    co_await app::within(it.time, 30s, app::first_of(it.watched.run(), story()), "no failure was reported");
    EXPECT_EQ(it.watched.is(), optional_collection::state::unread);
    EXPECT_EQ(it.said, words{});
    for (auto& each : it.failed) EXPECT_EQ(each.code, failure::forbidden) << each.message;
  });
}

}  // namespace
}  // namespace kopiur::kubernetes
