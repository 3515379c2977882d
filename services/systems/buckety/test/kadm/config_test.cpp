#include <gtest/gtest.h>

#include "services/systems/buckety/test/config/reading.hpp"

namespace kopiur::buckety {
namespace {

constexpr std::string_view pem = "-----BEGIN CERTIFICATE-----\nhunter2\n";

auto read(std::string_view text) { return read_with({{"PEM", std::string(pem)}, {"SECRET", "hunter2"}, {"EMPTY", ""}}, text); }
std::string problem_of(std::string_view text) { return problem_text(read(text)); }

/// A backend with this block; its first line is line 5.
std::string backend_with(std::string const& block) { return "backends:\n- name: kafka\n  driver: kadm\n  config:\n" + block; }
std::string with_brokers(std::string const& rest) { return backend_with("    seedBrokers: [kafka:9092]\n" + rest); }

kadm::backend_config config_of(std::string_view text) {
  auto config = read(text);
  EXPECT_TRUE(config) << config.error().text();
  return config ? std::get<kadm::backend_config>(config->backends.front().config) : kadm::backend_config{};
}

TEST(KafkaConfig, IsReadAsWritten) {
  auto config = config_of(backend_with(
      "    seedBrokers:\n    - y-bootstrap.kafka.svc.cluster.local:9092\n    - '[fd00::1]:65535'\n    clientID: buckety-controller\n"
      "    tls:\n      ca: |\n        -----BEGIN CERTIFICATE-----\n        x\n      certificate: ${PEM}\n      key: ${PEM}\n"
      "    sasl: {mechanism: SCRAM-SHA-512, username: '${NONE:-admin}', password: '${SECRET}'}\n"));
  ASSERT_TRUE(config.tls && config.sasl);
  EXPECT_EQ(config.seed_brokers.at(1), "[fd00::1]:65535");
  EXPECT_EQ(config.tls->ca, "-----BEGIN CERTIFICATE-----\nx\n");
  EXPECT_EQ(config.tls->key, secret_text(std::string(pem)));
  EXPECT_EQ(config.sasl->username.reveal(), "admin");
  EXPECT_EQ(config.sasl->password.reveal(), "hunter2");
  EXPECT_EQ(json::write(config),
            R"({"seedBrokers":["y-bootstrap.kafka.svc.cluster.local:9092","[fd00::1]:65535"],"clientID":"buckety-controller",)"
            R"("tls":{"ca":"-----BEGIN CERTIFICATE-----\nx\n","certificate":"***","key":"***"},)"
            R"("sasl":{"mechanism":"SCRAM-SHA-512","username":"***","password":"***"}})")
      << "encoded, it has no secret";
}

TEST(KafkaConfig, NeedsOnlyBrokers) {
  auto config = config_of(with_brokers("    clientID: ''\n"));
  EXPECT_FALSE(config.client_ID || config.tls || config.sasl) << "an empty text is none";
  EXPECT_TRUE(config_of(with_brokers("    tls: {}\n")).tls) << "encrypted, with the system's authorities";
  EXPECT_TRUE(config_of(with_brokers("    sasl: {mechanism: PLAIN, username: a, password: b}\n")).sasl) << "also where a mesh encrypts";
}

/// The fragments that the suite looks for; each is on one line with its name (spec 1.3).
TEST(KafkaConfig, SaysWhatIsWrong) {
  struct row {
    std::string yaml, expected;
  };
  for (auto& [yaml, expected] : std::initializer_list<row>{
           {backend_with("    seedBroker: [a:1]\n"),
            "yaml:5:5: backends[0].config.seedBroker: unknown field \"seedBroker\"; did you mean `seedBrokers`?"},
           {backend_with("    clientID: x\n"), "yaml:4:3: backends[0].config.seedBrokers: missing required field \"seedBrokers\": "},
           {"backends:\n- name: kafka\n  driver: kadm\n",
            "yaml:2:3: backends[0].config.seedBrokers: missing required field \"seedBrokers\": "},
           {backend_with("    seedBrokers: []\n"), "yaml:5:5: backends[0].config.seedBrokers: missing required field \"seedBrokers\": "},
           {backend_with("    seedBrokers:\n"), "backends[0].config.seedBrokers: "},
           {backend_with("    seedBrokers: a:1\n"), "backends[0].config.seedBrokers: must be a list"},
           {with_brokers("    clientId: x\n"), "unknown field \"clientId\"; did you mean `clientID`?"},
           {with_brokers("    tls: {cert: x}\n"), "backends[0].config.tls.cert: unknown field \"cert\""},
           {with_brokers("    tls: true\n"), "backends[0].config.tls: must be an object"},
           {with_brokers("    tls:\n"), "yaml:6:5: backends[0].config.tls: is empty."},
           {with_brokers("    sasl: ~\n"), "yaml:6:5: backends[0].config.sasl: is empty."},
           {with_brokers("    sasl: {mechanism: PLAIN, password: b}\n"),
            "backends[0].config.sasl.username: missing required field \"username\": "},
           {with_brokers("    sasl: {mechanism: PLAIN, username: a, password: '${EMPTY}'}\n"),
            "backends[0].config.sasl.password: missing required field \"password\": "},
           {with_brokers("    sasl: {username: a, password: b}\n"), "missing required field \"mechanism\": "},
           {with_brokers("    sasl: {mechanism: SCRAM-SHA-1, username: a, password: b}\n"),
            "backends[0].config.sasl.mechanism: unknown mechanism \"SCRAM-SHA-1\"; known are PLAIN, SCRAM-SHA-256, SCRAM-SHA-512."},
           {with_brokers("    sasl: {mechanism: plain, username: a, password: b}\n"), "unknown mechanism \"plain\""},
           {with_brokers("    clientID: ${SECRET}\n"), "env substitution is not supported here"},
           {with_brokers("    sasl: {mechanism: '${SECRET}', username: a, password: b}\n"), "env substitution is not supported here"},
           {with_brokers("    tls: {ca: '${PEM}'}\n"), "env substitution is not supported here"},
           {backend_with("    seedBrokers: ['${SECRET}']\n"), "backends[0].config.seedBrokers[0]: env substitution is not supported here"},
           {with_brokers("    sasl: {mechanism: PLAIN, username: a, password: '${UNSET}'}\n"), "sasl.password: undefined variable UNSET: "},
           {with_brokers("  parameters: {replicationFactor: 0}\n"), "backends[0].parameters.replicationFactor: must be a whole number"}})
    EXPECT_TRUE(problem_of(yaml).contains(expected)) << yaml << problem_of(yaml) << "\n" << expected;
}

/// Two backends of one cluster that count as two would each take the other's topics for nobody's.
TEST(KafkaConfig, BackendsThatShareABrokerAreOfOneCluster) {
  auto two = [](std::string const& first, std::string const& second) {
    auto entry = [](char const* name, std::string const& brokers) {
      return "- name: " + std::string(name) + "\n  driver: kadm\n  config: {seedBrokers: [" + brokers + "]}\n";
    };
    return problem_of("backends:\n" + entry("one", first) + entry("other", second));
  };
  EXPECT_EQ(two("a:1, b:1", "A:1, c:1"), "accepted") << "they begin with the same one";
  EXPECT_EQ(two("a:1, b:1", "c:1, d:1"), "accepted");
  auto refused = two("a:1, b:1", "c:1, B:1");
  EXPECT_TRUE(refused.contains("yaml:7:3: backends[1].config: shares b:1 with the backend one")) << refused;
  EXPECT_TRUE(refused.contains("begin both with a:1.")) << refused;
}

TEST(KafkaConfig, TakesBrokersAsHostAndPort) {
  for (auto* broker : {"a:1", "Kafka-0.example.org:65535", "10.0.0.1:9092", "[::1]:9092", "a_b:9092", "0:1"})
    EXPECT_EQ(problem_of(backend_with("    seedBrokers: ['" + std::string(broker) + "']\n")), "accepted") << broker;
  for (auto* broker : {"",
                       "kafka",
                       "kafka:",
                       ":9092",
                       "kafka:0",
                       "kafka:65536",
                       "kafka:09092",
                       "kafka:-1",
                       "kafka:+1",
                       "kafka:9092 ",
                       " kafka:9092",
                       "kafka:9092,other:9092",
                       "http://kafka:9092",
                       "SASL_SSL://kafka:9092",
                       "user@kafka:9092",
                       "a b:1",
                       "::1:9092",
                       "fd00::1:9092",
                       "[::1]",
                       "[::1:9092",
                       "[1.2.3.4]:9092",
                       "[fd00::1%eth0]:1",
                       "[]:1",
                       "kafka:9092/x",
                       "-a:1",
                       "kafka:99999999999"}) {
    auto says = problem_of(backend_with("    seedBrokers: [a:1, '" + std::string(broker) + "']\n"));
    EXPECT_TRUE(says.contains("yaml:5:24: backends[0].config.seedBrokers[1]: is not the address of a broker.")) << broker << ": " << says;
  }
}

TEST(KafkaConfig, TakesPemOnlyAndACertificateWithItsKey) {
  auto says = [](std::string const& tls) { return problem_of(with_brokers("    tls: {" + tls + "}\n")); };
  EXPECT_EQ(says("certificate: '${PEM}', key: '${PEM}'"), "accepted");
  EXPECT_TRUE(says("certificate: '${PEM}'").contains("tls.certificate: is given without `key`."));
  EXPECT_TRUE(says("key: '${PEM}'").contains("tls.key: is given without `certificate`."));
  EXPECT_TRUE(says("certificate: '${SECRET}', key: '${PEM}'").contains("tls.certificate: is not PEM"));
  EXPECT_TRUE(says("certificate: '${PEM}', key: '${EMPTY}'").contains("tls.key: is not PEM")) << "empty is not none";
  EXPECT_TRUE(says("ca: /etc/ca.crt").contains("tls.ca: is not PEM"));
  EXPECT_TRUE(says("ca: ''").contains("tls.ca: is not PEM")) << "the system's authorities would be trusted instead";
}

TEST(KafkaConfig, NeverRepeatsASecret) {
  for (auto* yaml :
       {"    tls: {certificate: hunter3, key: hunter3}\n", "    tls: {certificate: '-----BEGIN hunter3'}\n", "    tls: {key: [hunter3]}\n",
        "    sasl: {mechanism: X, username: hunter3, password: hunter3}\n", "    sasl: {mechanism: PLAIN, username: hunter3}\n",
        "    sasl: {mechanism: PLAIN, username: a, password: 'hunter3${1x}'}\n",
        "    sasl: {mechanism: PLAIN, username: a, password: {hunter3: a}}\n"}) {
    auto says = problem_of(with_brokers(yaml));
    EXPECT_NE(says, "accepted") << yaml;
    EXPECT_FALSE(says.contains("hunter3") || says.contains('\n')) << says;
  }
}

}  // namespace
}  // namespace kopiur::buckety
