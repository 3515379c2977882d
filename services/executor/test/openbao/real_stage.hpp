#pragma once
#include "common/blob/core/digest.hpp"
#include "common/encoding/hex.hpp"
#include "common/kubernetes/test/cluster/api.hpp"
#include "services/executor/test/openbao/real_bao.hpp"

/// The real API server of all tests, real clusters of OpenBao, and the Jobs of a test.
namespace kopiur::executor::test {

using kubernetes::must;

inline constexpr kubernetes::resource restores{"OpenBaoRestore", "openbao.org/v1alpha1", "openbaorestores"};
inline constexpr auto role = R"({"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole","metadata":{"name":"executor"},"rules":[
  {"apiGroups":["openbao.org"],"resources":["openbaorestores"],"verbs":["get"]},
  {"apiGroups":["openbao.org"],"resources":["openbaorestores/status"],"verbs":["patch"]},
  {"apiGroups":[""],"resources":["pods"],"verbs":["get"]}]})";
inline constexpr auto binding = R"({"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRoleBinding","metadata":{"name":"executor"},
  "roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"executor"},
  "subjects":[{"kind":"ServiceAccount","name":"executor","namespace":"ns"}]})";
inline constexpr auto account = R"({"apiVersion":"v1","kind":"ServiceAccount","metadata":{"name":"executor"}})";
inline constexpr auto member_pod = R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"bao-0"},
  "spec":{"containers":[{"name":"openbao","image":"none"}]}})";

/// One call of the real API server, as its administrator.
inline json::value api(std::string method, std::string path, std::string body = "", std::string type = "application/json") {
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

inline std::string token_for(std::string audience) {
  auto spec = R"({"apiVersion":"authentication.k8s.io/v1","kind":"TokenRequest","spec":{)" +
              (audience.empty() ? "" : R"("audiences":[")" + audience + R"("])") + "}}";
  return std::string(api("POST", "/api/v1/namespaces/ns/serviceaccounts/executor/token", spec).text("status.token"));
}

inline void prepare_api() {
  api("POST", "/api/v1/namespaces", R"({"apiVersion":"v1","kind":"Namespace","metadata":{"name":"ns"}})");
  api("POST", "/apis/rbac.authorization.k8s.io/v1/clusterroles", role);
  api("POST", "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", binding);
  api("POST", "/api/v1/namespaces/ns/serviceaccounts", account);
  api("POST", "/api/v1/namespaces/ns/pods", member_pod);
}

/// The role of a restore, as openbao-operator makes it: tokens of Kubernetes' own key, bound to a service account and an audience.
inline void prepare_login(bao_cluster& bao) {
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

/// Runs the steps as a Job, which has the service account `executor`.
class BaoJobs : public Program {
 protected:
  /// Called after prepare_api().
  void prepare_job() {
    for (std::string each : {"account", "credentials"}) fs::create_directory(folder_ / each);
    fs::copy(kubernetes::api_folder() / "ca.crt", folder_ / "account/ca.crt");
    write("account/token", token_for("")), write("account/namespace", "ns"), write("jwt", token_for("openbao-internal"));
  }
  void write(std::string name, std::string const& text) { std::ofstream(folder_ / name, std::ios::binary) << text; }

  std::map<std::string, std::string> job(bao_cluster& cluster, std::map<std::string, std::string> const& more) {
    auto server = http::parse_url(kubernetes::as("admin").server).value();
    std::map<std::string, std::string> all{{"CLUSTER_NAME", cluster.name()},
                                           {"CLUSTER_NAMESPACE", "ns"},
                                           {"CLUSTER_REPLICAS", std::to_string(cluster.replicas())},
                                           {"TLS_CA_PATH", cluster.ca()},
                                           {"BACKUP_CREDENTIALS_PATH", folder_ / "credentials"},
                                           {"BACKUP_AUTH_METHOD", "jwt"},
                                           {"BACKUP_JWT_AUTH_ROLE", "restore"},
                                           {"JWT_TOKEN_PATH", folder_ / "jwt"},
                                           {"BACKUP_TOKEN_PATH", folder_ / "token"},
                                           {"RESTORE_STAGING_PATH", folder_ / "staging"},
                                           {"KOPIUR_SERVICE_ACCOUNT", folder_ / "account"},
                                           {"KUBERNETES_SERVICE_HOST", server.host},
                                           {"KUBERNETES_SERVICE_PORT", server.port}};
    for (auto& [name, value] : store_) all[name] = value;
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
    auto source = R"({"key":")" + key + R"(","target":{"endpoint":"https://store.example","bucket":"box"}})";  // the Job is told otherwise
    auto one = api("POST", kubernetes::path_of(restores, "ns"),
                   R"({"apiVersion":"openbao.org/v1alpha1","kind":"OpenBaoRestore","metadata":{"name":")" + name +
                       R"("},"spec":{"cluster":"bao","source":)" + source + "}}");
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

  std::map<std::string, std::string> store_;  // variables of every Job
  static inline int made_ = 0;
};

}  // namespace kopiur::executor::test
