#include <gtest/gtest.h>

#include "common/app/system_clock.hpp"
#include "common/testing/files.hpp"
#include "common/testing/run.hpp"
#include "services/provisioner/adapters/kadm_driver.hpp"

/// The driver kadm on Apache Kafka (e2e/kafka/with_kafka.sh), which makes topics that a client names.
namespace kopiur::provisioner {
namespace {

namespace asio = boost::asio;
template <class T>
using awaitable = asio::awaitable<T>;
using buckety::create_result;
using buckety::parameters;

std::string variable(char const* name) {
  auto* value = std::getenv(name);
  if (!value) throw std::runtime_error(std::string(name) + " is not set: e2e/kafka/with_kafka.sh sets it.");
  return value;
}
kafka::connection plain() { return {.seeds = {variable("KOPIUR_TEST_KAFKA")}, .client_ID = "test", .tls = {}, .sasl = {}}; }

using user = std::function<awaitable<void>(driver&, kafka::client& others)>;
void with_driver(user use, kafka::connection target = plain()) {
  testing::run([&](asio::io_context& loop) -> awaitable<void> {
    app::system_clock time(loop.get_executor());
    kadm_driver topics(time, std::make_unique<kafka::client>(loop.get_executor(), target));
    kafka::client others(loop.get_executor(), plain());
    co_await use(topics, others);
  });
}
template <class... Types>
std::string said(std::variant<Types...> const& answer) {
  struct words {
    std::string operator()(call_failed const& one) const { return one.message; }
    std::string operator()(drifted const& one) const { return one.message; }
    std::string operator()(alignment one) const { return one == alignment::Same ? "same" : "different"; }
    std::string operator()(create_result one) const { return one == create_result::Made ? "made" : "exists"; }
    std::string operator()(removal one) const { return one == removal::Done ? "removed" : "emptying"; }
    std::string operator()(buckety::inspection one) const { return !one.exists ? "absent" : one.empty ? "empty" : "there"; }
  };
  return std::visit(words{}, answer);
}

/// The broker learns of a change a moment after its controller.
template <class Look>
awaitable<bool> seen(Look look) {
  app::system_clock time(co_await asio::this_coro::executor);
  for (auto const until = time.steady() + std::chrono::seconds(30); time.steady() < until;
       co_await time.sleep_for(std::chrono::milliseconds(20)))
    if (co_await look()) co_return true;
  co_return false;
}

TEST(RealKafka, ProvidesATopic) {
  with_driver([](driver& topics, kafka::client& others) -> awaitable<void> {
    EXPECT_EQ(said(co_await topics.inspect("orders", true)), "absent");
    auto there = co_await others.look_at("orders");
    EXPECT_TRUE(there && !*there) << "a look has made it";
    parameters wanted{
        {"partitions", "2"}, {"replicationFactor", "1"}, {"config.retention.ms", "86400000"}, {"config.cleanup.policy", "compact"}};
    EXPECT_EQ(said(co_await topics.create("orders", wanted)), "made");
    EXPECT_EQ(said(co_await topics.inspect("orders", true)), "empty");
    EXPECT_EQ(said(co_await topics.settle("orders", wanted, false)), "same");
    EXPECT_EQ(said(co_await topics.create("orders", wanted)), "exists");
    wanted["partitions"] = "5", wanted["config.retention.ms"] = "1000";
    EXPECT_EQ(said(co_await topics.settle("orders", wanted, false)), "different");
    EXPECT_EQ(said(co_await topics.settle("orders", wanted, true)), "same");
    there = co_await others.look_at("orders");
    EXPECT_TRUE(there && *there && (*there)->replicas.size() == 5);
    auto settings = co_await others.settings_of("orders");
    EXPECT_TRUE(settings && settings->at("retention.ms") == "1000" && settings->at("cleanup.policy") == "compact");
    EXPECT_EQ(said(co_await topics.remove("orders")), "removed");
    EXPECT_TRUE(co_await seen([&]() -> awaitable<bool> { co_return said(co_await topics.inspect("orders", true)) == "absent"; }));
    EXPECT_EQ(said(co_await topics.remove("orders")), "removed") << "one that does not exist is done";
  });
}

TEST(RealKafka, SetsRightWhatOthersChanged) {
  with_driver([](driver& topics, kafka::client& others) -> awaitable<void> {
    parameters wanted{{"partitions", "2"}, {"config.retention.ms", "1000"}};
    EXPECT_EQ(said(co_await topics.create("drift", wanted)), "made");
    EXPECT_TRUE(co_await others.set("drift", {{"retention.ms", "5000"}, {"segment.ms", "7000"}}));
    auto changed = [&]() -> awaitable<bool> {
      auto now = co_await others.settings_of("drift");
      co_return now && now->at("segment.ms") == "7000";
    };
    EXPECT_TRUE(co_await seen(changed));
    EXPECT_EQ(said(co_await topics.settle("drift", wanted, true)), "same");
    auto settings = co_await others.settings_of("drift");
    EXPECT_TRUE(settings && settings->at("retention.ms") == "1000" && settings->at("segment.ms") == "7000");
    EXPECT_TRUE(co_await others.add_partitions("drift", 3));
    auto grown = [&]() -> awaitable<bool> {
      auto now = co_await others.look_at("drift");
      co_return now && *now && (*now)->replicas.size() == 3;
    };
    EXPECT_TRUE(co_await seen(grown));
    EXPECT_TRUE(said(co_await topics.settle("drift", wanted, true)).starts_with("partitions: the topic has 3, and 2 are wanted"));
    EXPECT_TRUE(co_await others.remove("drift"));
    auto gone = [&]() -> awaitable<bool> {
      auto now = co_await others.look_at("drift");
      co_return now && !*now;
    };
    EXPECT_TRUE(co_await seen(gone));
    EXPECT_EQ(said(co_await topics.inspect("drift", false)), "absent");
    EXPECT_TRUE(said(co_await topics.settle("drift", wanted, true)).contains("deleted"));
  });
}

TEST(RealKafka, RefusalsAreHeard) {
  with_driver([](driver& topics, kafka::client&) -> awaitable<void> {
    auto wide = said(co_await topics.create("wide", {{"replicationFactor", "3"}}));
    EXPECT_TRUE(wide.contains("INVALID_REPLICATION_FACTOR")) << wide;
    auto typo = said(co_await topics.create("typo", {{"config.retention.msec", "1"}}));
    EXPECT_TRUE(typo.contains("INVALID_CONFIG") && typo.contains("retention.msec")) << typo;
    EXPECT_EQ(said(co_await topics.create("plain", {})), "made");
    auto late = said(co_await topics.settle("plain", {{"config.retention.msec", "1"}}, true));
    EXPECT_TRUE(late.contains("INVALID_CONFIG")) << late;
    auto bad = said(co_await topics.settle("plain", {{"config.retention.ms", "soon"}}, true));
    EXPECT_TRUE(bad.contains("INVALID_CONFIG") && bad.contains("soon")) << bad;
    EXPECT_EQ(said(co_await topics.create("a_b", {})), "made");
    auto collides = said(co_await topics.create("a.b", {}));
    EXPECT_TRUE(collides.contains("collides")) << collides;
  });
}

/// Kafka writes some values its own way: what it keeps otherwise is told, or it would be written at each look.
TEST(RealKafka, AValueThatKafkaKeepsOtherwiseIsTold) {
  with_driver([](driver& topics, kafka::client&) -> awaitable<void> {
    parameters wanted{{"config.preallocate", "TRUE"}, {"config.retention.ms", "0001000"}};
    EXPECT_EQ(said(co_await topics.create("spelling", wanted)), "made");
    auto first = said(co_await topics.settle("spelling", wanted, true)), again = said(co_await topics.settle("spelling", wanted, true));
    EXPECT_EQ(first, again);
    EXPECT_TRUE(first == "same" || first.contains("Write the value as Kafka shows it")) << first;
  });
}

TEST(RealKafka, TLSAndLogin) {
  for (std::string mechanism : {"PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"}) {
    kafka::connection target{
        .seeds = {variable("KOPIUR_TEST_KAFKA_SECURE")}, .client_ID = "test", .tls = kafka::encryption{}, .sasl = kafka::login{}};
    auto folder = variable("KOPIUR_TEST_KAFKA_HOME");
    target.tls->authorities = testing::read_all(folder + "/ca.crt");
    auto password = testing::read_all(folder + "/password");
    while (password.ends_with('\n')) password.pop_back();
    *target.sasl = {.mechanism = mechanism, .user = "kopiur", .password = password};
    with_driver(
        [&](driver& topics, kafka::client&) -> awaitable<void> { EXPECT_EQ(said(co_await topics.create("by-" + mechanism, {})), "made"); },
        target);
    if (mechanism != "PLAIN") continue;
    target.sasl->password = "canary";
    with_driver(
        [&](driver& topics, kafka::client&) -> awaitable<void> {
          auto refused = said(co_await topics.inspect("orders", false));
          EXPECT_TRUE(refused.contains("uthentication")) << refused;
          EXPECT_FALSE(refused.contains("canary"));
        },
        target);
  }
}

}  // namespace
}  // namespace kopiur::provisioner
