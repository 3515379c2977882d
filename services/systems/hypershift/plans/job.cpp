#include "common/hash/stable_hash.hpp"
#include "services/controller/core/rights.hpp"
#include "services/systems/hypershift/plans/backup.hpp"

/// The Job: its three containers, as HyperShift's (spec/etcd-backup.md B3), and what they may do.
namespace kopiur::hypershift {

using namespace proto;
using controller::list_of;
using controller::may;
using controller::metadata_named;
using controller::role_binding;

namespace {

constexpr std::string_view certificates = "/etc/etcd-certs", snapshots = "/etc/etcd-backup", job_files = "/kopiur/job/";
constexpr std::string_view api_token = "/var/run/secrets/kubernetes.io/serviceaccount/token";
constexpr std::string_view aws_token = "/var/run/secrets/aws-iam-token/token",
                           azure_token = "/var/run/secrets/azure/tokens/azure-identity-token";
constexpr std::string_view fetch = "fetch-certs", snapshot = "snapshot", upload = "upload";
constexpr std::string_view service_account = "etcd-backup-job", executor = "executor", program = "/usr/bin/kopiur-executor";
constexpr char const* snapshot_file = "/etc/etcd-backup/snapshot.db";

/// What is granted has the name of the run. The certificates by name, nothing else.
json::value role_in(std::string const& ns, std::string const& run) {
  return controller::role(ns, run, list_of({may("get", "", "secrets", {"etcd-client-tls"}), may("get", "", "configmaps", {"etcd-ca"})}));
}

/// From the pods of this run alone: HyperShift's policies deny what comes from other namespaces.
json::value policy_in(std::string const& ns, std::string const& run, std::string const& operator_ns) {
  json::value from =
      json::object{{"namespaceSelector", json::object{{"matchLabels", json::object{{"kubernetes.io/metadata.name", operator_ns}}}}},
                   {"podSelector", json::object{{"matchLabels", json::object{{std::string(label::run), run}}}}}};
  json::value rule =
      json::object{{"from", list_of({std::move(from)})}, {"ports", list_of({json::object{{"protocol", "TCP"}, {"port", 2379}}})}};
  return json::object{{"apiVersion", "networking.k8s.io/v1"},
                      {"kind", "NetworkPolicy"},
                      {"metadata", metadata_named(ns, run)},
                      {"spec", json::object{{"podSelector", json::object{{"matchLabels", json::object{{"app", "etcd"}}}}},
                                            {"policyTypes", list_of({"Ingress"})},
                                            {"ingress", list_of({std::move(rule)})}}}};
}

pod_container fetch_container(std::string const& ns) {
  return {.name = std::string(fetch),
          .image = std::string(executor),
          .command = {std::string(program)},
          .args = {"fetch-etcd-certs", "--hcp-namespace", ns, "--output-dir", std::string(certificates)},
          .without_secrets = true};
}

/// etcd's own image: only its etcdctl is of the right version. It sees no key of ours.
pod_container snapshot_container(std::string const& ns) {
  auto inside = [](char const* file) { return std::string(certificates) + "/" + file; };
  return {.name = std::string(snapshot),
          .image_of = workload_image{"StatefulSet", ns, "etcd", "etcd"},
          .command = {"/usr/bin/etcdctl"},
          .args = {"--endpoints", "https://etcd-client." + ns + ".svc:2379", "--cacert", inside("ca.crt"), "--cert",
                   inside("etcd-client.crt"), "--key", inside("etcd-client.key"), "snapshot", "save", snapshot_file},
          .env = {{"ETCDCTL_API", "3"}},
          .without_secrets = true};
}

/// Two backups of one second must not have one key (B6.10).
std::string key_suffix(object_meta const& meta) { return hash::digest_hex({"etcd-key", meta.uid}, 8); }

void add_store(std::vector<std::string>& args, backup_request const& wanted, std::string const& endpoint) {
  auto say = [&](char const* option, std::string const& content) {
    if (!content.empty()) args.push_back(option), args.push_back(content);
  };
  say("--storage-type", wanted.s3 ? "S3" : "AzureBlob");
  if (wanted.s3)
    say("--aws-bucket", wanted.s3->bucket), say("--aws-region", wanted.s3->region), say("--aws-kms-key-arn", wanted.s3->kms_key);
  if (wanted.azure) say("--azure-container", wanted.azure->container), say("--azure-storage-account", wanted.azure->account);
  say("--key-prefix", wanted.key_prefix);
  say("--key-suffix", key_suffix(*wanted.meta));
  say("--endpoint", endpoint);
}

pod_container upload_container(backup_request const& wanted, credentials_form const& form, std::string const& endpoint) {
  pod_container out{.name = std::string(upload), .image = std::string(executor), .command = {std::string(program)}};
  out.args = {"etcd-upload", "--snapshot-path", snapshot_file};
  add_store(out.args, wanted, endpoint);
  if (!form.key.empty()) out.args.insert(out.args.end(), {"--credentials-file", std::string(job_files) + form.key});
  if (form.mode == credentials_mode::ClientSecret) out.args.insert(out.args.end(), {"--azure-auth-type", "client-secret"});
  if (form.mode == credentials_mode::ManagedIdentity) out.args.insert(out.args.end(), {"--azure-auth-type", "managed-identity"});
  if (form.mode == credentials_mode::WebIdentity)
    out.env = {{"AWS_ROLE_ARN", form.role_ARN}, {"AWS_WEB_IDENTITY_TOKEN_FILE", std::string(aws_token)}};
  if (form.mode == credentials_mode::WorkloadIdentity)
    out.env = {
        {"AZURE_CLIENT_ID", form.client_id}, {"AZURE_TENANT_ID", form.tenant_id}, {"AZURE_FEDERATED_TOKEN_FILE", std::string(azure_token)}};
  return out;
}

std::vector<pod_token> tokens_for(credentials_form const& form) {
  std::vector<pod_token> all{{.path = std::string(api_token), .containers = {std::string(fetch)}}};
  auto add = [&](std::string_view path, char const* audience) {
    all.push_back({.path = std::string(path), .audience = audience, .containers = {std::string(upload)}});
  };
  if (form.mode == credentials_mode::WebIdentity) add(aws_token, "sts.amazonaws.com");
  if (form.mode == credentials_mode::WorkloadIdentity) add(azure_token, "api://AzureADTokenExchange");
  return all;
}

}  // namespace

run_plan job_plan(controller::cluster_view const& all, backup_request const& wanted, std::string const& run, credentials_form const& form) {
  auto &ns = wanted.meta->namespace_, &operator_ns = all.can.operator_namespace;
  pod_plan pod{
      .init = {fetch_container(ns), snapshot_container(ns)},
      .main = upload_container(wanted, form, all.can.etcd_store_endpoint),
      .folders = {{.name = "certs", .path = std::string(certificates), .in_memory = true},
                  {.name = "snapshot", .path = std::string(snapshots)}},
      .tokens = tokens_for(form),
      .grants = {role_in(ns, run), role_binding(ns, run, std::string(service_account), operator_ns), policy_in(ns, run, operator_ns)},
      .result = pod_result::Text};
  run_plan plan{.attempts = 2, .priority = lease_priority::Manual, .serves = {wanted.object}, .namespace_ = operator_ns};
  plan.leases = {{.key = lease_of(all.cluster, ns), .mode = lease_mode::Exclusive, .wait = false}};
  plan.body = std::move(pod);
  if (!form.key.empty())
    plan.secrets =
        std::vector<secret_use>{{.secret_namespace = operator_ns, .secret_name = wanted.credentials, .key = form.key, .file = form.key}};
  plan.pod = pod_options{.service_account = std::string(service_account),
                         .labels = {{"app", "etcd-backup"}, {"hypershift.openshift.io/hcp-namespace", ns}},
                         .volumes = volume_group::Always};
  return plan;
}

}  // namespace kopiur::hypershift
