#pragma once
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "common/json/value.hpp"
#include "proto/describe.hpp"
#include "proto/openbao/names.hpp"

/// Where OpenBao's snapshots are: what a restore and the backups of a cluster share (spec/openbao-restore.md A1.1).
namespace kopiur::proto {

enum class bao_provider { s3, gcs, azure };
BOOST_DESCRIBE_ENUM(bao_provider, s3, gcs, azure)

struct bao_gcs {
  std::optional<std::string> project;
};
KOPIUR_DESCRIBE_NOTED(bao_gcs, (), (project))

struct bao_azure {
  std::optional<std::string> storage_account, container;  ///< container absent: the bucket's name
};
KOPIUR_DESCRIBE_NOTED(bao_azure, (), (storage_account, container))

/// A Secret of the same namespace.
struct bao_secret_ref {
  std::string name;
};
KOPIUR_DESCRIBE_NOTED(bao_secret_ref, (), (name))

/// The identity of a cloud that the Job's service account and pod stand for.
struct bao_workload_identity {
  std::map<std::string, std::string> service_account_annotations, pod_labels;
};
KOPIUR_DESCRIBE_NOTED(bao_workload_identity, (), (service_account_annotations, pod_labels))

/// `path_prefix`, `part_size` and `concurrency` do nothing for a restore; the uploads of a backup choose the last two themselves.
struct bao_target {
  bao_provider provider = bao_provider::s3;
  std::optional<std::string> endpoint;  ///< s3: required
  std::string bucket;
  std::optional<std::string> path_prefix;
  std::optional<bao_secret_ref> credentials_secret_ref;
  std::int64_t part_size = 10485760;
  std::int32_t concurrency = 3;
  std::string region = "us-east-1";
  std::optional<std::string> role_arn;  ///< s3: the role that the Job's service account takes
  bool use_path_style = false;
  std::optional<bao_gcs> gcs;
  std::optional<bao_azure> azure;
  bool insecure_skip_verify = false;  ///< of the store's certificate
  std::optional<bao_workload_identity> workload_identity;
};
KOPIUR_DESCRIBE_NOTED(bao_target, (),
                      (provider, endpoint, bucket, path_prefix, credentials_secret_ref, part_size, concurrency, region, role_arn,
                       use_path_style, gcs, azure, insecure_skip_verify, workload_identity))

/// Whether a Secret of this name belongs to OpenBao itself: its unseal key, its root token, its certificates.
bool is_of_openbao(std::string_view secret);

}  // namespace kopiur::proto
