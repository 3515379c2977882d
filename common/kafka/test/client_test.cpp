#include "common/kafka/client.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <openssl/ssl.h>

#include <fstream>
#include <sstream>

#include "common/app/async.hpp"
#include "common/app/system_clock.hpp"
#include "common/kafka/handles.hpp"
#include "common/kafka/test/kfake_server.hpp"
#include "common/testing/files.hpp"
#include "common/testing/folder.hpp"
#include "common/testing/nats_server.hpp"
#include "common/testing/run.hpp"

namespace kopiur::kafka::test {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;
template <class T>
using awaitable = asio::awaitable<T>;

using user = std::function<awaitable<void>(kfake_server&, client&)>;
void with_kafka(user use, std::vector<std::string> options = {}, std::chrono::milliseconds limit = client::limit) {
  testing::run([&](asio::io_context& loop) -> awaitable<void> {
    app::system_clock time(loop.get_executor());
    kfake_server server(loop.get_executor(), time, options);
    co_await server.start();
    client topics(loop.get_executor(), server.connection(), limit);
    co_await use(server, topics);
  });
}
/// What a look at a topic says over this connection, or `unanswered: ..`, `refused: ..`.
std::string look_over(connection target, std::chrono::milliseconds limit) {
  std::string said;
  testing::run([&](asio::io_context& loop) -> awaitable<void> {
    client topics(loop.get_executor(), target, limit);
    auto there = co_await topics.look_at("orders");
    said = there ? (*there ? "there" : "absent")
                 : std::string(there.error().kind == failure::unanswered ? "unanswered: " : "refused: ") + there.error().message;
  });
  return said;
}

/// How many connections were begun in this network namespace.
long opened_sockets() {
  std::ifstream counters("/proc/self/net/snmp");
  for (std::string line, word; std::getline(counters, line);) {
    std::istringstream words(line);
    long ignored = 0, opened = 0;
    if (words >> word && word == "Tcp:" && words >> ignored >> ignored >> ignored >> ignored >> opened) return opened;
  }
  return -1;
}

/// Until a look is answered: a request that was not is given up with its connection.
awaitable<bool> answers_again(client& topics) {
  for (auto until = std::chrono::steady_clock::now() + 60s; std::chrono::steady_clock::now() < until;)
    if (co_await topics.look_at("orders")) co_return true;
  co_return false;
}

/// A request for metadata as a producer sends it: the broker may make the topic.
void look_as_producer(std::string const& seed, std::string const& topic) {
  auto* config = rd_kafka_conf_new();
  rd_kafka_conf_set(config, "bootstrap.servers", seed.c_str(), nullptr, 0);
  owned<rd_kafka_t, rd_kafka_destroy> producer(rd_kafka_new(RD_KAFKA_PRODUCER, config, nullptr, 0));
  owned<rd_kafka_topic_t, rd_kafka_topic_destroy> about(rd_kafka_topic_new(producer.get(), topic.c_str(), nullptr));
  rd_kafka_metadata_t const* found = nullptr;
  if (!rd_kafka_metadata(producer.get(), 0, about.get(), &found, 5000)) rd_kafka_metadata_destroy(found);
}

TEST(Kafka, ALookNeverMakesATopic) {
  with_kafka(
      [](kfake_server& server, client& topics) -> awaitable<void> {
        auto there = co_await topics.look_at("nobody");
        EXPECT_TRUE(there && !*there);
        auto known = co_await topics.is_known("nobody");
        EXPECT_TRUE(known && !*known);
        EXPECT_FALSE(co_await topics.settings_of("nobody"));
        EXPECT_FALSE(co_await topics.has_records("nobody", 1));
        EXPECT_TRUE((co_await server.topics()).empty());
        look_as_producer(server.seeds().front(), "made-by-a-look");
        EXPECT_TRUE((co_await server.topics()).contains("made-by-a-look")) << "this broker makes topics that are looked at so";
      },
      {"--auto-create"});
}

TEST(Kafka, MakesATopicAsItIsAsked) {
  with_kafka([](kfake_server& server, client& topics) -> awaitable<void> {
    EXPECT_TRUE(
        co_await topics.create({.name = "orders", .partitions = 3, .replication_factor = 1, .settings = {{"retention.ms", "1000"}}}));
    auto served = (co_await server.topics())["orders"];
    EXPECT_EQ(served.partitions, 3);
    EXPECT_EQ(served.configs["retention.ms"], "1000");
    auto there = co_await topics.look_at("orders");
    EXPECT_TRUE(there && *there && (*there)->replicas == std::vector<std::size_t>(3, 1));
    auto again = co_await topics.create({.name = "orders"});
    EXPECT_TRUE(!again && again.error().kind == failure::exists) << "a topic that was there is nobody's creation";
    EXPECT_TRUE(*co_await topics.is_known("orders"));
    EXPECT_TRUE(co_await topics.create({.name = "with-defaults"}));
    EXPECT_EQ((co_await server.topics())["with-defaults"].partitions, 1);
  });
}

TEST(Kafka, KnowsWhetherATopicHasRecords) {
  with_kafka([](kfake_server& server, client& topics) -> awaitable<void> {
    co_await server.post("/topics/orders?partitions=2");
    EXPECT_FALSE(*co_await topics.has_records("orders", 2));
    co_await server.post("/topics/orders/records?n=1");
    EXPECT_TRUE(*co_await topics.has_records("orders", 2));
    auto beyond = co_await topics.has_records("orders", 5);
    EXPECT_FALSE(beyond) << "a partition that does not exist is not an empty one";
  });
}

TEST(Kafka, ChangesOnlyWhatItIsToldTo) {
  with_kafka([](kfake_server& server, client& topics) -> awaitable<void> {
    co_await server.post("/topics/orders?partitions=1");
    co_await server.post("/topics/orders/config?key=cleanup.policy&value=compact");
    EXPECT_TRUE(co_await topics.set("orders", {{"retention.ms", "1000"}}));
    EXPECT_TRUE(co_await topics.add_partitions("orders", 4));
    auto served = (co_await server.topics())["orders"];
    EXPECT_EQ(served.partitions, 4);
    EXPECT_EQ(served.configs["retention.ms"], "1000");
    EXPECT_EQ(served.configs["cleanup.policy"], "compact") << "of others: it stays";
    auto settings = co_await topics.settings_of("orders");
    EXPECT_TRUE(settings && settings->at("retention.ms") == "1000");
    EXPECT_TRUE(co_await topics.remove("orders"));
    auto again = co_await topics.remove("orders");
    EXPECT_TRUE(!again && again.error().kind == failure::absent);
  });
}

/// Spec 5.3(4): an error of the topic inside an answer that is fine itself.
TEST(Kafka, HearsTheErrorOfEachTopic) {
  with_kafka([](kfake_server& server, client& topics) -> awaitable<void> {
    co_await server.post("/topics/orders?partitions=1");
    auto refused = [&](std::string api, std::string code) { return server.post("/fault?kind=error&api=" + api + "&code=" + code); };
    co_await refused("CreatePartitions", "37");
    auto grown = co_await topics.add_partitions("orders", 2);
    EXPECT_TRUE(!grown && grown.error().kind == failure::refused && grown.error().message.contains("INVALID_PARTITIONS"));
    co_await refused("IncrementalAlterConfigs", "40");
    auto set = co_await topics.set("orders", {{"retention.ms", "1"}});
    EXPECT_TRUE(!set && set.error().message.contains("INVALID_CONFIG"));
    co_await refused("CreateTopics", "38");
    auto made = co_await topics.create({.name = "more", .replication_factor = 9});
    EXPECT_TRUE(!made && made.error().kind == failure::refused && made.error().message.contains("INVALID_REPLICATION_FACTOR"));
    co_await refused("DeleteTopics", "29");
    auto gone = co_await topics.remove("orders");
    EXPECT_TRUE(!gone && gone.error().kind == failure::denied);
    co_await refused("DescribeConfigs", "29");
    auto settings = co_await topics.settings_of("orders");
    EXPECT_TRUE(!settings && settings.error().kind == failure::denied);
    EXPECT_EQ((co_await server.topics()).size(), 1u);
  });
}

TEST(Kafka, EndsACallThatABrokerNeverAnswers) {
  with_kafka(
      [](kfake_server& server, client& topics) -> awaitable<void> {
        for (std::string api : {"Metadata", "CreateTopics"}) {
          co_await server.post("/fault?kind=hang&count=20&api=" + api);
          auto made = co_await (api == "Metadata" ? topics.remove("orders") : topics.create({.name = "orders"}));
          EXPECT_TRUE(api == "Metadata" || (!made && made.error().kind == failure::unanswered)) << api;
          auto there = co_await topics.look_at("orders");
          EXPECT_TRUE(api == "CreateTopics" || (!there && there.error().message.contains("has not answered"))) << api;
          co_await server.remove("/fault");
        }
        EXPECT_TRUE(co_await answers_again(topics));
      },
      {}, 1s);
}

/// Whether a request whose connection was closed has been carried out is not known; it is not sent again.
TEST(Kafka, DoesNotRepeatACreation) {
  with_kafka(
      [](kfake_server& server, client& topics) -> awaitable<void> {
        co_await server.post("/fault?kind=after&api=CreateTopics");
        auto made = co_await topics.create({.name = "orders"});
        EXPECT_TRUE(!made && made.error().kind == failure::unanswered) << (made ? "made" : made.error().message);
        EXPECT_EQ((co_await server.requests())["CreateTopics"], 1);
      },
      {}, 3s);
}

TEST(Kafka, ACancelledCallLeavesNothingBehind) {
  with_kafka(
      [](kfake_server& server, client& topics) -> awaitable<void> {
        co_await server.post("/fault?kind=hang&api=CreateTopics");
        auto loop = co_await asio::this_coro::executor;
        app::system_clock time(loop);
        auto create = [&]() -> awaitable<void> { co_await topics.create({.name = "orders"}); };
        co_await app::first_of(create(), time.sleep_for(50ms));
        EXPECT_TRUE(co_await answers_again(topics));
      },
      {}, 1s);
}

TEST(Kafka, SaysWhyThereIsNoConnection) {
  auto nobody = "127.0.0.1:" + std::to_string(testing::free_port());
  auto said = look_over({.seeds = {nobody}, .client_ID = "test", .tls = {}, .sasl = {}}, 1s);
  EXPECT_TRUE(said.starts_with("unanswered: Kafka at " + nobody)) << said;
  EXPECT_TRUE(said.contains("Connection refused")) << said;
}

/// The brokers go away while requests wait for them: how often they are called again is bounded, or an outage would cost whole processors.
TEST(Kafka, CallsBrokersThatAreGoneWithPauses) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    app::system_clock time(loop.get_executor());
    auto server = std::make_unique<kfake_server>(loop.get_executor(), time);
    co_await server->start();
    auto target = server->connection();
    client topics(loop.get_executor(), target, 2s);
    EXPECT_TRUE(co_await topics.look_at("orders"));
    server.reset();
    auto before = opened_sockets();
    for (int i = 0; i < 3; ++i) EXPECT_FALSE(co_await topics.look_at("orders"));
    EXPECT_LT(opened_sockets() - before, 2000) << "in 6 s, with those of others on this machine";
  });
}

TEST(Kafka, SpeaksTLSAndLogsIn) {
  testing::folder folder;
  auto certificate = folder / "certificate.pem", key = folder / "key.pem";
  testing::make_certificate(certificate, key);
  testing::run([&](asio::io_context& loop) -> awaitable<void> {
    app::system_clock time(loop.get_executor());
    kfake_server server(loop.get_executor(), time, {"--sasl", "admin:hunter2", "--tls-cert", certificate, "--tls-key", key});
    co_await server.start();
    auto target = server.connection();
    target.tls = {.authorities = testing::read_all(certificate), .certificate = {}, .key = {}};
    for (std::string mechanism : {"PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"}) {
      target.sasl = {.mechanism = mechanism, .user = "admin", .password = "hunter2"};
      client topics(loop.get_executor(), target);
      EXPECT_TRUE(co_await topics.create({.name = "by-" + mechanism})) << mechanism;
    }
    EXPECT_EQ((co_await server.topics()).size(), 3u);
    auto look = [&](connection one) -> awaitable<std::string> {
      client topics(loop.get_executor(), one, 2s);
      auto there = co_await topics.look_at("orders");
      co_return there ? "answered" : there.error().message;
    };
    target.sasl->password = "canary-password";
    auto said = co_await look(target);
    EXPECT_TRUE(said.contains("uthentication")) << said;
    EXPECT_FALSE(said.contains("canary")) << said;
    target.tls->authorities.clear();
    said = co_await look(target);
    EXPECT_TRUE(said.contains("certificate")) << "the system's authorities do not know it: " << said;
  });
}

TEST(Kafka, RefusesACertificateThatIsNone) {
  connection target{
      .seeds = {"127.0.0.1:1"}, .client_ID = "test", .tls = encryption{.authorities = "canary", .certificate = {}, .key = {}}, .sasl = {}};
  auto said = look_over(target, 1s);
  EXPECT_TRUE(said.starts_with("refused: The connection to Kafka cannot be used")) << said;
  EXPECT_FALSE(said.contains("canary")) << said;
}

/// librdkafka brings its own OpenSSL; the rest of a program must keep Debian's.
TEST(Kafka, LeavesTheProgramItsOpenSSL) {
  Dl_info found{};
  ASSERT_NE(::dladdr(reinterpret_cast<void*>(&SSL_CTX_new), &found), 0);
  EXPECT_TRUE(std::string(found.dli_fname).contains("libssl.so")) << found.dli_fname;
}

}  // namespace
}  // namespace kopiur::kafka::test
