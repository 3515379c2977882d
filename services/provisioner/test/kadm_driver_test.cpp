#include "services/provisioner/adapters/kadm_driver.hpp"

#include <gtest/gtest.h>

#include "common/app/system_clock.hpp"
#include "common/kafka/test/kfake_server.hpp"
#include "common/testing/run.hpp"

/// The driver kadm on kfake: a cluster of its own process, on which others act too.
namespace kopiur::provisioner {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using kafka::test::kfake_server;
template <class T>
using awaitable = asio::awaitable<T>;
using buckety::create_result;
using buckety::parameters;

using user = std::function<awaitable<void>(kfake_server&, driver&)>;
void with_driver(user use, std::vector<std::string> options = {}, std::chrono::milliseconds limit = kafka::client::limit) {
  testing::run([&](asio::io_context& loop) -> awaitable<void> {
    app::system_clock time(loop.get_executor());
    kfake_server server(loop.get_executor(), time, options);
    co_await server.start();
    kadm_driver one(time, std::make_unique<kafka::client>(loop.get_executor(), server.connection(), limit));
    co_await use(server, one);
  });
}

template <class... Types>
std::string failure_of(std::variant<Types...> const& said) {
  auto* failed = std::get_if<call_failed>(&said);
  return failed ? failed->message : "";
}
std::string drift_of(std::variant<alignment, drifted, call_failed> const& said) {
  auto* drift = std::get_if<drifted>(&said);
  return drift ? drift->message : "none; " + failure_of(said);
}
bool is(std::variant<alignment, drifted, call_failed> const& said, alignment expected) {
  auto* found = std::get_if<alignment>(&said);
  return found && *found == expected;
}
bool is(std::variant<create_result, call_failed> const& said, create_result expected) {
  auto* found = std::get_if<create_result>(&said);
  return found && *found == expected;
}
std::string seen(std::variant<buckety::inspection, call_failed> const& said) {
  auto* found = std::get_if<buckety::inspection>(&said);
  return !found ? failure_of(said) : !found->exists ? "absent" : found->empty ? "empty" : "there";
}

TEST(KadmDriver, ProvidesATopic) {
  with_driver([](kfake_server& server, driver& topics) -> awaitable<void> {
    EXPECT_EQ(seen(co_await topics.inspect("orders", true)), "absent");
    parameters wanted{{"partitions", "3"}, {"replicationFactor", "1"}, {"config.retention.ms", " 1000 "}};
    EXPECT_TRUE(is(co_await topics.create("orders", wanted), create_result::Made));
    EXPECT_TRUE(is(co_await topics.create("orders", wanted), create_result::ExistsAlready));
    EXPECT_EQ(seen(co_await topics.inspect("orders", true)), "empty");
    EXPECT_TRUE(is(co_await topics.settle("orders", wanted, false), alignment::Same));
    co_await server.post("/topics/orders/records?n=1");
    EXPECT_EQ(seen(co_await topics.inspect("orders", true)), "there");
    auto removed = co_await topics.remove("orders");
    EXPECT_TRUE(std::holds_alternative<removal>(removed));
    EXPECT_TRUE((co_await server.topics()).empty());
    removed = co_await topics.remove("orders");
    EXPECT_TRUE(std::holds_alternative<removal>(removed)) << "one that does not exist is done";
  });
}

/// Topics are never made by a look, on a broker that makes those that are named.
TEST(KadmDriver, ALookMakesNothing) {
  with_driver(
      [](kfake_server& server, driver& topics) -> awaitable<void> {
        EXPECT_EQ(seen(co_await topics.inspect("orders", true)), "absent");
        EXPECT_TRUE(
            failure_of(co_await topics.settle("orders", {{"partitions", "1"}, {"config.retention.ms", "1"}}, false)).contains("deleted"));
        EXPECT_TRUE((co_await server.topics()).empty());
      },
      {"--auto-create"});
}

TEST(KadmDriver, GrowsAndSetsWhatDiffers) {
  with_driver([](kfake_server& server, driver& topics) -> awaitable<void> {
    co_await server.post("/topics/orders?partitions=1");
    co_await server.post("/topics/orders/config?key=cleanup.policy&value=compact");
    parameters wanted{{"partitions", "4"}, {"config.retention.ms", "1000"}};
    EXPECT_TRUE(is(co_await topics.settle("orders", wanted, false), alignment::Different));
    auto before = co_await server.requests();
    EXPECT_FALSE(before.contains("CreatePartitions") || before.contains("IncrementalAlterConfigs")) << "compare only reads";
    EXPECT_TRUE(is(co_await topics.settle("orders", wanted, true), alignment::Same));
    auto served = (co_await server.topics())["orders"];
    EXPECT_EQ(served.partitions, 4);
    EXPECT_EQ(served.configs["retention.ms"], "1000");
    EXPECT_EQ(served.configs["cleanup.policy"], "compact") << "a setting that is not given is not managed";
    auto written = co_await server.requests();
    EXPECT_TRUE(is(co_await topics.settle("orders", wanted, true), alignment::Same));
    EXPECT_TRUE(is(co_await topics.settle("orders", {}, true), alignment::Same)) << "a parameter that was removed keeps its value";
    auto after = co_await server.requests();
    for (std::string each : {"CreatePartitions", "IncrementalAlterConfigs", "CreateTopics"}) EXPECT_EQ(after[each], written[each]) << each;
  });
}

/// Spec 2.4: changes by others, in both directions.
TEST(KadmDriver, DriftGoesBackOrIsTold) {
  with_driver([](kfake_server& server, driver& topics) -> awaitable<void> {
    parameters wanted{{"partitions", "2"}, {"config.retention.ms", "1000"}};
    EXPECT_TRUE(is(co_await topics.create("orders", wanted), create_result::Made));
    co_await server.post("/topics/orders/config?key=retention.ms&value=5");
    EXPECT_TRUE(is(co_await topics.settle("orders", wanted, true), alignment::Same));
    EXPECT_EQ((co_await server.topics())["orders"].configs["retention.ms"], "1000");
    co_await server.post("/topics/orders/partitions?count=5");
    EXPECT_TRUE(drift_of(co_await topics.settle("orders", wanted, false)).starts_with("partitions: the topic has 5, and 2 are wanted"));
    EXPECT_TRUE(drift_of(co_await topics.settle("orders", wanted, true)).starts_with("partitions: "));
    EXPECT_TRUE(drift_of(co_await topics.settle("orders", {{"replicationFactor", "3"}}, false)).starts_with("replicationFactor: "));
  });
}

/// Spec 5.3(4): a refusal inside an answer; growth before the check of the replication factor.
TEST(KadmDriver, HearsARefusedGrowthAndAppliesNothingByHalves) {
  with_driver([](kfake_server& server, driver& topics) -> awaitable<void> {
    co_await server.post("/topics/orders?partitions=1");
    co_await server.post("/fault?kind=error&api=CreatePartitions&code=37");
    auto said = failure_of(co_await topics.settle("orders", {{"partitions", "2"}, {"config.retention.ms", "5"}}, true));
    EXPECT_TRUE(said.starts_with("orders: ") && said.contains("INVALID_PARTITIONS")) << said;
    EXPECT_NE((co_await server.topics())["orders"].configs["retention.ms"], "5");
    auto drift = drift_of(co_await topics.settle("orders", {{"partitions", "2"}, {"replicationFactor", "3"}}, true));
    EXPECT_TRUE(drift.starts_with("replicationFactor: ")) << drift;
    EXPECT_EQ((co_await server.topics())["orders"].partitions, 1);
    co_await server.post("/fault?kind=error&api=CreateTopics&code=38");
    auto made = failure_of(co_await topics.create("more", {{"replicationFactor", "3"}}));
    EXPECT_TRUE(made.contains("INVALID_REPLICATION_FACTOR")) << made;
    co_await server.post("/fault?kind=error&api=IncrementalAlterConfigs&code=40");
    auto set = failure_of(co_await topics.settle("orders", {{"config.retention.ms", "5"}}, true));
    EXPECT_TRUE(set.contains("INVALID_CONFIG")) << set;
  });
}

/// Absence is a fact only by the controller's word: a broker that has not heard of a new topic must not turn it into somebody else's.
TEST(KadmDriver, ABrokerThatDoesNotKnowATopicYetProvesNothing) {
  with_driver([](kfake_server& server, driver& topics) -> awaitable<void> {
    co_await server.post("/topics/orders?partitions=1");
    co_await server.post("/fault?kind=error&api=Metadata&code=3&count=2");
    EXPECT_EQ(seen(co_await topics.inspect("orders", false)), "there");
    co_await server.post("/fault?kind=error&api=DescribeConfigs&code=3&count=2");
    EXPECT_TRUE(is(co_await topics.settle("orders", {{"partitions", "1"}}, false), alignment::Same));
    EXPECT_TRUE(is(co_await topics.settle("orders", {{"config.retention.ms", "5"}}, true), alignment::Same));
    co_await server.post("/fault?kind=error&api=ListOffsets&code=6&count=2");
    EXPECT_EQ(seen(co_await topics.inspect("orders", true)), "empty");
    EXPECT_EQ((co_await server.topics()).size(), 1u);
  });
}

/// The broker goes away in the middle of a creation: whether the topic was made is not known, and nobody says that it was.
TEST(KadmDriver, ACreationWithoutAnAnswerIsNoCreation) {
  with_driver([](kfake_server& server, driver& topics) -> awaitable<void> {
    co_await server.post("/fault?kind=after&api=CreateTopics");
    auto said = failure_of(co_await topics.create("orders", {}));
    EXPECT_TRUE(said.contains("has not answered")) << said;
    EXPECT_EQ((co_await server.topics()).size(), 1u) << "it was carried out";
    EXPECT_TRUE(is(co_await topics.create("orders", {}), create_result::ExistsAlready)) << "adopted, and never deleted";
    EXPECT_EQ((co_await server.requests())["CreateTopics"], 2);
  });
}

TEST(KadmDriver, WaitsForNoBrokerWithoutEnd) {
  with_driver(
      [](kfake_server& server, driver& topics) -> awaitable<void> {
        co_await server.post("/fault?kind=hang&api=DeleteTopics");
        EXPECT_TRUE(failure_of(co_await topics.remove("orders")).contains("has not answered"));
      },
      {}, 500ms);
}

TEST(KadmDriver, TakesForFullWhatItMayNotRead) {
  with_driver([](kfake_server& server, driver& topics) -> awaitable<void> {
    co_await server.post("/topics/orders?partitions=1");
    co_await server.post("/fault?kind=error&api=ListOffsets&code=29");
    EXPECT_EQ(seen(co_await topics.inspect("orders", true)), "there");
    co_await server.post("/fault?kind=error&api=DeleteTopics&code=29");
    EXPECT_TRUE(failure_of(co_await topics.remove("orders")).contains("Give the controller's login that right"));
    EXPECT_EQ((co_await server.topics()).size(), 1u);
  });
}

}  // namespace
}  // namespace kopiur::provisioner
