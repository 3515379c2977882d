#include "services/runtime/embedded/former_durables.hpp"

#include <gtest/gtest.h>

#include "common/bus/test/nats_stage.hpp"
#include "proto/streams.hpp"
#include "proto/subjects.hpp"
#include "services/runtime/embedded/streams.hpp"

namespace kopiur::embedded {
namespace {

using namespace std::chrono_literals;
using namespace proto;
using bus::conformance::must;
using bus::conformance::nats_stage;
using testing::nats_server;
namespace asio = boost::asio;

TEST(FormerDurable, IsNeededWhileSomebodyUsesItOrAClusterHasNoOther) {
  auto const now = instant(100h);
  EXPECT_FALSE(is_needed({}, true, now));
  EXPECT_TRUE(is_needed({}, false, now)) << "a cluster of an older release";
  EXPECT_TRUE(is_needed({.awaited = true}, true, now));
  EXPECT_TRUE(is_needed({.last_active = now - 59min}, true, now));
  EXPECT_FALSE(is_needed({.pending = 7, .last_active = now - 61min}, true, now))
      << "what is pending is pending for each cluster's own, too";
}

/// The bus's clock, ahead by a step.
class stepped_clock final : public clock {
 public:
  explicit stepped_clock(clock& real) : real_(real) {}
  instant now() const override { return real_.now() + ahead; }
  asio::awaitable<void> sleep_until(instant when) override { return real_.sleep_until(when - ahead); }
  asio::awaitable<void> sleep_for(duration length) override { return real_.sleep_for(length); }
  duration steady() const override { return real_.steady(); }
  duration ahead{0};

 private:
  clock& real_;
};

asio::awaitable<void> list(bus::port& bus, std::string cluster) {
  must(co_await bus.publish({.subject = subjects::resources_listed(cluster), .body = "{}"}));
}

bus::consumer_config shared_one() { return {.stream = "resources", .name = "mover-orchestration-resources"}; }

TEST(Durables, OfOneClusterTakeNoTriggersOfAnother) {
  nats_server server;
  bus::conformance::run_on(server, [](nats_stage& stage) -> asio::awaitable<void> {
    auto* bus = co_await stage.open();
    for (auto cluster : {"a", "b"}) co_await make_streams(*bus, cluster, std::int64_t{1} << 30);
    must(co_await bus->publish({.subject = subjects::resource("b", "Backup", "ns", "of-b"), .body = "{}"}));
    must(co_await bus->publish({.subject = subjects::resource("a", "Backup", "ns", "of-a"), .body = "{}"}));
    for (auto [cluster, object] : {std::pair("a", "of-a"), std::pair("b", "of-b")}) {
      auto worker = bus->work("resources", durable::orchestration_resources(cluster), 4);
      auto got = co_await worker->next();
      EXPECT_EQ(got.message.subject, subjects::resource(cluster, "Backup", "ns", object));
      worker->ack(got);
      for (auto name : {durable::retention_resources(cluster), durable::discovery_resources(cluster)})
        EXPECT_EQ(must(co_await bus->consumer("resources", name)).pending, 1U) << name;
    }
  });
}

TEST(FormerDurables, StayUntilEachClusterHasItsOwnAndNobodyUsesThem) {
  nats_server server;
  bus::conformance::run_on(server, [](nats_stage& stage) -> asio::awaitable<void> {
    auto* bus = co_await stage.open();
    stepped_clock time(stage.time());
    co_await make_streams(*bus, "a", std::int64_t{1} << 30);
    must(co_await bus->ensure(shared_one()));
    for (auto cluster : {"a", "b"}) co_await list(*bus, cluster);
    auto stays = [&](char const* why) -> asio::awaitable<bool> {
      bool kept = (co_await remove_former_durables(*bus, time)).empty();
      EXPECT_TRUE(kept) << "it was removed, although " << why;
      co_return kept;
    };
    if (!co_await stays("cluster b has no durable of its own: it runs an older release")) co_return;
    co_await make_streams(*bus, "b", std::int64_t{1} << 30);
    {
      auto old = bus->work("resources", "mover-orchestration-resources", 4);
      old->ack(co_await old->next());
      time.ahead = 2h;
      if (!co_await stays("somebody waits for its messages")) co_return;
    }
    time.ahead = 0h;
    for (int tries = 0; tries < 400 && must(co_await bus->consumer("resources", "mover-orchestration-resources")).awaited; ++tries)
      co_await time.sleep_for(100ms);
    if (!co_await stays("it was used within the hour")) co_return;
    time.ahead = 2h;
    auto removed = co_await remove_former_durables(*bus, time);
    EXPECT_EQ(removed, std::vector<std::string>{"mover-orchestration-resources"});
    EXPECT_FALSE(co_await bus->consumer("resources", "mover-orchestration-resources"));
    EXPECT_TRUE(co_await bus->consumer("resources", durable::orchestration_resources("a")));
  });
}

}  // namespace
}  // namespace kopiur::embedded
