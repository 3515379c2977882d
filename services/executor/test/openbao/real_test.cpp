#include <csignal>

#include "common/blob/core/digest.hpp"
#include "common/encoding/hex.hpp"
#include "common/kubernetes/test/cluster/api.hpp"
#include "services/executor/test/openbao/real_bao.hpp"
#include "services/executor/test/store.hpp"

namespace kopiur::executor::test {
namespace {

using kubernetes::must;

constexpr kubernetes::resource restores{"OpenBaoRestore", "openbao.org/v1alpha1", "openbaorestores"};
constexpr auto definition = R"({"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
  "metadata":{"name":"openbaorestores.openbao.org"},"spec":{"group":"openbao.org","scope":"Namespaced",
  "names":{"kind":"OpenBaoRestore","listKind":"OpenBaoRestoreList","plural":"openbaorestores","singular":"openbaorestore"},
  "versions":[{"name":"v1alpha1","served":true,"storage":true,"subresources":{"status":{}},
  "schema":{"openAPIV3Schema":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}]}})";
constexpr auto role = R"({"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole","metadata":{"name":"executor"},"rules":[
  {"apiGroups":["openbao.org"],"resources":["openbaorestores"],"verbs":["get"]},
  {"apiGroups":["openbao.org"],"resources":["openbaorestores/status"],"verbs":["patch"]},
  {"apiGroups":[""],"resources":["pods"],"verbs":["get"]}]})";
constexpr auto binding = R"({"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRoleBinding","metadata":{"name":"executor"},
  "roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"executor"},
  "subjects":[{"kind":"ServiceAccount","name":"executor","namespace":"ns"}]})";
constexpr auto account = R"({"apiVersion":"v1","kind":"ServiceAccount","metadata":{"name":"executor"}})";
constexpr auto member_pod = R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"bao-0"},
  "spec":{"containers":[{"name":"openbao","image":"none"}]}})";

/// One call of the real API server, as its administrator.
json::value api(std::string method, std::string path, std::string body = "", std::string type = "application/json") {
  json::value found;
  testing::run([&](asio::io_context& loop) -> asio::awaitable<void> {
    app::system_clock time(loop.get_executor());
    kubernetes::client client(time, loop.get_executor(), kubernetes::as("admin"));
    kubernetes::call what{.method = method, .path = path, .content_type = type};
    if (!body.empty()) what.body = json::parse(body).value();
    found = must(co_await client.ask(std::move(what)));
  });
  return found;
}

std::string token_for(std::string audience) {
  auto spec = R"({"apiVersion":"authentication.k8s.io/v1","kind":"TokenRequest","spec":{)" +
              (audience.empty() ? "" : R"("audiences":[")" + audience + R"("])") + "}}";
  return std::string(api("POST", "/api/v1/namespaces/ns/serviceaccounts/executor/token", spec).text("status.token"));
}

void prepare_api() {
  api("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", definition);
  api("POST", "/api/v1/namespaces", R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"ns"}})");
  api("POST", "/apis/rbac.authorization.k8s.io/v1/clusterroles", role);
  api("POST", "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", binding);
  api("POST", "/api/v1/namespaces/ns/serviceaccounts", account);
  api("POST", "/api/v1/namespaces/ns/pods", member_pod);
  for (auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);;) {
    try {
      api("GET", kubernetes::path_of(restores, "ns"));
      return;
    } catch (std::runtime_error const&) {
      if (std::chrono::steady_clock::now() > until) throw;
    }
  }
}

/// The role of a restore, as openbao-operator makes it: tokens of Kubernetes' own key, bound to a service account and an audience.
void prepare_login(bao_cluster& bao) {
  auto key = json::dump(json::value(read_all(kubernetes::api_folder() / "sa.pub")));
  auto policy = R"(path \"sys/storage/raft/snapshot\" { capabilities = [\"read\", \"update\"] } )"
                R"(path \"sys/storage/raft/snapshot-force\" { capabilities = [\"update\"] })";
  EXPECT_EQ(bao.call("POST", "/v1/sys/auth/jwt-operator", R"({"type":"jwt"})").first, 204);
  EXPECT_EQ(bao.call("POST", "/v1/auth/jwt-operator/config", R"({"jwt_validation_pubkeys":[)" + key + "]}").first, 204);
  EXPECT_EQ(bao.call("POST", "/v1/sys/policies/acl/restore", std::string(R"({"policy":")") + policy + "\"}").first, 204);
  auto made = bao.call("POST", "/v1/auth/jwt-operator/role/restore",
                       R"({"role_type":"jwt","user_claim":"sub","bound_audiences":["openbao-internal"],)"
                       R"("bound_subject":"system:serviceaccount:ns:executor","token_policies":["restore"],"token_ttl":"1h"})");
  EXPECT_EQ(made.first, 204) << json::dump(made.second);
}

/// Both clusters and the API server, for all tests.
struct stage {
  stage() {
    prepare_api();
    prepare_login(bao), prepare_login(other);
    with_box([](blob::store&) -> asio::awaitable<void> { co_return; });
  }
  bao_cluster bao{"bao", {"127.0.1.1", "127.0.1.2", "127.0.1.3"}};
  bao_cluster other{"other", {"127.0.2.1"}};
};

class RealBao : public Program {
 protected:
  RealBao() {
    here();
    for (std::string each : {"account", "credentials"}) fs::create_directory(folder_ / each);
    fs::copy(kubernetes::api_folder() / "ca.crt", folder_ / "account/ca.crt");
    write("account/token", token_for("")), write("account/namespace", "ns"), write("jwt", token_for("openbao-internal"));
    write("credentials/accessKeyId", s3_server::access_key), write("credentials/secretAccessKey", s3_server::secret_key);
  }
  static stage& here() {
    static stage one;
    return one;
  }
  static bao_cluster& bao() { return here().bao; }
  static bao_cluster& other() { return here().other; }
  void write(std::string name, std::string const& text) { std::ofstream(folder_ / name, std::ios::binary) << text; }

  std::map<std::string, std::string> job(bao_cluster& cluster, std::map<std::string, std::string> const& more) {
    auto server = http::parse_url(kubernetes::as("admin").server).value();
    std::map<std::string, std::string> all{{"CLUSTER_NAME", cluster.name()},
                                           {"CLUSTER_NAMESPACE", "ns"},
                                           {"CLUSTER_REPLICAS", std::to_string(cluster.replicas())},
                                           {"TLS_CA_PATH", cluster.ca()},
                                           {"BACKUP_PROVIDER", "s3"},
                                           {"BACKUP_ENDPOINT", test::server().url()},
                                           {"BACKUP_BUCKET", "box"},
                                           {"BACKUP_CREDENTIALS_PATH", folder_ / "credentials"},
                                           {"BACKUP_AUTH_METHOD", "jwt"},
                                           {"BACKUP_JWT_AUTH_ROLE", "restore"},
                                           {"JWT_TOKEN_PATH", folder_ / "jwt"},
                                           {"BACKUP_TOKEN_PATH", folder_ / "token"},
                                           {"RESTORE_STAGING_PATH", folder_ / "staging"},
                                           {"KOPIUR_SERVICE_ACCOUNT", folder_ / "account"},
                                           {"KUBERNETES_SERVICE_HOST", server.host},
                                           {"KUBERNETES_SERVICE_PORT", server.port}};
    for (auto& [name, value] : more) all[name] = value;
    return all;
  }
  printed back_up(bao_cluster& cluster, std::string key, std::map<std::string, std::string> more = {}) {
    more.emplace("BACKUP_KEY", key);
    return run({"bao-backup"}, job(cluster, more));
  }
  /// A new OpenBaoRestore that is committed; returns what its Job's environment says of it.
  std::map<std::string, std::string> make_restore(std::string key) {
    auto name = "r-" + std::to_string(++made_);
    auto one = api("POST", kubernetes::path_of(restores, "ns"),
                   R"({"apiVersion":"openbao.org/v1alpha1","kind":"OpenBaoRestore","metadata":{"name":")" + name + R"("},"spec":{}})");
    api("PATCH", kubernetes::path_of(restores, "ns", name, "status"),
        R"({"status":{"execution":{"operationID":"op","stage":"Committed"}}})", "application/merge-patch+json");
    return {{"RESTORE_KEY", key},
            {"RESTORE_REQUEST_NAME", name},
            {"RESTORE_REQUEST_UID", std::string(one.text("metadata.uid"))},
            {"POD_UID", "pod-1"},
            {"RESTORE_OPERATION_ID", "op"}};
  }
  printed restore(bao_cluster& cluster, std::map<std::string, std::string> request, std::map<std::string, std::string> more = {}) {
    for (auto& [name, value] : more) request[name] = value;
    return run({"bao-restore"}, job(cluster, request));
  }
  static std::string claim_of(std::map<std::string, std::string> const& request, std::string field) {
    auto object = api("GET", kubernetes::path_of(restores, "ns", request.at("RESTORE_REQUEST_NAME")));
    return std::string(object.text("status.submissionClaim." + field));
  }
  void put(std::string key, std::string const& text) {
    with_box([&](blob::store& store) -> asio::awaitable<void> {
      auto stored = co_await store.put("box", key, http::text_upload(text), {});
      EXPECT_TRUE(stored) << stored.error().message;
    });
  }
  std::string get(std::string key) {
    std::string all;
    with_box([&](blob::store& store) -> asio::awaitable<void> { all = co_await blob::test::content_of(store, "box", key); });
    return all;
  }

  static inline int made_ = 0;
};

TEST_F(RealBao, RestoresThreeVoters) {
  bao().write_secret("a", "old");
  auto ended = back_up(bao(), "old.snap");
  EXPECT_EQ(ended.status, 0) << ended.err;
  auto line = json::parse(ended.out).value_or(json::value());
  EXPECT_EQ(line.text("digest"), "sha256:" + encoding::hex(blob::sha256(get("old.snap"))));
  EXPECT_EQ(line.text("version"), "2.4.0");
  bao().write_secret("a", "new");

  auto before = bao().submissions();
  auto request = make_restore("old.snap");
  ended = restore(bao(), request, {{"RESTORE_EXPECTED_DIGEST", std::string(line.text("digest"))}});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(bao().read_secret("a"), "old");
  EXPECT_EQ(bao().submissions(), before + 1);
  EXPECT_TRUE(ended.termination_log.contains(R"("voters":"healthy")")) << ended.termination_log;
  EXPECT_EQ(claim_of(request, "podUID"), "pod-1");
  EXPECT_EQ(claim_of(request, "digest"), line.text("digest"));
  if (claim_of(request, "targetPodName") == "bao-0") EXPECT_NE(claim_of(request, "targetPodUID"), "") << "the API server has only this pod";
}

TEST_F(RealBao, ABackupOverwritesNothing) {
  put("mine.snap", "precious");
  auto ended = back_up(bao(), "mine.snap");
  EXPECT_EQ(ended.status, 5) << ended.err;
  EXPECT_EQ(get("mine.snap"), "precious");
  ended = back_up(bao(), "x.snap", {{"BACKUP_BUCKET", "none"}});
  EXPECT_EQ(ended.status, 5) << ended.err;
  ended = back_up(bao(), "x.snap", {{"BACKUP_BUCKET", "none"}});
  EXPECT_EQ(ended.status, 5) << "no bucket was made";
}

TEST_F(RealBao, OneOfTwoExecutorsSubmits) {
  bao().write_secret("b", "old");
  EXPECT_EQ(back_up(bao(), "two.snap").status, 0);
  auto before = bao().submissions();
  auto request = make_restore("two.snap");
  auto first = request, second = request;
  second["POD_UID"] = "pod-2";
  pid_t loser = -1;
  std::map<std::string, printed> ended;
  /// Both at once; the one that waits is ended once the other one is done.
  testing::run([&](asio::io_context& loop) -> asio::awaitable<void> {
    app::nursery both(loop.get_executor());
    auto go = [&](std::map<std::string, std::string> what) -> asio::awaitable<void> {
      process::command command{.arguments = {program_, "bao-restore"}};
      for (auto& [name, value] : job(bao(), what)) command.environment.push_back(name + "=" + value);
      process::child child(loop.get_executor(), command);
      auto& said = ended[what.at("POD_UID")];
      auto is_done = [&] { return ended["pod-1"].out.contains("took the snapshot") || ended["pod-2"].out.contains("took the snapshot"); };
      auto look = [&] {
        if (loser < 0 && said.err.contains("waits for its end")) loser = child.id();
        if (loser > 0 && is_done()) ::kill(std::exchange(loser, 0), SIGTERM);
      };
      app::nursery readers(loop.get_executor());
      readers.spawn(process::drain(child.out(), [&](std::string_view bytes) { said.out += bytes, look(); }));
      readers.spawn(process::drain(child.err(), [&](std::string_view bytes) { said.err += bytes, look(); }));
      co_await readers.join();
      said.status = (co_await child.wait()).code;
    };
    both.spawn(go(first)), both.spawn(go(second));
    co_await both.join();
  });
  auto statuses = std::minmax(ended["pod-1"].status, ended["pod-2"].status);
  EXPECT_EQ(statuses.first, 0) << ended["pod-1"].err << ended["pod-2"].err;
  EXPECT_EQ(statuses.second, 6) << ended["pod-1"].err << ended["pod-2"].err;
  EXPECT_EQ(bao().submissions(), before + 1);
}

TEST_F(RealBao, SubmitsNothingIfThereIsAClaim) {
  EXPECT_EQ(back_up(bao(), "claimed.snap").status, 0);
  auto before = bao().submissions();
  auto request = make_restore("claimed.snap");
  EXPECT_EQ(restore(bao(), request, {{"RESTORE_OPERATION_ID", "other"}}).status, 6);
  EXPECT_EQ(claim_of(request, "podUID"), "");
  api("PATCH", kubernetes::path_of(restores, "ns", request.at("RESTORE_REQUEST_NAME"), "status"),
      R"({"status":{"submissionClaim":{"podUID":"pod-2"}}})", "application/merge-patch+json");
  bool told = false;
  heard_ = [&](printed const& said) {
    if (said.err.contains("waits for its end") && !std::exchange(told, true)) ::kill(pid_, SIGTERM);
  };
  EXPECT_EQ(restore(bao(), request).status, 6);
  EXPECT_TRUE(told);
  EXPECT_EQ(bao().submissions(), before);
  EXPECT_EQ(claim_of(request, "podUID"), "pod-2");
}

TEST_F(RealBao, ADamagedSnapshotIsRefusedForCertain) {
  bao().write_secret("c", "stays");
  EXPECT_EQ(back_up(bao(), "whole.snap").status, 0);
  auto whole = get("whole.snap");
  put("half.snap", whole.substr(0, whole.size() / 2)), put("garbage.snap", std::string(20'000, 'g'));
  for (std::string key : {"half.snap", "garbage.snap"}) {
    auto ended = restore(bao(), make_restore(key));
    EXPECT_EQ(ended.status, 4) << ended.err;
    EXPECT_TRUE(ended.termination_log.contains("damaged or cut off")) << ended.termination_log;
  }
  auto request = make_restore("whole.snap");
  auto ended = restore(bao(), request, {{"RESTORE_EXPECTED_DIGEST", "sha256:" + std::string(64, '0')}});
  EXPECT_EQ(ended.status, 6) << ended.err;
  EXPECT_EQ(claim_of(request, "podUID"), "");
  EXPECT_EQ(bao().read_secret("c"), "stays");
}

TEST_F(RealBao, SaysWhyItMayNot) {
  EXPECT_EQ(back_up(bao(), "denied.snap").status, 0);
  auto request = make_restore("denied.snap");
  auto ended = restore(bao(), request, {{"BACKUP_JWT_AUTH_ROLE", "none"}});
  EXPECT_EQ(ended.status, 2) << ended.err;
  EXPECT_TRUE(ended.err.contains("auth/jwt-operator")) << ended.err;
  write("jwt", token_for("another-audience"));
  EXPECT_EQ(restore(bao(), request).status, 2);
  EXPECT_EQ(claim_of(request, "podUID"), "");
  write("token", "s.wrong-hunter2");
  ended = restore(bao(), request, {{"BACKUP_AUTH_METHOD", "token"}});
  EXPECT_EQ(ended.status, 4) << ended.err;
  EXPECT_TRUE(ended.err.contains("Allow update of sys/storage/raft/snapshot")) << ended.err;
  EXPECT_FALSE((ended.out + ended.err).contains("hunter2"));
  EXPECT_EQ(back_up(bao(), "never.snap", {{"BACKUP_AUTH_METHOD", "token"}}).status, 4);
  write("account/token", token_for("another-audience"));
  write("jwt", token_for("openbao-internal"));
  EXPECT_EQ(restore(bao(), make_restore("denied.snap")).status, 6) << "the API server does not know it";
}

TEST_F(RealBao, SettlesWithAllItsMembers) {
  EXPECT_EQ(run({"bao-settle"}, job(bao(), {{"SETTLE_SECONDS", "30"}})).status, 0);
  auto ended = run({"bao-settle"}, job(other(), {{"CLUSTER_REPLICAS", "2"}, {"SETTLE_SECONDS", "1"}}));
  EXPECT_EQ(ended.status, 8) << ended.err;
  EXPECT_TRUE(ended.out.contains(R"("notHealthy":["other-1"])")) << ended.out;
}

/// The last one: after it the cluster has other keys.
TEST_F(RealBao, TheSnapshotOfAnotherClusterNeedsForce) {
  bao().write_secret("d", "of three voters"), other().write_secret("d", "of one");
  EXPECT_EQ(back_up(bao(), "three.snap").status, 0);
  auto ended = restore(other(), make_restore("three.snap"));
  EXPECT_EQ(ended.status, 4) << ended.err;
  EXPECT_TRUE(ended.err.contains("set spec.force")) << ended.err;
  EXPECT_EQ(other().read_secret("d"), "of one");

  ended = restore(other(), make_restore("three.snap"), {{"RESTORE_FORCE", "true"}});
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_TRUE(ended.out.contains(R"("voters":"sealed","notHealthy":["other-0"])")) << ended.out;
  EXPECT_EQ(run({"bao-settle"}, job(other(), {{"SETTLE_SECONDS", "1"}})).status, 8);
  other().unseal(0, bao().unseal_key());
  EXPECT_EQ(run({"bao-settle"}, job(other(), {{"SETTLE_SECONDS", "30"}})).status, 0);
  EXPECT_EQ(other().read_secret("d", bao().root_token()), "of three voters");
}

}  // namespace
}  // namespace kopiur::executor::test
