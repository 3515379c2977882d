#include "services/gateway/shell/change_hub.hpp"

#include "common/app/system_clock.hpp"
#include "common/testing/run.hpp"
#include "services/gateway/core/objects.hpp"

namespace kopiur::gateway {
namespace {

json::value object(std::string const& name, std::string const& state) {
  return json::object{{"kind", "ConfigMap"}, {"metadata", json::object{{"name", name}}}, {"state", state}};
}
std::string word(cluster_change const& change) {
  if (auto* seen = std::get_if<seen_object>(&change))
    return std::string(seen->object.text("metadata.name")) + " " + std::string(seen->object.text("state"));
  if (auto* gone = std::get_if<gone_object>(&change)) return "no " + gone->object.name;
  if (auto* kind = std::get_if<kind_seen>(&change)) return kind->kind;
  return std::holds_alternative<listed>(change) ? "listed" : "?";
}

/// Objects, and a feed that walks through them.
struct stage {
  explicit stage(asio::io_context& loop) : hub(loop.get_executor()) {}

  std::unique_ptr<cluster_feed> follow(bool all_listed) {
    cluster_walk all{.keys = {}, .now = {}, .rest = [] { return std::vector<cluster_change>{kind_seen{"Widget"}}; }, .listed = all_listed};
    for (auto& [name, _] : states) all.keys.push_back({"ConfigMap", "", name});
    all.now = [this](object_key const& key) -> std::vector<cluster_change> {
      auto found = states.find(key.name);
      return found == states.end() ? std::vector<cluster_change>{}
                                   : std::vector<cluster_change>{seen_object{object(key.name, found->second)}};
    };
    return hub.follow(std::move(all));
  }
  void change(std::string const& name, std::string const& state) {
    states[name] = state;
    hub.tell(seen_object{object(name, state)});
  }
  void remove(std::string const& name) {
    states.erase(name);
    hub.tell(gone_object{{"ConfigMap", "", name, ""}});
  }

  change_hub hub;
  std::map<std::string, std::string> states;
};

using words = std::vector<std::string>;
awaitable<words> take(cluster_feed& feed, int count) {
  words told;
  while (count-- > 0) told.push_back(word(co_await feed.next()));
  co_return told;
}

/// A Backup that is due waits for its receipt, not for the thousands of objects that a start reads (cold start beside 6,100 Backups).
TEST(ChangeHub, TellsAChangeBeforeTheRestOfTheWalk) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    stage it(loop);
    it.states = {{"a", "1"}, {"b", "1"}, {"c", "1"}, {"d", "1"}};
    auto feed = it.follow(false);
    EXPECT_EQ(co_await take(*feed, 1), words{"a 1"});
    it.change("c", "2"), it.remove("b"), it.hub.tell(listed{});
    EXPECT_EQ(co_await take(*feed, 6), (words{"c 2", "no b", "c 2", "d 1", "Widget", "listed"})) << "each in its current state";
  });
}

/// The mirror deletes what the walk did not tell, once it is told that all was listed.
TEST(ChangeHub, TellsThatAllIsListedAfterAllElse) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    stage it(loop);
    it.states = {{"a", "1"}, {"b", "1"}};
    auto feed = it.follow(true);
    it.hub.tell(listed{});
    EXPECT_EQ(co_await take(*feed, 4), (words{"a 1", "b 1", "Widget", "listed"}));
    it.change("a", "2"), it.hub.tell(listed{}), it.change("b", "2");
    EXPECT_EQ(co_await take(*feed, 3), (words{"a 2", "b 2", "listed"})) << "once, and again when it is told again";
  });
}

TEST(ChangeHub, LetsOthersRunDuringTheWalk) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    stage it(loop);
    for (int i = 0; i < 1000; ++i) it.states["o" + std::to_string(i)] = "1";
    auto feed = it.follow(true);
    int turns = 0;
    auto other = [&]() -> awaitable<void> {
      for (;; ++turns) co_await asio::post(loop, asio::use_awaitable);
    };
    auto walk = [&]() -> awaitable<void> { (void)co_await take(*feed, 1000); };
    co_await app::first_of(walk(), other());
    EXPECT_GE(turns, 10);
  });
}

}  // namespace
}  // namespace kopiur::gateway
