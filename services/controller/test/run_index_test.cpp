#include <gtest/gtest.h>

#include <boost/asio.hpp>

#include "common/testing/memory_port.hpp"
#include "proto/codec.hpp"
#include "proto/streams.hpp"
#include "proto/subjects.hpp"
#include "services/controller/shell/run_index.hpp"
#include "services/controller/shell/status_reporter.hpp"
#include "services/controller/shell/typed_view.hpp"

/// What services know of runs and of their status fragments, on the bus in memory and virtual time.
namespace kopiur::controller {
namespace {

using namespace proto;
using namespace std::chrono_literals;

/// A replica that follows runs and fragments, and runs what a test requires.
struct replica {
  using task = boost::asio::awaitable<void>;
  std::shared_ptr<testing::process> who;
  controller::run_index* runs = nullptr;
  std::uint64_t objects_seen = 0;
  controller::status_reporter* reporter = nullptr;
  controller::typed_view<status_fragment>* shares = nullptr;
  std::vector<std::string> changes{};
};

struct stage {
  testing::world home;
  testing::bus_net net{home};
  replica one, two;

  stage() {
    for (auto const& each : proto::streams(1)) EXPECT_TRUE(net.server().ensure(each));
    launch(one, "scheduler"), launch(two, "scheduler");
    go(1s);
  }
  void launch(replica& as, std::string service) {
    as.who = home.start(service, [this, &as, service](testing::process& self) -> replica::task {
      testing::sim_clock time(self);
      testing::memory_port bus(self, net);
      service_context here{bus, time, self.loop().get_executor(), "local", service};
      log::logger log(service);
      controller::run_index runs(
          here, log, [&as] { return as.objects_seen; }, [](run_state const& run) { return run.order.plan != "backup"; });
      controller::status_reporter reporter(here, {"full"});
      controller::typed_view<status_fragment> shares(here, subjects::status, {"kopiur.v1.status.>"}, log);
      runs.on_change(nullptr, [&as](std::string const& run, controller::run_index::entry const* now) {
        as.changes.push_back(run + (now ? "" : " gone"));
      });
      as.runs = &runs, as.reporter = &reporter, as.shares = &shares;
      app::nursery all(here.loop);
      all.spawn(runs.view().run()), all.spawn(reporter.run()), all.spawn(shares.view().run());
      co_await all.join();
    });
  }
  void go(duration length) { home.run_until(home.now() + length); }
  /// Runs `what` inside the replica, to its end.
  template <class T>
  T inside(replica& in, boost::asio::awaitable<T> what) {
    std::optional<T> result;
    home.post(*in.who, [&] {
      boost::asio::co_spawn(in.who->loop(), std::move(what), [&](std::exception_ptr failed, T got) {
        EXPECT_FALSE(failed);
        result = std::move(got);
      });
    });
    go(20s);
    return *std::move(result);
  }
  void inside(replica& in, boost::asio::awaitable<void> what) {
    auto done = [](boost::asio::awaitable<void> all) -> boost::asio::awaitable<bool> {
      co_await std::move(all);
      co_return true;
    };
    EXPECT_TRUE(inside(in, done(std::move(what))));
  }
  std::uint64_t messages(std::string_view stream) { return net.server().info(std::string(stream))->last_sequence; }
};

run_order order_of(std::string plan, std::string uid) {
  return {.plan = std::move(plan), .object = {"Repository", "home", "main", std::move(uid)}};
}

TEST(Runs, KeepTheSequenceOfTheirFirstFact) {
  stage scene;
  EXPECT_TRUE(scene.inside(scene.one, scene.one.runs->order("scheduler", "connect-1", order_of("connect", "uid-1"))));
  auto first = scene.two.runs->find("connect-1")->sequence;
  EXPECT_EQ(scene.two.runs->find("connect-1")->state.ordered_as, first) << "which the fact itself cannot hold";
  auto next = scene.two.runs->find("connect-1")->state;
  next.stage = run_stage::Prepared;
  EXPECT_TRUE(scene.inside(scene.two, scene.two.runs->write("mover-orchestration", "connect-1", first, {run_prepared{}, next})));
  EXPECT_GT(scene.one.runs->find("connect-1")->sequence, first);
  EXPECT_EQ(scene.one.runs->find("connect-1")->state.ordered_as, first);
}

TEST(Runs, AreOrderedOnceAndKnownToAll) {
  stage stage;
  EXPECT_TRUE(stage.inside(stage.one, stage.one.runs->order("scheduler", "connect-1", order_of("connect", "uid-1"))));
  EXPECT_FALSE(stage.inside(stage.two, stage.two.runs->order("scheduler", "connect-1", order_of("discover", "uid-2"))));
  for (auto* each : {&stage.one, &stage.two}) {
    ASSERT_TRUE(each->runs->find("connect-1"));
    EXPECT_EQ(each->runs->find("connect-1")->state.order.plan, "connect");
    EXPECT_EQ(each->runs->of("uid-1", "connect").size(), 1u);
    EXPECT_TRUE(each->runs->of("uid-2", "discover").empty());
    EXPECT_TRUE(each->runs->of("uid-1", "delete").empty());
    EXPECT_EQ(each->runs->open().size(), 1u);
    EXPECT_EQ(each->runs->open().at("connect-1"), &each->runs->find("connect-1")->state);
    EXPECT_EQ(each->changes, std::vector<std::string>{"connect-1"});
  }
}

TEST(Runs, ThatAreOverAreShrunkOnceToOneSmallFact) {
  stage scene;
  EXPECT_TRUE(scene.inside(scene.one, scene.one.runs->order("scheduler", "r", order_of("connect", "uid-1"))));
  auto known = *scene.one.runs->find("r");
  auto next = known.state;
  next.stage = run_stage::FollowThroughComplete, next.outcome = run_outcome::Succeeded, next.log_tail = std::string(4000, 'x');
  EXPECT_TRUE(scene.one.runs->over_since(instant::max(), 9).empty()) << "it is open";
  EXPECT_TRUE(scene.inside(scene.one, scene.one.runs->write("orchestration", "r", known.sequence, {run_finished{}, next})));
  for (auto* each : {&scene.one, &scene.two}) {
    EXPECT_TRUE(each->runs->over_since(next.changed_at - 1ms, 9).empty());
    EXPECT_EQ(each->runs->over_since(next.changed_at, 9), std::vector<std::string>{"r"});
    EXPECT_TRUE(each->runs->over_since(next.changed_at, 0).empty());
  }
  auto small = next;
  small.log_tail.clear();
  auto expected = scene.two.runs->find("r")->sequence;
  EXPECT_TRUE(scene.inside(scene.two, scene.two.runs->shrink("orchestration", "r", expected, {run_finished{}, small})));
  EXPECT_FALSE(scene.inside(scene.one, scene.one.runs->shrink("orchestration", "r", expected, {run_finished{}, small})))
      << "the other replica was faster";
  EXPECT_EQ(scene.net.server().info("runs")->messages, 1U) << "its history is gone";
  for (auto* each : {&scene.one, &scene.two}) {
    EXPECT_TRUE(each->runs->find("r")->shrunk);
    EXPECT_TRUE(each->runs->find("r")->state.log_tail.empty());
    EXPECT_EQ(each->runs->find("r")->state.ordered_as, known.sequence);
    EXPECT_EQ(each->runs->of("uid-1", "connect").size(), 1U);
    EXPECT_TRUE(each->runs->over_since(instant::max(), 9).empty());
  }
}

/// An outlined run is still found and followed, by its objects and by its items.
TEST(Runs, AreOutlinedWhereMoreIsNotWanted) {
  stage scene;
  auto whole = order_of("delete", "uid-1"), outlined = order_of("backup", "uid-2");
  for (auto* each : {&whole, &outlined})
    each->parameters.set("items", json::value(json::array{json::value(json::object{{"uid", "item"}})}));
  scene.inside(scene.one, scene.one.runs->order("scheduler", "r1", std::move(whole)));
  scene.inside(scene.one, scene.one.runs->order("scheduler", "r2", std::move(outlined)));
  auto known = *scene.one.runs->find("r2");
  auto next = known.state;
  next.plan = run_plan{.serves = {{"Backup", "home", "b", "served"}}};
  next.stage = run_stage::FollowThroughComplete, next.outcome = run_outcome::Succeeded, next.log_tail = std::string(4000, 'x');
  EXPECT_TRUE(scene.inside(scene.one, scene.one.runs->write("scheduler", "r2", known.sequence, {run_finished{}, next})));
  for (auto* each : {&scene.one, &scene.two}) {
    EXPECT_TRUE(each->runs->find("r1")->state.order.parameters.find("items"));
    auto& state = each->runs->find("r2")->state;
    EXPECT_FALSE(state.plan || state.order.parameters.find("items") || state.log_tail.capacity() > 100);
    EXPECT_EQ(state.outcome, run_outcome::Succeeded);
    EXPECT_EQ(each->runs->of("served", "backup").size(), 1u);
    EXPECT_EQ(each->runs->of("item", "delete").size(), 1u);
    EXPECT_EQ(each->runs->open().size(), 1u);
  }
}

/// A replica that acts on a fact must not treat as deleted what the fact's writer had seen and it has not.
TEST(Runs, SayHowFarTheirWriterHadSeenTheObjects) {
  stage stage;
  stage.one.objects_seen = 41;
  stage.inside(stage.one, stage.one.runs->order("scheduler", "r", order_of("restore", "uid-1")));
  EXPECT_EQ(stage.two.runs->find("r")->seen, 41u);
  auto next = stage.two.runs->find("r")->state;
  stage.two.objects_seen = 57;
  stage.inside(stage.two, stage.two.runs->write("scheduler", "r", stage.two.runs->find("r")->sequence, {run_waiting{"x"}, next}));
  EXPECT_EQ(stage.one.runs->find("r")->seen, 57u);
}

TEST(Runs, WhoLosesARaceKnowsWhatWasWritten) {
  stage scene;
  scene.inside(scene.one, scene.one.runs->order("scheduler", "r", order_of("delete", "uid-1")));
  auto known = *scene.two.runs->find("r");
  auto done = known.state, late = known.state;
  done.stage = run_stage::FollowThroughComplete, late.stage = run_stage::Prepared;
  EXPECT_TRUE(scene.inside(scene.one, scene.one.runs->write("scheduler", "r", known.sequence, {run_finished{}, done})));
  EXPECT_FALSE(scene.inside(scene.two, scene.two.runs->write("scheduler", "r", known.sequence, {run_prepared{}, late})));
  EXPECT_EQ(scene.two.runs->find("r")->state.stage, run_stage::FollowThroughComplete);
  EXPECT_TRUE(scene.two.runs->open().empty());
  EXPECT_EQ(scene.two.runs->of("uid-1", "delete").size(), 1u) << "a run that is over is still found";
}

TEST(Runs, AreFoundByTheItemsThatTheyServe) {
  stage stage;
  auto order = order_of("delete", "uid-1");
  json::value item = json::value::make_object(), items = json::value::make_array();
  item.set("uid", "backup-uid");
  items.push(std::move(item));
  order.parameters = json::value::make_object();
  order.parameters.set("items", std::move(items));
  stage.inside(stage.one, stage.one.runs->order("scheduler", "r", std::move(order)));
  EXPECT_EQ(stage.two.runs->of("backup-uid", "delete").size(), 1u);
  stage.net.server().purge(std::string(subjects::runs), ">");
  stage.net.cut("scheduler", 30s);
  stage.go(2min);
  EXPECT_TRUE(stage.two.runs->of("backup-uid", "delete").empty());
  EXPECT_EQ(stage.two.runs->find("r"), nullptr);
  EXPECT_EQ(stage.two.changes.back(), "r gone");
}

/// After a loss of the bus sequences start at 1 again: entries with higher ones are from the old stream.
TEST(Runs, AreFollowedThroughALossOfTheBus) {
  stage stage;
  for (auto* id : {"a", "b", "c"}) stage.inside(stage.one, stage.one.runs->order("scheduler", id, order_of("connect", "uid-1")));
  stage.net.server().lose_all();
  run_fact again{.event = run_due{}, .state = {.run = "c", .cluster = "local", .order = order_of("discover", "uid-2")}};
  EXPECT_TRUE(stage.net.server().publish({.subject = subjects::run("local", "c"), .body = json::write(again)}));
  stage.net.cut("scheduler", 30s);
  stage.go(2min);
  EXPECT_EQ(stage.one.runs->find("a"), nullptr);
  for (auto* each : {&stage.one, &stage.two}) {
    ASSERT_TRUE(each->runs->find("c"));
    EXPECT_EQ(each->runs->find("c")->state.order.plan, "discover");
    EXPECT_EQ(each->runs->find("c")->sequence, 1u);
  }
  EXPECT_TRUE(stage.inside(stage.one, stage.one.runs->write("scheduler", "c", 1, {run_finished{}, again.state})));
}

TEST(Claims, AreWrittenWhenTheySaySomethingNewAndReplicasAgree) {
  stage stage;
  object_ref object{"Repository", "home", "main", "uid-1"};
  status_fragment claim{.uid = "uid-1", .made_from = {}, .observed_generation = 1, .status = {}, .conditions = {}};
  stage.inside(stage.one, stage.one.reporter->report(object, claim, {.sequence = 5}));
  stage.inside(stage.one, stage.one.reporter->report(object, claim, {.sequence = 6}));
  EXPECT_TRUE(stage.inside(stage.two, stage.two.reporter->report(object, claim, {.sequence = 7})));
  EXPECT_EQ(stage.messages(subjects::status), 1u) << "nothing new was said";
  claim.observed_generation = 2;
  EXPECT_FALSE(stage.inside(stage.two, stage.two.reporter->report(object, claim, {.sequence = 4})));
  EXPECT_EQ(stage.messages(subjects::status), 1u) << "made from what is older";
  EXPECT_TRUE(stage.inside(stage.two, stage.two.reporter->report(object, claim, {.sequence = 8})));
  stage.inside(stage.one, stage.one.reporter->report(object, claim, {.sequence = 8}, "full"));
  EXPECT_EQ(stage.messages(subjects::status), 3u);
  auto* share = stage.one.shares->find(subjects::status_fragment("local", "Repository", "home", "main", "scheduler-full"));
  ASSERT_TRUE(share);
  EXPECT_EQ(share->value.made_from.sequence, 8u);
}

/// A replica that does not know of the loss yet may write a fragment: later reports must not wait until the new stream reaches the old
/// sequence (seed 2 with many lost buses).
TEST(Claims, MadeFromALostStreamDoNotStandInTheWay) {
  stage stage;
  object_ref object{"Repository", "home", "main", "uid-1"};
  status_fragment claim{.uid = "uid-1", .made_from = {}, .observed_generation = 1, .status = {}, .conditions = {}};
  instant const before(1h);
  stage.inside(stage.one, stage.one.reporter->report(object, claim, {.sequence = 305, .at = before}));
  claim.observed_generation = 2;
  stage.inside(stage.two, stage.two.reporter->report(object, claim, {.sequence = 15, .at = before}));
  EXPECT_EQ(stage.messages(subjects::status), 1u) << "made from what is older";
  stage.inside(stage.two, stage.two.reporter->report(object, claim, {.sequence = 15, .at = before + 1ms}));
  EXPECT_EQ(stage.messages(subjects::status), 2u);
}

/// An object created again under its name: the tombstone of the former fragment exists, and the refusal does not always name its sequence
/// (seed 10311).
TEST(Claims, AreWrittenOverATombstoneThatTheRefusalDoesNotName) {
  stage stage;
  auto subject = subjects::status_fragment("local", "Backup", "home", "b", "scheduler");
  ASSERT_TRUE(stage.net.server().publish({.subject = subject, .body = ""}));
  stage.go(1s);
  stage.net.faults().blind_conflict = 1;
  status_fragment claim{.uid = "uid-2", .made_from = {}, .observed_generation = 1, .status = {}, .conditions = {}};
  stage.inside(stage.one, stage.one.reporter->report({"Backup", "home", "b", "uid-2"}, claim, {.sequence = 5}));
  ASSERT_TRUE(stage.one.shares->find(subject));
  EXPECT_EQ(stage.one.shares->find(subject)->value.uid, "uid-2");
}

TEST(Decoded, WhatDoesNotDecodeCountsAsAbsent) {
  stage stage;
  auto subject = subjects::status_fragment("local", "Repository", "home", "main", "somebody");
  auto put = [&](std::string body) {
    EXPECT_TRUE(stage.net.server().publish({.subject = subject, .body = std::move(body)}));
    stage.go(1s);
  };
  status_fragment claim{.uid = "u", .made_from = {.sequence = 3}, .observed_generation = 1, .status = {}, .conditions = {}};
  put(json::write(claim));
  ASSERT_TRUE(stage.one.shares->find(subject));
  EXPECT_EQ(stage.one.shares->find(subject)->value.made_from.sequence, 3u);
  put("no claim");
  EXPECT_EQ(stage.one.shares->find(subject), nullptr);
  put(json::write(claim));
  EXPECT_TRUE(stage.one.shares->find(subject));
  put("");
  EXPECT_EQ(stage.one.shares->find(subject), nullptr);
}

}  // namespace
}  // namespace kopiur::controller
