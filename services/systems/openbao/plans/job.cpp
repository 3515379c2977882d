#include "services/systems/openbao/plans/job.hpp"

#include <algorithm>

namespace kopiur::openbao {

using namespace proto;

namespace {

constexpr std::string_view executor = "executor", program = "/usr/bin/kopiur-executor";
constexpr char const *job_files = "/kopiur/job", *staging = "/var/lib/openbao-restore";
constexpr char const *jwt = "/var/run/secrets/tokens/openbao-token", *aws_token = "/var/run/secrets/aws/token";

void add_key(bao_job& job, std::string const& ns, std::string const& name, char const* key) {
  job.secrets.push_back({.secret_namespace = ns, .secret_name = name, .key = key, .file = key, .optional = true});
}

std::vector<char const*> keys_of(bao_provider provider) {
  switch (provider) {
    case bao_provider::s3:
      return {"accessKeyId", "secretAccessKey", "sessionToken", "region", "caCert"};
    case bao_provider::gcs:
      return {"credentials.json", "caCert"};
    case bao_provider::azure:
      return {"accountKey", "connectionString", "caCert"};
  }
  __builtin_unreachable();
}

/// A user's label may not look like one of kopiur, Kubernetes or OpenBao's operator: those let pods in, or are counted by controllers.
bool is_free(std::string_view label) {
  auto domain = label.substr(0, label.find('/') == label.npos ? 0 : label.find('/'));
  auto is_in = [&](std::string_view owner) { return domain == owner || domain.ends_with("." + std::string(owner)); };
  return !domain.empty() && !is_in("kubernetes.io") && !is_in("k8s.io") && !is_in("openbao.org") && !is_in("home-operations.com");
}

void add_identity(bao_job& job, bao_target const& store) {
  if (!store.workload_identity) return;
  if (job.pod.account) job.pod.account->annotations = store.workload_identity->service_account_annotations;
  for (auto& [label, content] : store.workload_identity->pod_labels)
    if (is_free(label)) job.options.labels.emplace(label, content);
}

}  // namespace

std::string authority_of(std::string const& cluster) { return cluster + "-tls-ca"; }

bao_job job_for(std::string const& ns, std::string const& name, openbao_cluster const* cluster, std::string_view component,
                std::string_view mode) {
  auto account = service_account_of(name, component);
  bao_job job;
  job.pod.main = {.name = std::string(component), .image = std::string(executor), .command = {std::string(program)}};
  job.pod.main.args = {"bao-" + std::string(mode)};
  job.pod.main.env = {{"EXECUTOR_MODE", std::string(mode)},
                      {"CLUSTER_NAME", name},
                      {"CLUSTER_NAMESPACE", ns},
                      {"CLUSTER_REPLICAS", std::to_string(cluster ? cluster->spec.replicas : 1)},
                      {"STATEFULSET_NAME", cluster ? stateful_set_of(*cluster) : name},
                      {"TLS_CA_PATH", std::string(job_files) + "/ca.crt"}};
  job.pod.main.pod_fields = {{"POD_NAME", "metadata.name"}, {"POD_UID", "metadata.uid"}};
  job.pod.main.resources = json::object{{"requests", json::object{{"cpu", "100m"}, {"memory", "128Mi"}}},
                                        {"limits", json::object{{"cpu", "500m"}, {"memory", "512Mi"}}}};
  if (cluster) job.pod.account = pod_account{.name = account, .owner = controller::ref_of(*cluster)};
  job.pod.result = pod_result::Text;
  add_key(job, ns, authority_of(name), "ca.crt");
  job.options = {.service_account = account,
                 .labels = {{std::string(label::openbao_cluster), name}, {std::string(label::openbao_component), std::string(component)}},
                 .volumes = volume_group::Always};
  return job;
}

void add_login(bao_job& job, std::string const& ns, login const& access) {
  auto& env = job.pod.main.env;
  env["BACKUP_AUTH_METHOD"] = access.role.empty() ? "token" : "jwt";
  if (!access.role.empty()) {
    env["BACKUP_JWT_AUTH_ROLE"] = access.role;
    job.pod.tokens.push_back({.path = jwt, .audience = "openbao-internal"});
  } else if (access.token) {
    env["BACKUP_TOKEN_PATH"] = std::string(job_files) + "/token";
    add_key(job, ns, access.token->name, "token");
  }
}

void add_store(bao_job& job, std::string const& ns, bao_target const& store) {
  auto& env = job.pod.main.env;
  env["BACKUP_PROVIDER"] = json::to_text(store.provider);
  env["BACKUP_BUCKET"] = store.bucket;
  env["BACKUP_CREDENTIALS_PATH"] = job_files;
  if (store.endpoint) env["BACKUP_ENDPOINT"] = *store.endpoint;
  if (store.provider == bao_provider::s3) {
    env["BACKUP_REGION"] = store.region;
    env["BACKUP_USE_PATH_STYLE"] = store.use_path_style ? "true" : "false";
  }
  if (store.gcs && store.gcs->project) env["BACKUP_GCS_PROJECT"] = *store.gcs->project;
  if (store.azure && store.azure->storage_account) env["BACKUP_AZURE_STORAGE_ACCOUNT"] = *store.azure->storage_account;
  if (store.azure && store.azure->container) env["BACKUP_AZURE_CONTAINER"] = *store.azure->container;
  if (store.insecure_skip_verify) env["BACKUP_INSECURE_SKIP_VERIFY"] = "true";
  if (store.role_arn && !store.role_arn->empty()) {
    env["AWS_ROLE_ARN"] = *store.role_arn, env["AWS_WEB_IDENTITY_TOKEN_FILE"] = aws_token;
    job.pod.tokens.push_back({.path = aws_token, .audience = "sts.amazonaws.com"});
  }
  if (store.credentials_secret_ref)
    for (auto* key : keys_of(store.provider)) add_key(job, ns, store.credentials_secret_ref->name, key);
  add_identity(job, store);
}

void add_staging(bao_job& job) { job.pod.folders.push_back({.name = "staging", .path = staging, .size_limit = "9012Mi"}); }

}  // namespace kopiur::openbao
