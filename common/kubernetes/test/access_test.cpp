#include <gtest/gtest.h>

#include <fstream>

#include "common/kubernetes/access.hpp"
#include "common/kubernetes/client.hpp"
#include "common/testing/folder.hpp"

namespace kopiur::kubernetes {
namespace {

class Kubeconfig : public ::testing::Test {
 protected:
  std::expected<access, std::string> read(std::string_view cluster, std::string_view user, std::string const& context = "") {
    std::ofstream(folder_.path() / "config") << "apiVersion: v1\nkind: Config\ncurrent-context: here\n"
                                             << "contexts: [{name: here, context: {cluster: c, user: u, namespace: prod}}]\n"
                                             << "clusters: [{name: c, cluster: {" << cluster << "}}]\n"
                                             << "users: [{name: u, user: {" << user << "}}]\n";
    return from_kubeconfig(folder_.path() / "config", context);
  }
  std::string why(std::string_view cluster, std::string_view user, std::string const& context = "") {
    auto found = read(cluster, user, context);
    return found ? "it was taken" : found.error();
  }
  testing::folder folder_;
};
constexpr std::string_view a_server = "server: \"https://10.0.0.1:6443/\"";

TEST_F(Kubeconfig, TakesFilesBesideItAndDataWithinIt) {
  std::ofstream(folder_.path() / "ca.crt") << "an authority";
  auto found = read(std::string(a_server) + ", certificate-authority: ca.crt, tls-server-name: api",
                    "client-certificate-data: Y2VydA==, client-key-data: a2V5");
  ASSERT_TRUE(found) << found.error();
  EXPECT_EQ(found->server, "https://10.0.0.1:6443");
  EXPECT_EQ(found->tls_server_name, "api");
  EXPECT_EQ(found->authority, "an authority");
  EXPECT_EQ(found->certificate, "cert");
  EXPECT_EQ(found->key, "key");
  EXPECT_EQ(found->namespace_, "prod");
}

TEST_F(Kubeconfig, SaysWhichFieldIsWrong) {
  auto contains = [](std::string const& said, std::string_view part) { return said.contains(part) ? std::string(part) : said; };
  auto expect = [&](std::string const& said, std::string_view part) { EXPECT_EQ(contains(said, part), part); };
  expect(why("server: \"http://10.0.0.1\"", "token: t"), "`server` is not an https:// URL");
  expect(why(std::string(a_server) + ", insecure-skip-tls-verify: true", "token: t"), "give the cluster's `certificate-authority`");
  expect(why(a_server, "client-certificate-data: Y2VydA=="), "`client-key` belong together");
  expect(why(a_server, "client-certificate-data: \"?\""), "client-certificate-data is not base64");
  expect(why(a_server, "client-certificate: gone.crt"), "gone.crt cannot be read");
  expect(why(a_server, "exec: {command: aws}"), "`exec.apiVersion`");
  std::string const v1 = "apiVersion: client.authentication.k8s.io/v1";
  expect(why(a_server, "exec: {" + v1 + "}"), "`exec.command` is not set");
  expect(why(a_server, "exec: {" + v1 + ", command: login, interactiveMode: Always}"), "no terminal is attached");
  expect(why(a_server, "token: t", "there"), "no entry of `contexts` is called \"there\"");
  EXPECT_FALSE(from_kubeconfig(folder_.path() / "none"));
}

TEST_F(Kubeconfig, ATokenMayStandInAFile) {
  auto found = read(a_server, "tokenFile: token");
  ASSERT_TRUE(found) << found.error();
  EXPECT_EQ(found->token_file, folder_.path() / "token");
  EXPECT_EQ(token_in(found->token_file), "") << "it does not exist yet";
  std::ofstream(found->token_file) << "secret\n";
  EXPECT_EQ(token_in(found->token_file), "secret");
}

TEST(ApiPath, IsTheGroupsAndTheNamespaces) {
  EXPECT_EQ(path_of({"Secret", "v1", "secrets"}, "ns", "a b"), "/api/v1/namespaces/ns/secrets/a%20b");
  EXPECT_EQ(path_of({"Job", "batch/v1", "jobs"}), "/apis/batch/v1/jobs");
  EXPECT_EQ(path_of({"Thing", "g.io/v1", "things"}, "", "one", "status"), "/apis/g.io/v1/things/one/status");
  EXPECT_EQ(path_of(pods, object_key{"Pod", "ns", "web-0"}, "log"), "/api/v1/namespaces/ns/pods/web-0/log");
}

TEST(ApiError, IsReadFromTheStatus) {
  auto status = [](int code, std::string const& reason, std::string const& more = "") {
    return read_error(code, "", R"({"kind":"Status","message":"so it is","reason":")" + reason + "\"" + more + "}", "POST /x");
  };
  EXPECT_EQ(status(409, "AlreadyExists").code, failure::already_exists);
  EXPECT_EQ(status(409, "Conflict").code, failure::conflict);
  EXPECT_EQ(status(422, "Invalid").message, "POST /x was answered with 422: so it is.");
  EXPECT_TRUE(status(410, "Expired").expired);
  EXPECT_EQ(status(429, "TooManyRequests", R"(,"details":{"retryAfterSeconds":7})").retry_after, std::chrono::seconds(7));
  auto full = read_error(403, "", R"({"kind":"Status","reason":"Forbidden","message":"jobs \"a\" is forbidden: exceeded quota: small"})",
                         "POST /x");
  EXPECT_EQ(full.code, failure::unavailable) << "a quota may grow";
  auto other = read_error(503, "3", "upstream is away\nmore", "GET /x");
  EXPECT_EQ(other.code, failure::unavailable);
  EXPECT_EQ(other.retry_after, std::chrono::seconds(3));
  EXPECT_EQ(other.message, "GET /x was answered with 503: upstream is away.");
}

}  // namespace
}  // namespace kopiur::kubernetes
