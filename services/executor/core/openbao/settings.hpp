#pragma once
#include <cstdint>
#include <expected>
#include <optional>

#include "common/time/instant.hpp"
#include "services/executor/core/environment.hpp"

/// The environment of the steps for OpenBao, with the names that openbao-operator gives to its Jobs.
namespace kopiur::executor::openbao {

/// The members of a cluster: the pods of its StatefulSet.
struct cluster {
  std::string name, ns, stateful_set;
  std::string suffix;  ///< of host names, as `.cluster.local`; empty: the pod's search domains complete them
  int replicas = 1;
  std::string ca_file, server_name;  ///< server_name: in the members' certificates; empty: their host names

  std::string pod(int ordinal) const { return stateful_set + "-" + std::to_string(ordinal); }
  std::string host(int ordinal) const { return pod(ordinal) + "." + name + "." + ns + ".svc" + suffix; }
};

/// How a token of OpenBao is had: by a role and a token of Kubernetes, or from a file.
struct login {
  std::string role, jwt_file;  ///< role: empty: token_file counts
  std::string token_file;
};

/// An object store.
struct store_place {
  enum class kind { s3, gcs, azure };
  kind provider = kind::s3;
  std::string endpoint;  ///< empty: that of the provider
  std::string bucket;    ///< of Azure: the container
  std::string region;    ///< empty: the Secret's, else us-east-1
  std::string gcs_project, azure_account;
  std::string credentials;  ///< a folder with the keys of a Secret as files; may be missing
  bool path_style = false, insecure = false;
};

/// The OpenBaoRestore for which this pod runs, and the pod.
struct request_identity {
  std::string name, uid, operation;
  std::string pod_name, pod_uid;
};

struct restore_settings {
  openbao::cluster cluster;
  openbao::login login;
  store_place store;
  request_identity request;
  std::string key, staging;
  bool force = false;
  std::optional<instant> deadline{};  ///< of everything before the claim
  std::string expected_digest;        ///< `sha256:` and 64 hexadecimal digits; empty: any
  std::optional<std::uint64_t> expected_size{};
};

struct backup_settings {
  openbao::cluster cluster;
  openbao::login login;
  store_place store;
  std::string key;  ///< empty: from the prefixes, see backup_key()
  std::string path_prefix, filename_prefix, staging;
};

struct settle_settings {
  openbao::cluster cluster;
  duration limit{};
};

/// They read the environment. The error is a sentence that names the variable, and no secret.
std::expected<restore_settings, std::string> read_restore(environment const& variables);
std::expected<backup_settings, std::string> read_backup(environment const& variables);
std::expected<settle_settings, std::string> read_settle(environment const& variables);

}  // namespace kopiur::executor::openbao
