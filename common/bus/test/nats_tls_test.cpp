#include <cstdlib>

#include "common/bus/test/nats_stage.hpp"
#include "common/testing/folder.hpp"
#include "common/testing/run.hpp"

/// Mutual TLS, with authorities that the test creates.
namespace kopiur::bus {
namespace {

using namespace std::chrono_literals;
using conformance::must;
using conformance::nats_stage;
using conformance::refusal_of_opening;
using conformance::run_on;
using testing::nats_server;

void openssl(std::string const& words) {
  auto command = "openssl " + words + " 2>/dev/null";
  if (std::system(command.c_str()) != 0) throw std::runtime_error("this does not work (./dev setup installs openssl): " + command);
}

/// An authority and the certificates that it signs, as files NAME.pem and NAME.key in a folder.
class authority {
 public:
  authority() { make("ca", "", "basicConstraints=critical,CA:true"); }
  /// `names` as in subjectAltName: "IP:127.0.0.1".
  void sign(std::string const& name, std::string const& names) {
    make(name, "-CA " + file("ca.pem") + " -CAkey " + file("ca.key"), "subjectAltName=" + names);
  }
  std::string file(std::string const& name) const { return (folder_ / name).string(); }

 private:
  void make(std::string const& name, std::string const& by, std::string const& extension) {
    openssl("req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=" + name + " -keyout " +
            file(name + ".key") + " -out " + file(name + ".pem") + " " + by + " -addext " + extension);
  }
  testing::folder folder_;
};

/// A server that presents `server.pem` and requires a certificate of the same authority, and a password.
nats_server secured(authority const& by) {
  return nats_server({.user = "us",
                      .password = "p",
                      .config = "tls { cert_file: \"" + by.file("server.pem") + "\", key_file: \"" + by.file("server.key") +
                                "\", ca_file: \"" + by.file("ca.pem") + "\", verify: true }"});
}

nats_options client_of(nats_server const& server, authority const& by) {
  auto url = server.url();
  return {.urls = {"tls" + url.substr(url.find(':'))},
          .name = "test",
          .user = "us",
          .password = "p",
          .tls = {.authorities = by.file("ca.pem"), .certificate = by.file("client.pem"), .key = by.file("client.key")},
          .connect_for = 3s};
}

struct Tls : ::testing::Test {
  Tls() {
    ours.sign("server", "IP:127.0.0.1");
    ours.sign("client", "DNS:client");
  }
  authority ours;
};

TEST_F(Tls, APortPublishesWorksAndFollowsAndComesBackAfterARestart) {
  auto server = secured(ours);
  run_on(client_of(server, ours), [&](nats_stage& stage) -> asio::awaitable<void> {
    auto* bus = co_await stage.connect();
    auto config = conformance::plain("a");
    config.memory = false;
    must(co_await bus->ensure(config));
    must(co_await bus->ensure(conformance::durable("a")));
    auto const large = std::string(200'000, 'x');  // many TLS records
    must(co_await bus->publish({.subject = "a.x", .body = large, .expected = 0}));
    auto work = bus->work("a", "workers", 10);
    auto got = co_await conformance::soon(stage, *work);
    if (!got) throw conformance::broken("no delivery came");
    EXPECT_EQ(got->message.body, large);
    work->ack(*got);
    server.stop();
    server.start();
    must(co_await bus->publish({.subject = "a.y", .body = large, .expected = 0}));
    auto from = bus->follow("a", {"a.>"});
    auto first = co_await conformance::soon(stage, *from), second = co_await conformance::soon(stage, *from);
    EXPECT_TRUE(first && std::holds_alternative<stored>(*first));
    EXPECT_TRUE(second && std::holds_alternative<stored>(*second));
  });
}

TEST_F(Tls, AServerOfAnotherAuthorityIsRefusedAtOnceWithASentence) {
  auto server = secured(ours);
  authority other;
  auto options = client_of(server, ours);
  options.tls.authorities = other.file("ca.pem");
  options.connect_for = 60s;
  auto start = std::chrono::steady_clock::now();
  auto refusal = refusal_of_opening(options);
  EXPECT_LT(std::chrono::steady_clock::now() - start, 10s);
  EXPECT_EQ(refusal.kind, failure::refused);
  for (auto part : {"TLS", "CA file", "certificate"}) EXPECT_NE(refusal.text.find(part), std::string::npos) << refusal.text;
}

TEST_F(Tls, ACertificateForAnotherHostIsRefused) {
  ours.sign("server", "IP:192.0.2.1");
  auto server = secured(ours);
  EXPECT_EQ(refusal_of_opening(client_of(server, ours)).kind, failure::refused);
}

TEST_F(Tls, WithoutOurCertificateNothingOpens) {
  auto server = secured(ours);
  auto options = client_of(server, ours);
  options.tls.certificate = options.tls.key = "";
  EXPECT_FALSE(refusal_of_opening(options).text.empty());
}

TEST_F(Tls, APasswordCountsAsWell) {
  auto server = secured(ours);
  auto options = client_of(server, ours);
  options.password = "wrong";
  auto refusal = refusal_of_opening(options);
  EXPECT_EQ(refusal.kind, failure::refused);
  EXPECT_NE(refusal.text.find("login"), std::string::npos) << refusal.text;
}

TEST_F(Tls, AServerWithoutItIsToldApart) {
  nats_server plain;
  auto refusal = refusal_of_opening(client_of(plain, ours));
  EXPECT_EQ(refusal.kind, failure::refused);
  EXPECT_NE(refusal.text.find("nats://"), std::string::npos) << refusal.text;
}

TEST_F(Tls, AFileThatIsMissingIsNamed) {
  nats_server plain;
  auto options = client_of(plain, ours);
  options.tls.authorities = "/no/such/ca.pem";
  EXPECT_NE(refusal_of_opening(options).text.find("/no/such/ca.pem"), std::string::npos);
}

}  // namespace
}  // namespace kopiur::bus
