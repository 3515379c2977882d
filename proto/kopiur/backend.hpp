#pragma once
#include <optional>
#include <string>
#include <variant>

#include "proto/core/job.hpp"
#include "proto/describe.hpp"

/// The location of a kopia repository: `Repository.spec.backend` (spec/kopiur.md, Repository). Data only; secrets are referenced, never
/// inline.
namespace kopiur::proto {

/// A Secret by name; `ns` is set only where the kind spans namespaces (ClusterRepository), else it is the referrer's namespace.
struct secret_ref {
  std::string name;
  std::optional<std::string> namespace_;
};
KOPIUR_DESCRIBE_NOTED(secret_ref, (), (name, namespace_))

struct secret_key_ref {
  std::string name;
  std::optional<std::string> key;  ///< each user of this type states its default
  std::optional<std::string> namespace_;
};
KOPIUR_DESCRIBE_NOTED(secret_key_ref, (), (name, key, namespace_))

struct config_map_key_ref {
  std::string config_map_name;
  std::optional<std::string> key = "ca.crt";
};
KOPIUR_DESCRIBE_NOTED(config_map_key_ref, (), (config_map_name, key))

struct workload_identity {
  std::string service_account_name;
};
KOPIUR_DESCRIBE_NOTED(workload_identity, (), (service_account_name))

struct backend_auth {
  std::optional<proto::secret_ref> secret_ref;
  std::optional<proto::workload_identity> workload_identity;
};
KOPIUR_DESCRIBE_NOTED(backend_auth, (), (secret_ref, workload_identity))

struct tls_options {
  std::optional<config_map_key_ref> ca_bundle_ref;
  bool insecure_skip_verify = false;
  bool disable_tls = false;
};
KOPIUR_DESCRIBE_NOTED(tls_options, (), (ca_bundle_ref, insecure_skip_verify, disable_tls))

/// A Buckety that gives a bucket, its endpoint and its credentials (spec/buckety.md).
struct buckety_ref {
  std::string name;
  std::optional<std::string> access;  ///< a BucketyAccess of it; absent: the one of its `defaultAccess`
  std::optional<std::string> namespace_;
};
KOPIUR_DESCRIBE_NOTED(buckety_ref, (), (name, access, namespace_))

/// `bucket`, or else `buckety_ref`, which also replaces `endpoint`, `region` and `auth`. A task always has the former.
struct s3_backend {
  static constexpr std::string_view member = "s3", kind_name = "S3";
  std::optional<std::string> bucket, prefix, endpoint, region;
  std::optional<backend_auth> auth;
  std::optional<tls_options> tls;
  std::optional<proto::buckety_ref> buckety_ref;
};
KOPIUR_DESCRIBE_NOTED(s3_backend, (), (bucket, prefix, endpoint, region, auth, tls, buckety_ref))

struct azure_backend {
  static constexpr std::string_view member = "azure", kind_name = "Azure";
  std::string container;
  std::optional<std::string> prefix;
  std::string storage_account;
  std::optional<backend_auth> auth;
};
KOPIUR_DESCRIBE_NOTED(azure_backend, (), (container, prefix, storage_account, auth))

struct gcs_backend {
  static constexpr std::string_view member = "gcs", kind_name = "Gcs";
  std::string bucket;
  std::optional<std::string> prefix;
  std::optional<backend_auth> auth;
};
KOPIUR_DESCRIBE_NOTED(gcs_backend, (), (bucket, prefix, auth))

struct b2_backend {
  static constexpr std::string_view member = "b2", kind_name = "B2";
  std::string bucket;
  std::optional<std::string> prefix;
  std::optional<backend_auth> auth;
};
KOPIUR_DESCRIBE_NOTED(b2_backend, (), (bucket, prefix, auth))

struct filesystem_backend {
  static constexpr std::string_view member = "filesystem", kind_name = "Filesystem";
  std::string path;  ///< relative to the claim's root; absolute if no volume is named (outside a cluster)
  std::optional<std::string> pvc_name;
  std::optional<nfs_volume> nfs;
};
KOPIUR_DESCRIBE_NOTED(filesystem_backend, (), (path, pvc_name, nfs))

struct sftp_backend {
  static constexpr std::string_view member = "sftp", kind_name = "Sftp";
  std::string host;
  int port = 22;
  std::string path, username;
  std::optional<backend_auth> auth;
  std::optional<std::string> known_hosts;  ///< required unless `insecureSkipHostKeyCheck`
  bool insecure_skip_host_key_check = false;
};
KOPIUR_DESCRIBE_NOTED(sftp_backend, (), (host, port, path, username, auth, known_hosts, insecure_skip_host_key_check))

struct web_dav_backend {
  static constexpr std::string_view member = "webDav", kind_name = "WebDav";
  std::string url;
  std::optional<backend_auth> auth;
};
KOPIUR_DESCRIBE_NOTED(web_dav_backend, (), (url, auth))

struct rclone_backend {
  static constexpr std::string_view member = "rclone", kind_name = "Rclone";
  std::string remote_path;
  secret_ref config_secret_ref;
};
KOPIUR_DESCRIBE_NOTED(rclone_backend, (), (remote_path, config_secret_ref))

/// Exactly one alternative; on the wire `{"s3": {...}}`, with an optional `kind` that must agree.
using backend =
    std::variant<s3_backend, azure_backend, gcs_backend, b2_backend, filesystem_backend, sftp_backend, web_dav_backend, rclone_backend>;

/// The Buckety that gives the bucket; nullptr: there is none.
inline buckety_ref const* bucket_source(backend const& where) {
  auto* s3 = std::get_if<s3_backend>(&where);
  return s3 && s3->buckety_ref ? &*s3->buckety_ref : nullptr;
}

/// How a repository is created if none exists; the algorithms are immutable afterwards.
struct error_correction {
  std::optional<std::string> algorithm;
  std::optional<int> overhead_percent;
};
KOPIUR_DESCRIBE_NOTED(error_correction, (), (algorithm, overhead_percent))

struct create_behavior {
  bool enabled = false;
  std::optional<std::string> encryption, hash, splitter;
  std::optional<error_correction> ecc;
};
KOPIUR_DESCRIBE_NOTED(create_behavior, (), (enabled, encryption, hash, splitter, ecc))

}  // namespace kopiur::proto
