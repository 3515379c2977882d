#include <fstream>

#include "common/kubernetes/test/cluster/api.hpp"
#include "common/testing/folder.hpp"

/// Login by a program of the kubeconfig, at a real API server.
namespace kopiur::kubernetes {
namespace {

using namespace std::chrono_literals;

struct stage : stage_base {
  using stage_base::stage_base;

  void write(std::string const& name, std::string const& text) { std::ofstream(folder / name) << text; }
  /// The program prints the file `said` and counts its runs.
  void make_program() {
    write("login", "#!/bin/sh\ncd \"$(dirname \"$0\")\"\nprintf x >>runs\ncat said\n[ ! -e next ] || mv next said\n");
    std::filesystem::permissions(folder / "login", std::filesystem::perms::owner_all);
  }
  static std::string credential(json::value status) {
    return json::dump(
        json::object{{"apiVersion", "client.authentication.k8s.io/v1"}, {"kind", "ExecCredential"}, {"status", std::move(status)}});
  }
  auto runs() const { return std::filesystem::file_size(folder / "runs"); }
  access who() {
    auto server = as("admin");
    write("ca.crt", server.authority);
    write("config",
          "current-context: here\ncontexts: [{name: here, context: {cluster: c, user: u}}]\nclusters: [{name: c, cluster: {server: '" +
              server.server + "', certificate-authority: ca.crt}}]\n" +
              "users: [{name: u, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: ./login}}}]\n");
    return must(from_kubeconfig_file());
  }
  std::expected<access, error> from_kubeconfig_file() {
    auto found = from_kubeconfig(folder / "config");
    if (!found) return std::unexpected(error{.message = found.error()});
    return *found;
  }
  /// A token of an account of this namespace without rights.
  awaitable<std::string> token() {
    auto account = json::parse(R"({"apiVersion":"v1","kind":"ServiceAccount","metadata":{"name":"robot"}})").value();
    must(co_await api.ask({.method = "POST", .path = path_of(service_accounts, ns), .body = std::move(account)}));
    auto wish = json::parse(R"({"apiVersion":"authentication.k8s.io/v1","kind":"TokenRequest","spec":{"expirationSeconds":600}})").value();
    auto made =
        must(co_await api.ask({.method = "POST", .path = path_of(service_accounts, ns, "robot", "token"), .body = std::move(wish)}));
    co_return std::string(made.text("status.token"));
  }
  /// The user name under which the server knows the client; empty when it does not.
  awaitable<std::string> name_of(client& asking) {
    json::value review = json::object{{"apiVersion", "authentication.k8s.io/v1"}, {"kind", "SelfSubjectReview"}};
    auto said =
        co_await asking.ask({.method = "POST", .path = "/apis/authentication.k8s.io/v1/selfsubjectreviews", .body = std::move(review)});
    co_return said ? std::string(said->text("status.userInfo.username")) : said.error().message;
  }

  testing::folder folder;
};

TEST(ExecPlugin, LogsInByTokenAndAgainWhenItIsRefused) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    stage it(loop, "logged-in");
    co_await it.make_namespace();
    it.make_program();
    auto good = stage::credential(json::object{{"token", co_await it.token()}});
    it.write("said", stage::credential(json::object{{"token", "an old one"}}));
    it.write("next", good);
    client robot(it.time, loop.get_executor(), it.who());
    EXPECT_EQ(co_await it.name_of(robot), "system:serviceaccount:logged-in:robot");
    EXPECT_EQ(it.runs(), 2) << "the server has refused the first";
    EXPECT_EQ(co_await it.name_of(robot), "system:serviceaccount:logged-in:robot");
    EXPECT_EQ(it.runs(), 2);
    EXPECT_EQ(code_of(co_await robot.ask({.path = path_of(secrets, it.ns)})), failure::forbidden);
    EXPECT_EQ(it.runs(), 2) << "who is known and may not is not asked again";
  });
}

TEST(ExecPlugin, LogsInByCertificateAndByTheNextOneWhenItExpires) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    stage it(loop, "by-certificate");
    it.make_program();
    auto by = [&](std::string const& user, instant until) {
      auto access = as(user);
      return stage::credential(json::object{
          {"clientCertificateData", access.certificate}, {"clientKeyData", access.key}, {"expirationTimestamp", to_text(until)}});
    };
    it.write("said", by("admin", it.time.now() + 3s));
    it.write("next", by("writer", it.time.now() + 1h));
    client who(it.time, loop.get_executor(), it.who());
    EXPECT_EQ(co_await it.name_of(who), "admin");
    EXPECT_EQ(it.runs(), 1);
    co_await it.time.sleep_for(3s);
    EXPECT_EQ(co_await it.name_of(who), "writer");
    EXPECT_EQ(it.runs(), 2);
  });
}

TEST(ExecPlugin, ThatFailsIsTold) {
  testing::run([](asio::io_context& loop) -> awaitable<void> {
    stage it(loop, "not-logged-in");
    it.write("login", "#!/bin/sh\necho 'the session has ended' >&2\nexit 1\n");
    std::filesystem::permissions(it.folder / "login", std::filesystem::perms::owner_all);
    client who(it.time, loop.get_executor(), it.who(), {.attempts = 1});
    auto said = co_await who.ask({.path = "/version"});
    EXPECT_EQ(code_of(said), failure::unavailable);
    EXPECT_NE(said.error().message.find("the session has ended"), std::string::npos) << said.error().message;
  });
}

}  // namespace
}  // namespace kopiur::kubernetes
