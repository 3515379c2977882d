#include "services/gateway/kubernetes/objects/watch.hpp"

#include "common/kubernetes/test/cluster/widgets.hpp"
#include "services/gateway/shell/change_hub.hpp"
#include "services/gateway/test/cluster/api.hpp"

namespace kopiur::gateway::kubernetes {
namespace {

using namespace std::chrono_literals;

std::string word_for(cluster_change const& change) {
  if (auto* seen = std::get_if<seen_object>(&change))
    return std::string(seen->object.text("kind")) + " " + std::string(seen->object.text("metadata.name"));
  if (auto* gone = std::get_if<gone_object>(&change)) return "no " + gone->object.kind + " " + gone->object.name;
  if (auto* one = std::get_if<kind_seen>(&change)) return one->kind + " " + std::string(json::to_text(one->presence));
  return std::holds_alternative<listed>(change) ? "listed" : "?";
}

/// The changes of a feed as short texts, up to `last`; at most for 45 s.
awaitable<std::vector<std::string>> words(clock& time, cluster_feed& from, std::string last, std::vector<cluster_change>* whole = nullptr) {
  std::vector<std::string> said;
  auto go = [&]() -> awaitable<void> {
    while (said.empty() || said.back() != last) {
      auto change = co_await from.next();
      said.push_back(word_for(change));
      if (whole) whole->push_back(std::move(change));
    }
  };
  co_await app::within(time, 45s, go(), "the feed did not tell it");
  co_return said;
}

/// A namespace with ConfigMaps and Secrets, watched.
class stage : public stage_base {
 public:
  stage(asio::io_context& loop, std::string name)
      : stage_base(loop, std::move(name)),
        hub(loop.get_executor()),
        seen(
            api, time,
            {{{.resource = *resource_of("ConfigMap"), .namespace_ = ns},
              {.resource = *resource_of("Secret"), .namespace_ = ns, .metadata_only = true}}},
            [this](cluster_change change) { hub.tell(change); }, [this] { hub.tell(listed{}); }) {}

  std::unique_ptr<cluster_feed> follow() {
    auto now = [this](object_key const& key) -> std::vector<cluster_change> {
      auto object = seen.object(key);
      return object ? std::vector<cluster_change>{seen_object{*std::move(object)}} : std::vector<cluster_change>{};
    };
    return hub.follow({.keys = seen.keys(), .now = now, .rest = [this] { return seen.seen_kinds(); }, .listed = seen.told()});
  }

  awaitable<void> put(std::string kind, std::string name) {
    must(
        co_await all.apply(json::parse(R"({"apiVersion":"v1","kind":")" + kind + R"(","metadata":{"name":")" + name + R"(","namespace":")" +
                                       ns + "\"}" + (kind == "Secret" ? R"(,"stringData":{"password":"hunter2"}})" : "}"))
                               .value()));
  }
  awaitable<void> remove(std::string name) {
    (void)co_await all.remove({.object = {"ConfigMap", ns, std::move(name), ""}, .annotations = {}});
  }

  change_hub hub;
  watch seen;
};

TEST(Watch, TellsAllKindsThenChangesAndNeverASecretsValue) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    stage it(loop, "watched");
    co_await it.make_namespace();
    co_await it.put("ConfigMap", "a"), co_await it.put("Secret", "s");
    auto feed = it.follow();
    std::vector<cluster_change> whole;
    auto go = [&]() -> awaitable<void> {
      auto first = co_await words(it.time, *feed, "listed", &whole);
      std::ranges::sort(first);
      EXPECT_EQ(first, (std::vector<std::string>{"ConfigMap a", "Secret s", "listed"}));
      for (auto& each : whole)
        if (auto* one = std::get_if<seen_object>(&each)) {
          EXPECT_FALSE(one->object.find("data")) << json::dump(one->object);
        }
      auto second = it.follow();
      EXPECT_EQ((co_await words(it.time, *second, "listed")).size(), 3u) << "a later feed begins with what is known";
      co_await it.put("ConfigMap", "b");
      EXPECT_EQ(co_await words(it.time, *feed, "ConfigMap b"), (std::vector<std::string>{"ConfigMap b"}));
      co_await it.remove("b");
      EXPECT_EQ(co_await words(it.time, *second, "no ConfigMap b"), (std::vector<std::string>{"ConfigMap b", "no ConfigMap b"}));
    };
    co_await app::first_of(it.seen.run(), go());
  });
}

/// A new run lists again: changes since are reported exactly, and unchanged objects are not.
TEST(Watch, TellsExactlyWhatChangedWhileNobodyWatched) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    stage it(loop, "unwatched");
    co_await it.make_namespace();
    co_await it.put("ConfigMap", "same"), co_await it.put("ConfigMap", "goes"), co_await it.put("ConfigMap", "again");
    auto feed = it.follow();
    auto until_listed = [&]() -> awaitable<void> { (void)co_await words(it.time, *feed, "listed"); };
    co_await app::first_of(it.seen.run(), until_listed());
    co_await it.remove("goes"), co_await it.remove("again");
    co_await it.put("ConfigMap", "again"), co_await it.put("ConfigMap", "comes");
    auto go = [&]() -> awaitable<void> {
      auto said = co_await words(it.time, *feed, "no ConfigMap goes");
      EXPECT_EQ(said, (std::vector<std::string>{"no ConfigMap again", "ConfigMap again", "ConfigMap comes", "no ConfigMap goes"}));
    };
    co_await app::first_of(it.seen.run(), go());
  });
}

/// A status that follows a finalizer names the version that the finalizer's write produced, and a run's Job waits for its receipt. Waiting
/// for the watch, or being refused, would take as long as the write. A change that was reported from an answer is not reported again.
TEST(Watch, KnowsAndTellsOnceWhatAWriteWasAnsweredWith) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    stage it(loop, "answered");
    co_await it.make_namespace();
    co_await it.put("ConfigMap", "a");
    auto feed = it.follow();
    auto until_listed = [&]() -> awaitable<void> { (void)co_await words(it.time, *feed, "listed"); };
    co_await app::first_of(it.seen.run(), until_listed());
    object_key key{"ConfigMap", it.ns, "a"};
    auto set = [&](std::string text) { return it.all.merge(key, json::parse(R"({"data":{"x":")" + text + "\"}}").value()); };
    auto known = [&] { return std::string(it.seen.object(key)->text("data.x")); };
    auto one = must(co_await set("1")), two = must(co_await set("2"));
    it.seen.wrote(two);
    EXPECT_EQ(known(), "2");
    it.seen.wrote(one);
    EXPECT_EQ(known(), "2") << "an answer that comes late";
    auto told = [&]() -> awaitable<void> {
      std::vector<cluster_change> whole;
      (void)co_await words(it.time, *feed, "ConfigMap a", &whole);
      EXPECT_EQ(std::get<seen_object>(whole.back()).object.text("data.x"), "2") << "before any watch came to it";
      co_await it.put("ConfigMap", "b");
      EXPECT_EQ((co_await words(it.time, *feed, "ConfigMap b")).size(), 1u) << "the second is not told again";
      two.find("metadata")->set("resourceVersion", std::string(version_of(two)) + "000");
      it.seen.wrote(two);
      (void)co_await words(it.time, *feed, "ConfigMap a");
      must(co_await set("3"));
      co_await it.put("ConfigMap", "c");
      EXPECT_EQ((co_await words(it.time, *feed, "ConfigMap c")).size(), 1u) << "what an answer has overtaken is not told";
      co_await it.remove("a");
      (void)co_await words(it.time, *feed, "no ConfigMap a");
    };
    co_await app::first_of(it.seen.run(), told());
    it.seen.wrote(two);
    EXPECT_FALSE(it.seen.object(key)) << "what is gone does not come back by an answer";
    EXPECT_TRUE(is_newer("1000", "999"));
    EXPECT_FALSE(is_newer("999", "1000"));
    EXPECT_FALSE(is_newer("7", "7"));
    EXPECT_FALSE(is_newer("b", "a")) << "such versions cannot be compared";
  });
}

/// A kind that the cluster lacks is told as such, and everything else works. That it is installed is noticed within half a minute.
TEST(Watch, IsListedWithoutAForeignKindAndFindsItLater) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    kopiur::kubernetes::widget_stage it(loop, "foreign");
    co_await it.make_namespace();
    change_hub hub(loop.get_executor());
    watch seen(
        it.api, it.time,
        {.required = {{.resource = *resource_of("ConfigMap"), .namespace_ = it.ns}}, .foreign = {{.resource = it.widgets}}},
        [&](cluster_change change) { hub.tell(change); }, [&] { hub.tell(listed{}); });
    auto feed = hub.follow({.keys = {}, .now = {}, .rest = [] { return std::vector<cluster_change>{}; }});
    auto story = [&]() -> awaitable<void> {
      EXPECT_EQ(co_await words(it.time, *feed, "listed"), (std::vector<std::string>{"Widget NotInstalled", "listed"}));
      co_await it.install();
      co_await it.create("a");
      EXPECT_EQ(co_await words(it.time, *feed, "Widget Listed"), (std::vector<std::string>{"Widget a", "Widget Listed"}));
      EXPECT_EQ(seen.keys().size() + seen.seen_kinds().size(), 2u) << "a later feed begins with the object and the kind";
      co_await it.uninstall();
      EXPECT_EQ(co_await words(it.time, *feed, "Widget NotInstalled"), std::vector<std::string>{"Widget NotInstalled"});
      EXPECT_TRUE(seen.object({"Widget", "", "a"})) << "unknown, not gone";
    };
    co_await app::first_of(seen.run(), story());
  });
}

}  // namespace
}  // namespace kopiur::gateway::kubernetes
