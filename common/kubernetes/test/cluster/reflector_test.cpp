#include "common/kubernetes/reflector.hpp"

#include <set>

#include "common/kubernetes/test/cluster/config_maps.hpp"

namespace kopiur::kubernetes {
namespace {

using namespace std::chrono_literals;
using stage = config_map_stage;

/// The state of a reflector's user: the last report of each object.
struct table {
  std::map<std::string, std::string> is;  // name -> data.is
  std::set<std::string> stale;            // since it started over, not reported again
  int starts_over = 0;
  bool all = false;

  void take(change&& one) {
    if (auto* now = std::get_if<object_is>(&one)) {
      EXPECT_EQ(now->object.text("kind"), "ConfigMap");
      auto name = std::string(now->object.text("metadata.name"));
      is[name] = now->object.text("data.is"), stale.erase(name);
    } else if (auto* gone = std::get_if<object_gone>(&one)) {
      is.erase(std::string(gone->object.text("metadata.name")));
    } else if (std::get_if<started_over>(&one)) {
      ++starts_over, all = false;
      for (auto& [name, _] : is) stale.insert(name);
    } else {
      for (auto& name : std::exchange(stale, {})) is.erase(name);
      all = true;
    }
  }
};

/// Reads changes until `enough`, at most 30 s.
awaitable<void> follow(clock& time, reflector& from, table& into, std::function<bool()> enough) {
  auto go = [&]() -> awaitable<void> {
    while (!enough()) into.take(co_await from.next());
  };
  co_await app::within(time, 30s, go(), "the reflector did not tell it");
}

TEST(Reflector, TellsAllPagesThenEachChangeInOrder) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    stage it(loop, "follows");
    co_await it.make_namespace();
    for (int i = 0; i < 25; ++i) (void)co_await it.create("n" + std::to_string(i));
    auto from = it.follow(10);
    table seen;
    co_await follow(it.time, from, seen, [&] { return seen.all; });
    EXPECT_EQ(seen.is.size(), 25u);

    auto made = co_await it.create("new", "1");
    for (int i = 2; i <= 5; ++i) {
      made->find("data")->set("is", std::to_string(i));
      made = co_await it.put(*made);
    }
    (void)co_await it.remove("n3");
    std::vector<std::string> words;
    co_await follow(it.time, from, seen, [&] {
      if (seen.is.contains("new") && (words.empty() || words.back() != seen.is["new"])) words.push_back(seen.is["new"]);
      return !seen.is.contains("n3");
    });
    EXPECT_EQ(words, (std::vector<std::string>{"1", "2", "3", "4", "5"}));
    EXPECT_EQ(seen.starts_over, 0);
  });
}

/// A page of all of them has about 120 KB.
TEST(Reflector, AsksForSmallerPagesWhereOneIsTooLarge) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    stage it(loop, "large-pages");
    co_await it.make_namespace();
    for (int i = 0; i < 12; ++i) (void)co_await it.create("n" + std::to_string(i), std::string(10'000, 'x'));
    for (auto limit : {json::bounds{.bytes = 40'000}, json::bounds{.members = 100}}) {
      client narrow(it.time, loop.get_executor(), as("admin"), {.content = limit});
      auto from = it.follow(500, narrow);
      table seen;
      co_await follow(it.time, from, seen, [&] { return seen.all; });
      EXPECT_EQ(seen.is.size(), 12u);
    }
    client narrow(it.time, loop.get_executor(), as("admin"), {.content = {.bytes = 40'000}});
    auto all = co_await narrow.ask({.path = it.path()});
    EXPECT_EQ(code_of(all), failure::invalid);
    EXPECT_TRUE(all.error().too_large) << all.error().message;
  });
}

/// `stays` and `goes` exist, and everything was reported.
awaitable<void> begin(stage& it, reflector& from, table& seen) {
  co_await it.make_namespace();
  must(co_await it.create("stays")), must(co_await it.create("goes"));
  co_await follow(it.time, from, seen, [&] { return seen.all; });
}

TEST(Reflector, GoesOnWhereTheServerWasKilled) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    stage it(loop, "killed");
    auto from = it.follow();
    table seen;
    co_await begin(it, from, seen);
    auto mark = co_await it.create("mark");
    co_await follow(it.time, from, seen, [&] { return seen.is.contains("mark"); });  // the watch has started
    co_await it.kill_server();
    (void)co_await it.remove("goes"), (void)co_await it.create("comes");
    co_await follow(it.time, from, seen, [&] { return seen.is.contains("comes") && !seen.is.contains("goes"); });
    EXPECT_TRUE(seen.is.contains("stays"));
  });
}

/// The restarted server does not know earlier versions: it answers 410, and objects deleted meanwhile are still reported.
TEST(Reflector, StartsOverWhereItsVersionHasExpired) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    stage it(loop, "expired");
    auto from = it.follow();
    table seen;
    co_await begin(it, from, seen);
    (void)co_await it.remove("goes"), (void)co_await it.create("comes");
    co_await it.kill_server();
    co_await follow(it.time, from, seen, [&] { return seen.is.contains("comes") && seen.all; });
    EXPECT_EQ(seen.starts_over, 1);
    EXPECT_FALSE(seen.is.contains("goes"));
    EXPECT_TRUE(seen.is.contains("stays"));
  });
}

}  // namespace
}  // namespace kopiur::kubernetes
