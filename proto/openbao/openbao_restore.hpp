#pragma once
#include <vector>

#include "common/time/instant.hpp"
#include "proto/openbao/backup_target.hpp"

/// One restore of an OpenBao cluster from a snapshot in an object store. It replaces everything that the cluster has, so it is submitted to
/// OpenBao at most once.
namespace kopiur::proto {

struct bao_source {
  std::string key;  ///< the whole path of the object
  bao_target target;
  std::optional<std::string> expected_digest;  ///< `sha256:` and 64 hex digits
  std::optional<std::int64_t> expected_size;
  std::optional<std::string> expected_cluster_ID, expected_version;  ///< refused: a snapshot does not say them
};
KOPIUR_DESCRIBE_NOTED(bao_source, (), (key, target, expected_digest, expected_size, expected_cluster_ID, expected_version))

struct openbao_restore_spec {
  std::string cluster;  ///< an OpenBaoCluster of the same namespace
  bao_source source;
  std::optional<std::string> jwt_auth_role;   ///< wins over the token
  std::optional<bao_secret_ref> token_secret_ref;  ///< a Secret with the key `token`
  std::optional<std::string> image;
  bool force = false;                           ///< restores onto what is not initialized, is upgrading, or has other unseal keys
  bool override_operation_lock = false;         ///< takes the lock from a backup or an upgrade; needs `force`
  std::optional<json::value> cluster_template;  ///< refused, as the two below
  std::optional<std::string> target_lifecycle;
  std::optional<std::int64_t> cleanup_after_seconds;
};
KOPIUR_DESCRIBE_NOTED(openbao_restore_spec, (),
                      (cluster, source, jwt_auth_role, token_secret_ref, image, force, override_operation_lock, cluster_template,
                       target_lifecycle, cleanup_after_seconds))

enum class bao_phase { Pending, Validating, Running, Completed, Failed, Unknown };
BOOST_DESCRIBE_ENUM(bao_phase, Pending, Validating, Running, Completed, Failed, Unknown)
/// Whether a restore in this phase is over.
constexpr bool is_final(bao_phase phase) {
  return phase == bao_phase::Completed || phase == bao_phase::Failed || phase == bao_phase::Unknown;
}

enum class bao_stage { Prepared, Committed, Created, TerminalObserved, FollowThroughComplete, Unknown };
BOOST_DESCRIBE_ENUM(bao_stage, Prepared, Committed, Created, TerminalObserved, FollowThroughComplete, Unknown)
enum class bao_result { Succeeded, Failed };
BOOST_DESCRIBE_ENUM(bao_result, Succeeded, Failed)

/// The receipts of the execution. From Committed on there may be a Job, which is never created a second time.
struct bao_execution {
  static constexpr bool omit_defaults = true;
  std::string target_UID;    ///< of the OpenBaoCluster
  std::string operation_ID;  ///< the uid of the OpenBaoRestore
  std::optional<bao_stage> stage;
  std::string job_name;
  std::optional<std::string> job_UID;
  std::optional<instant> prepared_at, committed_at, created_at;
  std::optional<bao_result> terminal_result;
  std::optional<instant> terminal_observed_at, follow_through_completed_at;
};
KOPIUR_DESCRIBE_NOTED(bao_execution, (),
                      (target_UID, operation_ID, stage, job_name, job_UID, prepared_at, committed_at, created_at, terminal_result,
                       terminal_observed_at, follow_through_completed_at))

/// Written once, by the pod that is about to submit the snapshot, and by nobody else: a second pod of the Job finds it and submits nothing.
struct bao_submission_claim {
  static constexpr bool omit_defaults = true;
  std::string pod_UID;
  std::string target_pod_name, target_pod_UID, target_pod_IP, target_container_ID;
  std::string digest;
  std::int64_t size = 0;
  std::optional<instant> claimed_at;
};
KOPIUR_DESCRIBE_NOTED(bao_submission_claim, (),
                      (pod_UID, target_pod_name, target_pod_UID, target_pod_IP, target_container_ID, digest, size, claimed_at))

struct openbao_restore_status {
  static constexpr bool omit_defaults = true;
  std::optional<bao_phase> phase;
  std::optional<instant> start_time, completion_time;
  std::optional<std::string> snapshot_key;
  std::optional<std::int64_t> snapshot_size;
  std::optional<std::string> message;
  std::optional<bao_execution> execution;
  std::optional<bao_submission_claim> submission_claim;
  std::vector<condition> conditions;
};
KOPIUR_DESCRIBE_NOTED(openbao_restore_status, (),
                      (phase, start_time, completion_time, snapshot_key, snapshot_size, message, execution, submission_claim, conditions))

struct openbao_restore {
  static constexpr printer_column columns[]{
      {"Cluster", "string", ".spec.cluster"}, column::phase, column::age, {"Message", "string", ".status.message", 1}};
  static constexpr kind_info info = openbao_kind({.kind = "OpenBaoRestore",
                                                  .plural = "openbaorestores",
                                                  .singular = "openbaorestore",
                                                  .short_name = "obrestore",
                                                  .columns = columns,
                                                  .other_operator = "openbao-operator-system/openbao-operator-controller"});
  static constexpr bool omit_defaults = true;
  std::string api_version, kind;
  object_meta metadata;
  openbao_restore_spec spec;
  openbao_restore_status status;
};
KOPIUR_DESCRIBE_NOTED(openbao_restore, (), (api_version, kind, metadata, spec, status))

}  // namespace kopiur::proto
