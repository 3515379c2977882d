#include "e2e/manifests/cases.hpp"

#include "services/systems/kopiur/test/plans/scene.hpp"

namespace kopiur::manifests {

namespace {

using gateway::kubernetes::surroundings;
using plans::scene;

constexpr std::string_view password = R"("encryption":{"passwordSecretRef":{"name":"password"}})";
constexpr std::string_view ready = R"("status":{"phase":"Ready","uniqueID":"id-nas","catalog":{"lastRefreshAt":"2026-01-01T00:00:00Z"}})";
constexpr std::string_view claim_backend = R"({"filesystem":{"path":"/backups","pvcName":"store"}})";

void put_repository(scene& it, std::string_view backend, std::string_view more = "") {
  std::string spec(R"("spec":{"backend":)");
  it.put("Repository", "nas", "", spec.append(backend).append(",").append(password).append(more).append("},").append(ready));
}

proto::run_plan plan_in(scene const& it, std::string_view plan, std::string_view kind, std::string_view name, json::value parameters = {}) {
  auto prepared = it.prepare_it(plan, kind, name, std::move(parameters));
  auto* done = std::get_if<plans::ready>(&prepared);
  EXPECT_TRUE(done) << plan << ": " << plans::said(prepared);
  return done ? done->plan : proto::run_plan{};
}

/// A cluster with a repository in `backend`, and what the other parts of a case need.
scene cluster_with(std::string_view backend, std::string_view more = "") {
  scene it;
  it.can.pods = true;
  put_repository(it, backend, more);
  it.put_claim("data");
  for (auto name : {"keys", "other"}) it.put("Secret", name, "", "");
  return it;
}

proto::run_plan backup_into(std::string_view backend, std::string_view config = "", std::string_view more = "") {
  auto it = cluster_with(backend, more);
  it.put_config("photos", config);
  it.put("Backup", "b", "", R"("spec":{"configRef":{"name":"photos"},"tags":{"note":"{{source}}"}})");
  return plan_in(it, "backup", "Backup", "b");
}

proto::run_plan restore_with(std::string_view target, std::string_view more = "") {
  auto it = cluster_with(claim_backend);
  it.put_config("photos");
  it.put_saved("old", "k1", "/pvc/data");
  auto spec = std::string(R"("spec":{)") + plans::from_photos + "," + std::string(target) + std::string(more) + "}";
  it.put("Restore", "r", "", spec);
  return plan_in(it, "restore", "Restore", "r");
}

std::vector<job_case> backups() {
  constexpr std::string_view s3 = R"({"s3":{"bucket":"b","endpoint":"https://s3","auth":{"secretRef":{"name":"keys"}},)"
                                  R"("tls":{"caBundleRef":{"configMapName":"authority"}}}})";
  constexpr std::string_view s3_account = R"({"s3":{"bucket":"b","auth":{"workloadIdentity":{"serviceAccountName":"writer"}}}})";
  constexpr std::string_view azure_account =
      R"({"azure":{"container":"c","storageAccount":"a","auth":{"workloadIdentity":{"serviceAccountName":"writer"}}}})";
  auto mover = [](std::string_view options) { return R"("mover":{)" + std::string(options) + "}"; };
  return {
      {"backup_into_a_claim", backup_into(claim_backend)},
      {"backup_into_an_export", backup_into(R"({"filesystem":{"path":"/backups","nfs":{"server":"nas","path":"/export"}}})")},
      {"backup_into_s3", backup_into(s3)},
      {"backup_into_s3_as_account", backup_into(s3_account)},
      {"backup_into_azure_as_account", backup_into(azure_account)},
      {"backup_into_sftp",
       backup_into(R"({"sftp":{"host":"h","username":"u","path":"/p","knownHosts":"h k","auth":{"secretRef":{"name":"keys"}}}})")},
      {"backup_of_a_snapshot", backup_into(s3, R"("copyMethod":"Snapshot","volumeSnapshotClassName":"fast")")},
      {"backup_with_options",
       backup_into(s3, mover(R"("resources":{"limits":{"memory":"1Gi"}},"podSecurityContext":{"runAsUser":1000,"fsGroup":1000},)"
                             R"("securityContext":{"runAsNonRoot":true})"))},
      {"backup_as_root", backup_into(s3, mover(R"("privilegedMode":true,"cache":{"storageClassName":"fast","capacity":"2Gi"})"))},
      {"backup_with_a_sized_cache", backup_into(s3, mover(R"("cache":{"capacity":"2Gi"})"))},
      {"backup_with_a_cache_volume", backup_into(s3, mover(R"("cache":{"storageClassName":"fast"})"))},
      {"backup_with_the_repositorys_cache",
       backup_into(claim_backend, "", R"(,"cacheDefaults":{"storageClassName":"fast","capacity":"8Gi"})")},
      {"sweep", backup_into(claim_backend), {}, true},
      {"sweep_as_account", backup_into(azure_account), {}, true},
  };
}

std::vector<job_case> restores() {
  constexpr std::string_view cache = R"(,"mover":{"cache":{"storageClassName":"fast"}})";
  surroundings const fresh{.fresh_target = true};
  surroundings placed{.placement = {.nodes = {"one"}}};
  placed.placement.tolerations.push_back(json::object{{"key", "gpu"}, {"operator", "Exists"}});
  return {
      {"restore_into_a_fresh_claim", restore_with(plans::into_existing), fresh},
      {"restore_into_a_claim", restore_with(plans::into_existing)},
      {"restore_on_a_node", restore_with(plans::into_existing), placed},
      {"restore_with_a_cache_volume", restore_with(plans::into_existing, cache)},
      {"restore_into_a_fresh_claim_with_a_cache_volume", restore_with(plans::into_existing, cache), fresh},
      {"restore_dry_run", restore_with(plans::into_existing, R"(,"dryRun":true)")},
      {"restore_dry_run_with_a_cache_volume", restore_with(plans::into_existing, std::string(R"(,"dryRun":true)") + std::string(cache))},
  };
}

std::vector<job_case> for_repositories() {
  auto it = cluster_with(claim_backend, R"(,"cacheDefaults":{"storageClassName":"fast"})");
  it.put("Maintenance", "m", "", R"("spec":{"repository":{"name":"nas"},"mover":{"resources":{"limits":{"memory":"1Gi"}}}})");
  return {
      {"connect", plan_in(it, "connect", "Repository", "nas")},
      {"discover", plan_in(it, "discover", "Repository", "nas")},
      {"maintain", plan_in(it, "maintain", "Maintenance", "m")},
  };
}

/// All that a plan of plain containers can state.
job_case of_plain_containers() {
  proto::pod_plan pods{
      .init = {{.name = "fetch", .image = "executor", .command = {"/fetch"}, .args = {"--to", "/scratch/secret"}}},
      .main = {.name = "restore",
               .image = "executor",
               .command = {"/executor"},
               .args = {"restore"},
               .env = {{"TARGET", "bao"}},
               .resources = json::parse(R"({"limits":{"memory":"1Gi"}})").value()},
      .folders = {{.name = "scratch", .path = "/scratch", .size_limit = "64Mi", .in_memory = true}, {.name = "data", .path = "/data"}},
      .tokens = {{.path = "/tokens/api/token"}, {.path = "/tokens/bao/token", .audience = "bao", .expiration_seconds = 600}},
      .result = proto::pod_result::Json};
  proto::run_plan plan{.namespace_ = "vault", .body = std::move(pods)};
  plan.secrets =
      std::vector<proto::secret_use>{{.secret_namespace = "vault", .secret_name = "keys", .key = "id", .env = "KEY_ID"},
                                     {.secret_namespace = "vault", .secret_name = "keys", .key = "ca", .file = "ca.crt", .optional = true}};
  plan.volumes = std::vector<proto::volume_use>{{.name = "snapshots", .claim_namespace = "vault", .claim_name = "snapshots"}};
  plan.pod = proto::pod_options{
      .user = 100, .group = 1000, .service_account = "restorer", .labels = {{"team", "vault"}}, .volumes = proto::volume_group::Always};
  return {"plain_containers", std::move(plan)};
}

}  // namespace

std::vector<job_case> job_cases() {
  auto all = backups();
  for (auto more : {restores(), for_repositories(), {of_plain_containers()}}) all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace kopiur::manifests
