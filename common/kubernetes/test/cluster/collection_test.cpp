#include "common/kubernetes/collection.hpp"

#include "common/kubernetes/test/cluster/config_maps.hpp"

namespace kopiur::kubernetes {
namespace {

using namespace std::chrono_literals;

/// A collection, and what it has reported, as short texts.
struct stage : config_map_stage {
  stage(asio::io_context& loop, std::string name) : config_map_stage(loop, std::move(name)), changed(loop.get_executor()) {}

  void say(std::string what) {
    said.push_back(std::move(what));
    changed.notify();
  }
  collection all() {
    return {api,
            time,
            {.resource = config_maps, .namespace_ = ns, .selector = "of=test"},
            {.is = [this](json::value object) { say(std::string(object.text("metadata.name"))); },
             .gone = [this](object_key key, std::string uid) { say("no " + key.text()), uids.push_back(std::move(uid)); },
             .told = [this] { say("told"); }}};
  }
  /// Runs it until it has reported `last`.
  awaitable<void> run(collection& watched, std::string last) {
    auto until = [&]() -> awaitable<void> {
      while (said.empty() || said.back() != last) co_await changed.wait(changed.epoch());
    };
    co_await app::within(time, 30s, app::first_of(watched.run(), until()), "it did not report " + last);
  }

  app::event changed;
  std::vector<std::string> said, uids;  // uids: of what is gone
};

/// A new run lists again: changes since are reported exactly, and unchanged objects are not.
TEST(Collection, TellsExactlyWhatChangedWhileNobodyWatched) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    stage it(loop, "unwatched");
    co_await it.make_namespace();
    must(co_await it.create("same"));
    auto goes = must(co_await it.create("goes")), again = must(co_await it.create("again"));
    auto watched = it.all();
    co_await it.run(watched, "told");
    EXPECT_TRUE(watched.told());
    EXPECT_EQ(it.said, (std::vector<std::string>{"again", "goes", "same", "told"}));
    it.said.clear();
    must(co_await it.remove("goes")), must(co_await it.remove("again"));
    must(co_await it.create("again")), must(co_await it.create("comes"));
    co_await it.run(watched, "no ConfigMap unwatched/goes");
    EXPECT_EQ(it.said, (std::vector<std::string>{"no ConfigMap unwatched/again", "again", "comes", "no ConfigMap unwatched/goes"}));
    EXPECT_EQ(it.uids, (std::vector{std::string(uid_of(again)), std::string(uid_of(goes))}));
  });
}

}  // namespace
}  // namespace kopiur::kubernetes
