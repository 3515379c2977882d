#pragma once
#include <vector>

#include "common/time/instant.hpp"
#include "proto/openbao/backup_target.hpp"

/// The part of OpenBao's cluster kind that restores and backups need (spec/openbao-restore.md A1.3). OpenBao's operator defines it; where
/// there is none, kopiur ships this part. Enumerations are texts: another version may have other values.
namespace kopiur::proto {

struct bao_network {
  std::vector<json::value> egress_rules;
};
KOPIUR_DESCRIBE_NOTED(bao_network, (), (egress_rules))
struct bao_tls {
  bool enabled = true;
};
KOPIUR_DESCRIBE_NOTED(bao_tls, (), (enabled))
struct bao_oidc {
  bool enabled = false;
};
KOPIUR_DESCRIBE_NOTED(bao_oidc, (), (enabled))
/// How the operator configured the cluster when it was initialized.
struct bao_self_init {
  bao_oidc oidc;
};
KOPIUR_DESCRIBE_NOTED(bao_self_init, (), (oidc))
struct bao_cluster_backup {
  std::optional<std::string> schedule;  ///< refused where kopiur's definition is installed: only a trigger takes a backup
  bao_target target;
  std::optional<std::string> jwt_auth_role;
  std::optional<bao_secret_ref> token_secret_ref;
  std::optional<std::string> image;
  std::optional<json::value> restore_test;  ///< refused likewise
};
KOPIUR_DESCRIBE_NOTED(bao_cluster_backup, (), (schedule, target, jwt_auth_role, token_secret_ref, image, restore_test))
struct bao_image_verification {
  bool enabled = false;
};
KOPIUR_DESCRIBE_NOTED(bao_image_verification, (), (enabled))

struct openbao_cluster_spec {
  std::optional<std::string> profile;  ///< Hardened, Development
  std::int64_t replicas = 3;
  std::optional<bao_network> network;
  bao_tls tls;
  std::optional<bao_self_init> self_init;
  std::optional<bao_cluster_backup> backup;
  std::optional<bao_image_verification> operator_image_verification;
};
KOPIUR_DESCRIBE_NOTED(openbao_cluster_spec, (), (profile, replicas, network, tls, self_init, backup, operator_image_verification))

/// Who works on the cluster. Held by `operation` and `holder`; without an expiry.
struct bao_operation_lock {
  static constexpr bool omit_defaults = true;
  std::string operation;  ///< Restore, Backup, Upgrade
  std::string holder;     ///< openbaorestore/NAME, openbaocluster/backup, openbaocluster/upgrade
  std::string message;
  std::optional<instant> acquired_at, renewed_at;
};
KOPIUR_DESCRIBE_NOTED(bao_operation_lock, (), (operation, holder, message, acquired_at, renewed_at))

struct bao_blue_green {
  std::string phase, blue_revision;
};
KOPIUR_DESCRIBE_NOTED(bao_blue_green, (), (phase, blue_revision))
struct bao_backup_status {
  static constexpr bool omit_defaults = true;
  std::optional<instant> last_backup_time, last_attempt_time;
  std::optional<std::int64_t> last_backup_size;
  std::optional<std::string> last_backup_name, last_failure_reason, last_failure_message, last_handled_manual_trigger;
};
KOPIUR_DESCRIBE_NOTED(bao_backup_status, (),
                      (last_backup_time, last_attempt_time, last_backup_size, last_backup_name, last_failure_reason, last_failure_message,
                       last_handled_manual_trigger))

struct openbao_cluster_status {
  static constexpr bool omit_defaults = true;
  std::string phase;
  bool initialized = false;
  std::vector<condition> conditions;
  std::optional<bao_operation_lock> operation_lock;
  std::optional<bao_blue_green> blue_green;
  std::optional<bao_backup_status> backup;
};
KOPIUR_DESCRIBE_NOTED(openbao_cluster_status, (), (phase, initialized, conditions, operation_lock, blue_green, backup))

struct openbao_cluster {
  static constexpr printer_column columns[]{column::phase, {"Lock", "string", ".status.operationLock.holder"}, column::age};
  static constexpr kind_info info = foreign_openbao_kind(
      {.kind = "OpenBaoCluster", .plural = "openbaoclusters", .singular = "openbaocluster", .short_name = "baoc", .columns = columns});
  static constexpr bool omit_defaults = true;
  std::string api_version, kind;
  object_meta metadata;
  openbao_cluster_spec spec;
  openbao_cluster_status status;
};
KOPIUR_DESCRIBE_NOTED(openbao_cluster, (), (api_version, kind, metadata, spec, status))

}  // namespace kopiur::proto
