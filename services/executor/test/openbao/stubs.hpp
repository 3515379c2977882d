#pragma once
#include <csignal>

#include "common/blob/core/digest.hpp"
#include "common/encoding/hex.hpp"
#include "common/json/value.hpp"
#include "services/executor/test/program.hpp"

/// Runs the steps for OpenBao beside stand-ins of OpenBao (one member, stub-0), of the API server and of an object store.
namespace kopiur::executor::test {

class Stubs : public Program {
 protected:
  using page_result = asio::awaitable<http::page>;

  Stubs() {
    tls_ = make_tls(folder_ / "ca.crt", ",DNS:stub-0.stub.ns.svc");
    for (std::string each : {"account", "credentials", "staging"}) fs::create_directory(folder_ / each);
    fs::copy(folder_ / "ca.crt", folder_ / "account/ca.crt");
    write("account/token", "account-hunter2"), write("account/namespace", "ns"), write("token", "token-hunter2\n");
    write("credentials/accessKeyId", "key"), write("credentials/secretAccessKey", "key-hunter2");
    beside_.push_back({"127.0.4.1", 8200, {.answer = [this](http::asked what) { return of_bao(what); }, .tls = tls_}});
    beside_.push_back({"127.0.4.9", 9000, {.answer = [this](http::asked what) { return of_store(what); }}});
  }
  void write(std::string name, std::string const& text) { std::ofstream(folder_ / name, std::ios::binary) << text; }

  /// A snapshot as OpenBao gives it, with a state of that many bytes that do not get smaller.
  std::string whole_snapshot(std::size_t length = 5000) {
    fs::create_directory(folder_ / "whole");
    std::string state(length, 0);
    for (std::uint32_t seed = 1; auto& each : state) seed = seed * 1664525U + 1013904223U, each = static_cast<char>(seed >> 24);
    write("whole/state.bin", state), write("whole/meta.json", R"({"Index":1})");
    auto pack =
        "cd " + (folder_ / "whole").string() + " && sha256sum meta.json state.bin >SHA256SUMS && tar --format=ustar -czf ../whole.snap *";
    EXPECT_EQ(std::system(pack.c_str()), 0);
    return read_all(folder_ / "whole.snap");
  }

  /// The environment of a restore's Job.
  std::map<std::string, std::string> job() {
    return {{"CLUSTER_NAME", "stub"},
            {"CLUSTER_NAMESPACE", "ns"},
            {"CLUSTER_REPLICAS", "1"},
            {"BACKUP_ENDPOINT", "http://127.0.4.9:9000"},
            {"BACKUP_BUCKET", "box"},
            {"BACKUP_AUTH_METHOD", "token"},
            {"BACKUP_TOKEN_PATH", folder_ / "token"},
            {"BACKUP_CREDENTIALS_PATH", folder_ / "credentials"},
            {"TLS_CA_PATH", folder_ / "ca.crt"},
            {"RESTORE_KEY", "a.snap"},
            {"RESTORE_REQUEST_NAME", "one"},
            {"RESTORE_REQUEST_UID", "uid-1"},
            {"RESTORE_OPERATION_ID", "op-1"},
            {"RESTORE_STAGING_PATH", folder_ / "staging"},
            {"POD_NAME", "pod"},
            {"POD_UID", "pod-1"},
            {"KOPIUR_SERVICE_ACCOUNT", folder_ / "account"},
            {"KUBERNETES_SERVICE_HOST", "127.0.0.1"},
            {"KUBERNETES_SERVICE_PORT", "{port}"}};
  }
  printed step(std::string name, std::map<std::string, std::string> more = {}) {
    auto variables = job();
    for (auto& [key, value] : more) variables[key] = value;
    asked_.clear();
    stand_in api{.answer = [this](http::asked what) { return of_api(what); }, .tls = tls_};
    auto ended = run({name}, variables, api);
    EXPECT_FALSE((ended.out + ended.err).contains("hunter2")) << ended.out << ended.err;
    EXPECT_TRUE(fs::is_empty(folder_ / "staging")) << "no file remains";
    EXPECT_EQ(ended.termination_log + "\n", ended.out) << ended.err;
    return ended;
  }
  printed restore(std::map<std::string, std::string> more = {}) { return step("bao-restore", std::move(more)); }

  /// How often this was requested.
  long count(std::string const& request) const { return std::ranges::count(asked_, request); }
  long patches() const { return count("PATCH /apis/openbao.org/v1alpha1/namespaces/ns/openbaorestores/one/status"); }
  long posts() const { return count("POST /v1/sys/storage/raft/snapshot") + count("POST /v1/sys/storage/raft/snapshot-force"); }

  json::value object(std::string claim = "") const {
    auto text = R"({"metadata":{"name":"one","uid":"uid-1"},"status":{"execution":{"operationID":"op-1","stage":"Created"})";
    return json::parse(text + (claim.empty() ? "" : R"(,"submissionClaim":)" + claim) + "}}").value();
  }
  static http::page json_page(json::value const& content, int status = 200) {
    return {.status = status, .body = json::dump(content), .type = "application/json"};
  }
  /// The object after the patch was applied.
  http::page patched(std::string const& patch) const {
    auto operations = json::parse(patch).value_or(json::value());
    auto* all = operations.as_array();
    auto* claim = all && !all->empty() ? all->back().find("value") : nullptr;
    return json_page(object(claim ? json::dump(*claim) : ""));
  }

  std::shared_ptr<asio::ssl::context> tls_;
  std::vector<std::string> asked_;  // all requests, in order
  std::string snapshot_ = "a snapshot", submitted_;
  std::string health_ = R"({"initialized":true,"sealed":false,"standby":false,"version":"2.4.0","cluster_id":"c"})";
  std::string claim_;      // of the object in the API
  std::string leader_;     // the answer of /v1/sys/leader
  std::string container_;  // of the member's Pod; empty: it may not be read
  std::function<page_result(std::string)> on_patch_ = [this](std::string patch) -> page_result { co_return patched(patch); };
  std::function<page_result()> on_post_ = []() -> page_result { co_return http::page{.status = 204}; };
  std::function<page_result()> on_get_ = [this]() -> page_result { co_return http::page{.body = snapshot_}; };
  std::function<void()> on_health_ = [] {};

 private:
  void note(http::asked const& what) { asked_.push_back(what.method + " " + what.path); }
  page_result of_bao(http::asked what) {
    note(what);
    if (what.path == "/v1/sys/health") on_health_();
    if (what.path == "/v1/sys/health") co_return http::page{.body = health_};
    if (what.path == "/v1/sys/leader") co_return http::page{.body = leader_};
    if (what.method == "POST") submitted_ = what.body;
    co_return co_await (what.method == "POST" ? on_post_() : on_get_());
  }
  page_result of_store(http::asked what) {
    note(what);
    if (what.method == "PUT") co_return http::page{};
    co_return co_await on_get_();
  }
  page_result of_api(http::asked what) {
    note(what);
    if (what.method == "PATCH") co_return co_await on_patch_(what.body);
    if (what.path.contains("/pods/") && !container_.empty())
      co_return http::page{.body = R"({"status":{"containerStatuses":[{"name":"openbao","containerID":")" + container_ + R"("}]}})",
                           .type = "application/json"};
    if (what.path.contains("/pods/")) co_return http::page{.status = 404, .body = "{}", .type = "application/json"};
    co_return json_page(object(claim_));
  }
};

/// Waits until it is cancelled.
inline asio::awaitable<void> silence() {
  app::signal never(co_await asio::this_coro::executor);
  co_await never.wait();
}

}  // namespace kopiur::executor::test
