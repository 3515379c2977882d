#include "common/kubernetes/exec_plugin.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "common/app/system_clock.hpp"
#include "common/testing/folder.hpp"
#include "common/testing/run.hpp"

namespace kopiur::kubernetes {
namespace {

using namespace std::chrono_literals;

constexpr char const* v1 = "client.authentication.k8s.io/v1";

/// A kubeconfig whose user logs in by a program in the same folder.
class Exec : public ::testing::Test {
 protected:
  void program(std::string const& script) {
    std::ofstream(folder_.path() / "login") << "#!/bin/sh\n" << script;
    std::filesystem::permissions(folder_.path() / "login", std::filesystem::perms::owner_all);
  }
  exec_plugin plugin(std::string const& more = "", std::string const& version = v1) {
    std::ofstream(folder_.path() / "ca.crt") << "an authority";
    std::ofstream(folder_.path() / "config")
        << "current-context: here\ncontexts: [{name: here, context: {cluster: c, user: u}}]\n"
        << "clusters: [{name: c, cluster: {server: 'https://10.0.0.1:6443', certificate-authority: ca.crt, extensions: "
           "[{name: client.authentication.k8s.io/exec, extension: {audience: us}}]}}]\n"
        << "users: [{name: u, user: {exec: {apiVersion: " << version << ", command: ./login" << more << "}}}]\n";
    auto found = from_kubeconfig(folder_.path() / "config");
    if (!found) throw std::runtime_error(found.error());
    return found->exec.value();
  }
  /// Calls the program `times` times in a row; returns the last result.
  std::expected<exec_credential, std::string> said(exec_plugin plugin, int times = 1, duration limit = 10s) {
    std::expected<exec_credential, std::string> last = std::unexpected("not asked");
    testing::run([&](boost::asio::io_context& loop) -> awaitable<void> {
      app::system_clock time(loop.get_executor());
      exec_credentials all(time, loop.get_executor(), plugin, limit);
      for (int i = 0; i < times; ++i) last = co_await all.now();
    });
    return last;
  }
  std::string why(exec_plugin plugin, duration limit = 10s) {
    auto found = said(std::move(plugin), 1, limit);
    return found ? "it was taken" : found.error();
  }
  int runs() const { return static_cast<int>(std::filesystem::exists(count()) ? std::filesystem::file_size(count()) : 0); }
  std::filesystem::path count() const { return folder_.path() / "runs"; }

  testing::folder folder_;
};

std::string printing(std::string const& status, std::string const& version = v1) {
  return "printf x >>\"$(dirname \"$0\")/runs\"\ncat <<'END'\n{\"apiVersion\": \"" + version +
         "\", \"kind\": \"ExecCredential\", \"status\": {" + status + "}}\nEND\n";
}

TEST_F(Exec, SaysATokenOrACertificateOnceForAll) {
  program(printing(R"("token": "secret", "expirationTimestamp": "2999-01-01T00:00:00Z")"));
  auto found = said(plugin(), 3);
  ASSERT_TRUE(found) << found.error();
  EXPECT_EQ(found->token, "secret");
  EXPECT_EQ(to_text(*found->until), "2999-01-01T00:00:00Z");
  EXPECT_EQ(runs(), 1);
  std::string const beta = "client.authentication.k8s.io/v1beta1";
  program(printing(R"("clientCertificateData": "cert", "clientKeyData": "key")", beta));
  auto other = said(plugin("", beta), 2);
  ASSERT_TRUE(other) << other.error();
  EXPECT_EQ(other->certificate + "/" + other->key, "cert/key");
  EXPECT_EQ(runs(), 2);
}

TEST_F(Exec, IsAskedAgainWhenWhatItSaidHasExpired) {
  program(printing(R"("token": "secret", "expirationTimestamp": "2026-01-01T00:00:00Z")"));
  EXPECT_TRUE(said(plugin(), 3));
  EXPECT_EQ(runs(), 3);
}

TEST_F(Exec, IsRunOnceForAllWhoWait) {
  program("sleep 0.3\n" + printing(R"("token": "secret", "expirationTimestamp": "2026-01-01T00:00:00Z")"));
  testing::run([&](boost::asio::io_context& loop) -> awaitable<void> {
    app::system_clock time(loop.get_executor());
    exec_credentials all(time, loop.get_executor(), plugin());
    app::nursery waiters(loop.get_executor());
    auto ask = [&]() -> awaitable<void> { EXPECT_EQ((co_await all.now())->token, "secret"); };
    for (int i = 0; i < 5; ++i) waiters.spawn(ask());
    co_await waiters.join();
    EXPECT_EQ(runs(), 1);
    all.reject();
    co_await ask();
    EXPECT_EQ(runs(), 2);
  });
}

TEST_F(Exec, IsToldItsTaskAndHasOurEnvironment) {
  ::setenv("KOPIUR_TEST_OURS", "of ours", 1);
  program(
      "echo \"$KUBERNETES_EXEC_INFO\" >\"$(dirname \"$0\")/task\"\n"
      "echo \"{\\\"apiVersion\\\": \\\"client.authentication.k8s.io/v1\\\", \\\"kind\\\": \\\"ExecCredential\\\", "
      "\\\"status\\\": {\\\"token\\\": \\\"$1 $2 $KOPIUR_TEST_OURS $SET\\\"}}\"\n");
  auto found = said(plugin(", args: [get, token], env: [{name: SET, value: by the file}], provideClusterInfo: true"));
  ASSERT_TRUE(found) << found.error();
  EXPECT_EQ(found->token, "get token of ours by the file");
  std::ifstream in(folder_.path() / "task");
  auto task = json::parse(std::string(std::istreambuf_iterator<char>(in), {})).value();
  EXPECT_EQ(task.text("kind"), "ExecCredential");
  EXPECT_EQ(task.text("apiVersion"), v1);
  EXPECT_FALSE(*task.at("spec.interactive")->as_bool());
  EXPECT_EQ(task.text("spec.cluster.server"), "https://10.0.0.1:6443");
  EXPECT_EQ(task.text("spec.cluster.certificate-authority-data"), "YW4gYXV0aG9yaXR5");
  EXPECT_EQ(task.text("spec.cluster.config.audience"), "us");
  EXPECT_FALSE(json::parse(plugin().task).value().at("spec.cluster")) << "it did not ask";
}

TEST_F(Exec, ThatFailsSaysWhyAndHowToGetIt) {
  auto contains = [](std::string const& said, std::string_view part) { return said.contains(part) ? std::string(part) : said; };
  auto expect = [&](std::string const& said, std::string_view part) { EXPECT_EQ(contains(said, part), part); };
  auto hint = ", installHint: 'Get it from your administrator.'";
  expect(why(plugin(hint)), "does not exist. Get it from your administrator.");
  program("echo 'the session has ended' >&2\necho 'log in again' >&2\nexit 3\n");
  expect(why(plugin(hint)), "failed with status 3: the session has ended / log in again. Get it");
  program("kill -9 $$\n");
  expect(why(plugin()), "ended by signal 9.");
  program("echo 'asks the network' >&2\nsleep 60\n");
  auto begun = std::chrono::steady_clock::now();
  expect(why(plugin(), 500ms), "has not ended within 500ms and was killed: asks the network.");
  EXPECT_LT(std::chrono::steady_clock::now() - begun, 10s);
  program("echo hello\n");
  expect(why(plugin()), "printed no ExecCredential");
  program(printing(R"("token": "t")", "client.authentication.k8s.io/v1beta1"));
  expect(why(plugin()), "of client.authentication.k8s.io/v1beta1, not of client.authentication.k8s.io/v1 as the kubeconfig says");
  program(printing(R"("clientCertificateData": "cert")"));
  expect(why(plugin()), "belong together");
  program(printing(""));
  expect(why(plugin()), "neither a token nor a certificate");
  program(printing(R"("token": "t", "expirationTimestamp": "soon")"));
  expect(why(plugin()), "\"soon\"");
  std::ofstream(folder_.path() / "login") << "#!/nowhere/sh\n";
  expect(why(plugin()), "cannot be started");
}

}  // namespace
}  // namespace kopiur::kubernetes
