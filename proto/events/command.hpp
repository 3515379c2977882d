#pragma once
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "common/json/value.hpp"
#include "proto/core/job.hpp"
#include "proto/describe.hpp"
#include "proto/kopiur/hooks.hpp"
#include "proto/kopiur/kopia_task.hpp"

/// Commands of the services to the gateway: imperative, idempotent by a deterministic name, each answered once on `answer`. The verb is the
/// alternative's `member` and a token of the subject. decisions.md sections 1, 2, 4, 10.
namespace kopiur::proto {

/// Creates an object. If one exists with the same `G/run` annotation or the same run label, that is success (create-or-prove).
struct create_object {
  static constexpr std::string_view member = "create-object";
  json::value object;
};
KOPIUR_DESCRIBE_NOTED(create_object, (), (object))

/// Creates or replaces spec, labels and annotations, like a user's `apply`; validated like a manifest. Status is ignored.
struct apply_object {
  static constexpr std::string_view member = "apply-object";
  json::value object;
};
KOPIUR_DESCRIBE_NOTED(apply_object, (), (object))

/// Changes metadata of exactly this uid. An absent list means no change; removing what does not exist is success.
struct patch_metadata {
  static constexpr std::string_view member = "patch-metadata";
  object_ref object;
  std::vector<std::string> add_finalizers, remove_finalizers;
  std::map<std::string, std::string> labels, annotations;
  std::vector<std::string> remove_annotations{};
};
KOPIUR_DESCRIBE_NOTED(patch_metadata, (), (object, add_finalizers, remove_finalizers, labels, annotations, remove_annotations))

/// Requests deletion of exactly this uid, after writing `annotations`. With finalizers, only deletionTimestamp is set. Success if it does
/// not exist.
struct delete_object {
  static constexpr std::string_view member = "delete-object";
  object_ref object;  ///< without uid: by name, only for a user's request
  std::map<std::string, std::string> annotations;
};
KOPIUR_DESCRIBE_NOTED(delete_object, (), (object, annotations))

/// Reads an object live from the API server.
struct read_object {
  static constexpr std::string_view member = "read-object";
  object_ref object;
};
KOPIUR_DESCRIBE_NOTED(read_object, (), (object))

/// What a Job runs.
using job_body = std::variant<kopia_task, pod_plan>;
/// The kopia task of a plan or a command. Throws std::bad_variant_access when it runs something else.
template <class T>
auto& kopia_of(T&& holder) {
  return std::get<kopia_task>(holder.body);
}
/// The verb of a plan or a command; nullptr when it is another, or nothing of kopia.
template <class Verb, class T>
auto* verb_in(T&& holder) {
  auto* kopia = std::get_if<kopia_task>(&holder.body);
  return kopia ? std::get_if<Verb>(&kopia->task) : nullptr;
}

/// Starts one attempt of a run as a Job named `<run>-<attempt>`, once. Refused (LeaseLost) when the run no longer holds one of `leases`
/// with that fence.
struct create_job {
  static constexpr std::string_view member = "create-job", inlined = "body";
  std::string run;
  int attempt = 1;
  std::string namespace_;          ///< of the Job
  std::vector<object_ref> serves;  ///< the objects that the run is for
  job_body body;
  std::vector<secret_use> secrets;
  std::vector<volume_use> volumes;
  std::vector<lease_proof> leases;
  std::int64_t deadline_seconds = 172800;
  std::optional<pod_options> pod;
};
KOPIUR_DESCRIBE(create_job, (), (run, attempt, namespace_, serves, body, secrets, volumes, leases, deadline_seconds, pod))

/// Takes the VolumeSnapshots that the Job of a run will read, before the Job exists. Ok: all of them are cut, though maybe not ready to use
/// yet. Removed: the run's Job was removed before. delete-job deletes them.
struct capture_volumes {
  static constexpr std::string_view member = "capture-volumes";
  std::string run, namespace_;
  std::vector<object_ref> serves;  ///< the objects that the run is for
  std::vector<volume_use> volumes;
};
KOPIUR_DESCRIBE(capture_volumes, (), (run, namespace_, serves, volumes))

/// Ends a Job: its mover is stopped, then the Job is removed. A tombstone prevents a second start. Success if it does not exist.
struct delete_job {
  static constexpr std::string_view member = "delete-job";
  std::string run;
  int attempt = 1;
  std::string namespace_;
  std::vector<std::string> copies{};  ///< names of the volumes that were copied for the run; their copies are deleted too
  std::vector<object_ref> grants{};   ///< what was granted to its pods (pod_plan::grants); removed once no pod runs
};
KOPIUR_DESCRIBE(delete_job, (), (run, attempt, namespace_, copies, grants))

/// Deletes a capture with its storage, then removes its label from these claims. Success if it does not exist.
struct delete_capture {
  static constexpr std::string_view member = "delete-capture";
  std::string namespace_, name;
  std::vector<std::string> claims;
};
KOPIUR_DESCRIBE(delete_capture, (), (namespace_, name, claims))

/// Sends one HTTP request for a hook; 2xx is success.
struct call_http {
  static constexpr std::string_view member = "call-http";
  std::string run, namespace_;
  std::string url, method = "POST", body;
  std::vector<hook_header> headers;
  std::int64_t timeout_seconds = 30;
};
KOPIUR_DESCRIBE(call_http, (), (run, namespace_, url, method, body, headers, timeout_seconds))

/// Runs a command for a hook, in the first ready pod that matches the selector. Exit code 0 is success.
struct exec_in_pod {
  static constexpr std::string_view member = "exec-in-pod";
  std::string run, namespace_;
  label_selector pod_selector;
  std::optional<std::string> container;  ///< absent: the pod's first
  std::vector<std::string> command;
  std::int64_t timeout_seconds = 300;  ///< after that the hook counts as failed; the process itself may continue
};
KOPIUR_DESCRIBE(exec_in_pod, (), (run, namespace_, pod_selector, container, command, timeout_seconds))

/// Runs a user's Job for a hook, once, under `name`. Success when it ends as Complete.
struct run_user_job {
  static constexpr std::string_view member = "run-user-job";
  std::string run, namespace_, name;
  json::value job_spec;  ///< batch/v1 JobSpec
  std::int64_t timeout_seconds = 300;
};
KOPIUR_DESCRIBE(run_user_job, (), (run, namespace_, name, job_spec, timeout_seconds))

/// What a hook can be.
using hook_call = std::variant<call_http, exec_in_pod, run_user_job>;

/// Records a Kubernetes Event about an object (local: a log line and the object's event list).
struct record_event {
  static constexpr std::string_view member = "record-event";
  object_ref object;
  std::string type = "Normal", reason, message;
};
KOPIUR_DESCRIBE_NOTED(record_event, (), (object, type, reason, message))

/// A value that the gateway fills in from a system's configuration (controller::configuration), so that no secret is on the bus.
struct configured_value {
  std::string system, name, field;  ///< which entry of it, and which field of that
};
KOPIUR_DESCRIBE(configured_value, (), (system, name, field))

/// Creates a Secret that is controlled by `owner`, or makes it so again. Writes nothing when it is so already. Keys that are neither named
/// nor `absent` stay. NotFound: there is no such owner. AlreadyExists: the Secret of that name is another's, and is left as it is.
struct mint_secret {
  static constexpr std::string_view member = "mint-secret";
  object_ref owner;  ///< with its uid; the Secret is in its namespace
  std::string name;
  std::map<std::string, std::string> labels, values;
  std::map<std::string, configured_value> configured;
  std::vector<std::string> absent;
};
KOPIUR_DESCRIBE(mint_secret, (), (owner, name, labels, values, configured, absent))

/// Deletes a Secret that is controlled by `owner`. Success if there is none, or another's.
struct drop_secret {
  static constexpr std::string_view member = "drop-secret";
  object_ref owner;
  std::string name;
};
KOPIUR_DESCRIBE(drop_secret, (), (owner, name))

/// What the credentials in a Secret are for.
enum class credentials_cloud { Aws, Azure };
BOOST_DESCRIBE_ENUM(credentials_cloud, Aws, Azure)
/// Reads live how the credentials in a Secret are to be used; its values never leave the gateway. The answer's object is a
/// credentials_form. NotFound names the missing Secret or key.
struct look_at_secret {
  static constexpr std::string_view member = "look-at-secret";
  std::string namespace_, name;
  credentials_cloud cloud = credentials_cloud::Aws;
};
KOPIUR_DESCRIBE_NOTED(look_at_secret, (), (namespace_, name, cloud))
enum class credentials_mode {
  File,              ///< a file with keys
  WebIdentity,       ///< Aws: the Secret names a role; a token of the service account proves who asks
  ClientSecret,      ///< Azure: a file with a client's secret
  WorkloadIdentity,  ///< Azure: the Secret names a client; a token of the service account proves who asks
  ManagedIdentity    ///< Azure: a file with a certificate
};
BOOST_DESCRIBE_ENUM(credentials_mode, File, WebIdentity, ClientSecret, WorkloadIdentity, ManagedIdentity)
/// How to use the credentials of a Secret. Nothing in it is secret.
struct credentials_form {
  credentials_mode mode = credentials_mode::File;
  std::string key;                   ///< of the Secret, with the content of the file; empty: no file
  std::string role_ARN;              ///< WebIdentity
  std::string client_id, tenant_id;  ///< WorkloadIdentity
};
KOPIUR_DESCRIBE(credentials_form, (), (mode, key, role_ARN, client_id, tenant_id))

/// Sets one field of an object's status by a live read and one conditional write. Ok without a write when it is so already. Conflict: it is
/// not what was expected; the answer's object is the field as it is. NotFound: no object of that uid.
struct swap_status {
  static constexpr std::string_view member = "swap-status";
  object_ref object;
  std::vector<std::string> path;  ///< of the field, below `status`. `KEY=TEXT` is the item of a list whose KEY has that text
  json::value expect;             ///< what the field must be; null: absent
  std::vector<std::string> by{};  ///< members of the field that alone are compared with `expect`; empty: the whole field is
  bool whatever = false;          ///< it may be anything: `expect` does not count
  json::value set;                ///< null: removes the field
};
KOPIUR_DESCRIBE_NOTED(swap_status, (), (object, path, expect, by, whatever, set))

using gateway_command =
    std::variant<create_object, apply_object, patch_metadata, delete_object, read_object, create_job, capture_volumes, delete_job,
                 delete_capture, call_http, exec_in_pod, run_user_job, record_event, mint_secret, drop_secret, look_at_secret, swap_status>;

enum class answer_code {
  Ok,
  NotFound,
  AlreadyExists,
  Conflict,   ///< changed by another writer in the meantime
  LeaseLost,  ///< create-job: the run does not hold a required lease; nothing was started
  Removed,    ///< create-job: this attempt was removed; it may have acted, so it is not started again. capture-volumes: the same
  Invalid,
  Forbidden,
  TooManyRequests,
  Ambiguous,
  Unavailable
};
BOOST_DESCRIBE_ENUM(answer_code, Ok, NotFound, AlreadyExists, Conflict, LeaseLost, Removed, Invalid, Forbidden, TooManyRequests, Ambiguous,
                    Unavailable)

/// The result of a command.
struct answer {
  answer_code code = answer_code::Ok;
  std::string message;  ///< a sentence unless the code is Ok
  std::string uid, resource_version;
  std::optional<json::value> object;  ///< read-object: the object, without a Secret's values
};
KOPIUR_DESCRIBE_NOTED(answer, (), (code, message, uid, resource_version, object))

}  // namespace kopiur::proto
