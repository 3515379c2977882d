#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <typeinfo>
#include <vector>

#include "common/json/codec.hpp"
#include "common/json/frozen.hpp"
#include "common/time/instant.hpp"
#include "proto/core/failure.hpp"
#include "proto/core/lease.hpp"
#include "proto/core/metadata.hpp"
#include "proto/core/object_ref.hpp"
#include "proto/describe.hpp"

/// A Job of any system: what its pod gets, what it runs, and how it ended. What kopia's mover reads and writes is in kopiur/kopia_task.hpp.
namespace kopiur::proto {

/// A key of a Secret or ConfigMap, passed to the program of a Job: exactly one of `env` and `file` is set.
struct secret_use {
  std::string secret_namespace, secret_name, key;
  std::optional<std::string> env;   ///< environment variable
  std::optional<std::string> file;  ///< file name in the folder of secrets
  bool optional = false;            ///< a missing key is not an error
  bool config_map = false;          ///< the name is that of a ConfigMap
};
KOPIUR_DESCRIBE_NOTED(secret_use, (), (secret_namespace, secret_name, key, env, file, optional, config_map))

struct nfs_volume {
  std::string server, path;
};
KOPIUR_DESCRIBE_NOTED(nfs_volume, (), (server, path))

/// A VolumeGroupSnapshot: several claims captured at one instant. Each Backup of a group reads the part of its claim. It outlives the runs;
/// delete-capture removes it.
struct capture {
  std::string name;                 ///< of the VolumeGroupSnapshot; with kopiur's prefix, also the label key on its claims
  std::string group;                ///< the value of that label, equal to `G/group` on the Backups
  std::vector<std::string> claims;  ///< all of them
};
KOPIUR_DESCRIBE(capture, (), (name, group, claims))

/// A point-in-time copy that is mounted instead of a claim's volume. It belongs to the run, over all attempts, and is deleted with its Job.
struct volume_copy {
  bool clone = false;                         ///< a clone of the volume itself; false: restored from a VolumeSnapshot
  std::optional<std::string> snapshot_class;  ///< of the VolumeSnapshot; absent: the default class of the volume's driver
  std::optional<capture> together{};          ///< the VolumeSnapshot is this claim's part of the capture
  bool taken = false;  ///< capture-volumes took it while an application was quiesced: if it is gone, it is not taken again
};
KOPIUR_DESCRIBE(volume_copy, (), (clone, snapshot_class, together, taken))

/// A volume of a Job, mounted in a pod below /volumes under its name. On a host it is a real folder.
struct volume_use {
  std::string name;                         ///< `source`, `target`, `repository`
  std::string claim_namespace, claim_name;  ///< the claim; both empty: an NFS export or a host directory
  std::string host_path;                    ///< outside a cluster only
  bool read_only = true;
  std::optional<nfs_volume> nfs;      ///< in a cluster only
  std::optional<volume_copy> copy{};  ///< in a cluster only: mounted instead of the claim itself
  bool fills = false;                 ///< the Job writes the content of the claim: no pod of a user may use it meanwhile
};
KOPIUR_DESCRIBE_NOTED(volume_use, (), (name, claim_namespace, claim_name, host_path, read_only, nfs, copy, fills))

/// A pod of the workload, running or not; if there is none, its pod template.
struct security_context_source {
  label_selector pod_selector;
};
KOPIUR_DESCRIBE_NOTED(security_context_source, (), (pod_selector))

/// Which volumes of a pod are given to its group (the kubelet then changes all of them, so never data of users). A fresh volume belongs to
/// root: without this a pod that is not root cannot write it.
enum class volume_group {
  Always,     ///< none of them has data of users
  IfFresh,    ///< if the claim that the Job fills was made for it, and is still empty
  CacheAlone  ///< only if that is needed for the cache; all claims of users are then mounted read-only by the kubelet
};
BOOST_DESCRIBE_ENUM(volume_group, Always, IfFresh, CacheAlone)

/// Where a program keeps its cache: on the node, or on a volume of a class, which is deleted with the pod.
struct pod_cache {
  static constexpr bool omit_defaults = true;
  std::string key;  ///< on a host: Jobs with the same key share a folder
  std::optional<std::string> capacity, storage_class_name;
};
KOPIUR_DESCRIBE(pod_cache, (), (key, capacity, storage_class_name))

/// The pod of a Job, as its plan states it; the user's contexts are merged over a hardened pod.
struct pod_options {
  static constexpr bool omit_defaults = true;
  std::int64_t user = 65532, group = 65532;
  std::optional<std::string> service_account;
  std::map<std::string, std::string> labels;   ///< of the pod, besides kopiur's
  std::optional<proto::volume_group> volumes;  ///< absent: the command is of an older version, which did not state it
  bool waits_for_workload = false;             ///< a workload to inherit from may come later: wait for it
  std::optional<pod_cache> cache;              ///< absent: none
  std::optional<json::value> resources, security_context, pod_security_context;
  bool privileged_mode = false;  ///< also needs an annotation on the namespace
  std::optional<security_context_source> inherit_security_context_from;
};
KOPIUR_DESCRIBE(pod_options, (),
                (user, group, service_account, labels, volumes, waits_for_workload, cache, resources, security_context,
                 pod_security_context, privileged_mode, inherit_security_context_from))

/// A folder that the containers of a pod share, and that is deleted with the pod.
struct pod_folder {
  static constexpr bool omit_defaults = true;
  std::string name, path;                 ///< mounted at `path` in each container
  std::optional<std::string> size_limit;  ///< a quantity
  bool in_memory = false;
};
KOPIUR_DESCRIBE(pod_folder, (), (name, path, size_limit, in_memory))

/// A token of the pod's service account, in a file. Pods have no other token.
struct pod_token {
  static constexpr bool omit_defaults = true;
  std::string path;                     ///< of the file; each in a folder of its own
  std::optional<std::string> audience;  ///< absent: the API server; `ca.crt` and `namespace` are beside the token then
  std::int64_t expiration_seconds = 3600;
  std::vector<std::string> containers;  ///< which get it; empty: each
};
KOPIUR_DESCRIBE(pod_token, (), (path, audience, expiration_seconds, containers))

/// A container of a workload, whose image is run: only that one has the programs of the right version.
struct workload_image {
  std::string kind, namespace_, name, container;  ///< kind: Deployment or StatefulSet
};
KOPIUR_DESCRIBE(workload_image, (), (kind, namespace_, name, container))

struct pod_container {
  static constexpr bool omit_defaults = true;
  std::string name;
  std::string image;                       ///< a role, which the gateway's settings map to an image: no message names an image
  std::optional<workload_image> image_of;  ///< instead of `image`: that of a workload, read when the Job is created
  std::vector<std::string> command, args;
  std::map<std::string, std::string> env;
  std::map<std::string, std::string> pod_fields;  ///< variables with a field of the pod, as `metadata.uid`
  std::optional<json::value> resources;
  bool without_secrets = false;  ///< it does not get the Secrets of the command: its image is not kopiur's
};
KOPIUR_DESCRIBE(pod_container, (), (name, image, image_of, command, args, env, pod_fields, resources, without_secrets))

/// The service account of a pod, made if it does not exist; it may do nothing by itself. It stays with its owner.
struct pod_account {
  static constexpr bool omit_defaults = true;
  std::string name;
  object_ref owner;  ///< of the same namespace, with its uid
  std::map<std::string, std::string> annotations;
};
KOPIUR_DESCRIBE(pod_account, (), (name, owner, annotations))

/// Where the result of a pod comes from.
enum class pod_result {
  ExitStatus,  ///< the main container's exit status: 0 is success
  Json,        ///< a job_result that the main container writes as its termination message
  Text         ///< as ExitStatus; the main container's termination message is kept as `text`
};
BOOST_DESCRIBE_ENUM(pod_result, ExitStatus, Json, Text)

/// A pod of plain containers: the init containers one after the other, then the main one. Secrets come as variables of the containers, or
/// as files below /kopiur/job. Such a pod needs a cluster.
struct pod_plan {
  static constexpr std::string_view member = "containers";
  static constexpr bool omit_defaults = true;
  std::vector<pod_container> init;
  pod_container main;
  std::vector<pod_folder> folders;
  std::vector<pod_token> tokens;
  /// What the pod may do and reach: manifests (Role, RoleBinding, NetworkPolicy), also of other namespaces, with names of this run alone.
  /// They exist before the pod starts, and are removed once none of the Job's pods runs.
  std::vector<json::value> grants;
  std::optional<pod_account> account;  ///< absent: pod_options::service_account exists already
  pod_result result = pod_result::ExitStatus;
};
KOPIUR_DESCRIBE(pod_plan, (), (init, main, folders, tokens, grants, account, result))

/// What every result says: how it ended, and of which Job it is.
struct result_head {
  int version = 1;
  std::string run;
  int attempt = 1;
  proto::outcome outcome = proto::outcome::Failed;
  std::optional<run_failure> failure;  ///< set if and only if Failed
};
KOPIUR_DESCRIBE(result_head, (), (version, run, attempt, outcome, failure))

/// The result of a pod of plain containers, when no program writes one.
struct pod_report {
  int version = 1;
  std::string run;
  int attempt = 1;
  proto::outcome outcome = proto::outcome::Failed;
  std::optional<run_failure> failure;
  std::int64_t exit_status = 0;  ///< of the main container, or of the init container that failed
  std::string text;              ///< pod_result::Text: the termination message
};
KOPIUR_DESCRIBE(pod_report, (), (version, run, attempt, outcome, failure, exit_status, text))

/// The result of a Job: the engine reads its head; the rest is of the program, and only the program's system reads it.
class job_result : public result_head {
 public:
  job_result() = default;
  template <json::described_struct T>
  job_result(T const& typed) : job_result(from_json(json::encode(typed)).value()) {}
  /// The problem names the field of the head that cannot be read.
  static std::expected<job_result, json::problem> from_json(json::value all) {
    auto head = json::decode<result_head>(all);
    if (!head) return std::unexpected(head.error());
    return job_result(std::move(all), std::move(*head));
  }
  json::value const& json_value() const { return all_; }
  /// The result as its program wrote it, read once; nullptr: it is not of that type. Not for several threads.
  template <class T>
  T const* as() const {
    if (!typed_ || *type_ != typeid(T)) {
      auto read = json::decode<T>(all_);
      typed_ = read ? std::make_shared<T const>(std::move(*read)) : nullptr;
      type_ = &typeid(T);
    }
    return static_cast<T const*>(typed_.get());
  }
  bool operator==(job_result const& other) const { return all_ == other.all_; }

 private:
  job_result(json::value all, result_head head) : result_head(std::move(head)), all_(std::move(all)) {}
  json::value all_ = json::encode(result_head{});
  mutable std::shared_ptr<void const> typed_;
  mutable std::type_info const* type_ = nullptr;
};

/// A lease that an action depends on.
struct lease_proof {
  std::string key;
  std::uint64_t fence = 0;
  lease_mode mode = lease_mode::Exclusive;
  bool operator==(lease_proof const&) const = default;
};
KOPIUR_DESCRIBE_NOTED(lease_proof, (), (key, fence, mode))

/// A Job as the gateway mirrors it (resource kind `Job`, name `<run>-<attempt>`).
enum class job_phase { Starting, Running, Finished, Lost };
BOOST_DESCRIBE_ENUM(job_phase, Starting, Running, Finished, Lost)
struct job_status {
  job_phase phase = job_phase::Starting;
  bool pods_gone = false;       ///< proof that nothing of this Job runs any more
  frozen<job_result> result;    ///< set when Finished, if the program left one
  std::string reason, message;  ///< why it waits or was lost
  std::optional<instant> started_at, finished_at;
  std::int64_t row_pages = 0;  ///< number of pages of rows in `answers` under verb `rows`, key `<run>-<attempt>-<n>`
  std::string log_tail;        ///< at most 4 KiB
};
KOPIUR_DESCRIBE(job_status, (), (phase, pods_gone, result, reason, message, started_at, finished_at, row_pages, log_tail))
struct job {
  static constexpr printer_column columns[]{column::phase,
                                            {"Serves", "string", ".serves[0].name"},
                                            {"Started", "date", ".status.startedAt"},
                                            {"Why", "string", ".status.message"}};
  static constexpr kind_info info{.kind = "Job", .plural = "jobs", .singular = "job", .api_version = "batch/v1", .columns = columns};
  std::string run;
  int attempt = 1;
  std::string namespace_, uid;
  std::vector<object_ref> serves;
  std::vector<lease_proof> leases;  ///< that its mover works under: a bus that has lost its data recovers them from here
  job_status status;
};
KOPIUR_DESCRIBE(job, (), (run, attempt, namespace_, uid, serves, leases, status))
/// One page of the rows that a program printed; what a row is belongs to the program.
struct output_page {
  std::vector<json::value> rows;
};
KOPIUR_DESCRIBE(output_page, (), (rows))

}  // namespace kopiur::proto
