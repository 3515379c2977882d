#include "services/gateway/kubernetes/jobs/job_manifest.hpp"

#include <algorithm>

#include "common/encoding/base64.hpp"
#include "proto/codec.hpp"
#include "proto/core/kubernetes.hpp"
#include "proto/kopiur/backup_config.hpp"
#include "proto/kopiur/names.hpp"
#include "services/gateway/core/jobs.hpp"
#include "services/gateway/core/seal.hpp"
#include "services/gateway/kubernetes/volumes/claim_in_use.hpp"

namespace kopiur::gateway::kubernetes {

using json::object;
using json::value;
using proto::answer_code;

namespace {

constexpr std::size_t longest_label = 63;
constexpr std::int64_t nobody = 65532, grace_seconds = 30;  // kopia gets 20 of them to finish its uploads
/// Size of a cache volume when none is specified: kopia's default limit.
constexpr std::string_view usual_cache = "10Gi";
constexpr std::string_view work_file = "work.json", job_folder = "/kopiur/job", volumes_folder = "/volumes", cache_folder = "/cache";

std::string of_a_mover() { return ours("mover-volume"); }
value list(std::initializer_list<value> items) { return json::array(items); }
value empty_folder(std::string_view name, object extra = {}) { return object{{"name", name}, {"emptyDir", std::move(extra)}}; }
value mounted(std::string_view name, std::string path, bool read_only = false) {
  return object{{"name", name}, {"mountPath", std::move(path)}, {"readOnly", read_only}};
}

/// Hardened as the `restricted` standard requires, with the user's options merged over it.
value security_of_pod(proto::mover_options const& options, bool has_volumes_of_its_own) {
  value out =
      object{{"runAsNonRoot", true}, {"runAsUser", nobody}, {"runAsGroup", nobody}, {"seccompProfile", object{{"type", "RuntimeDefault"}}}};
  if (has_volumes_of_its_own) out.set("fsGroup", nobody), out.set("fsGroupChangePolicy", "OnRootMismatch");
  if (options.pod_security_context) json::merge(out, *options.pod_security_context);
  return out;
}
value security_of_container(proto::mover_options const& options) {
  value out =
      object{{"allowPrivilegeEscalation", false}, {"readOnlyRootFilesystem", true}, {"capabilities", object{{"drop", list({"ALL"})}}}};
  if (options.privileged_mode)
    out = object{{"privileged", true}, {"runAsNonRoot", false}, {"runAsUser", 0}, {"runAsGroup", 0}, {"readOnlyRootFilesystem", true}};
  if (options.security_context) json::merge(out, *options.security_context);
  return out;
}

/// A fresh volume belongs to root; other users get access by its group, which the kubelet sets on all volumes of the pod. So only for a
/// repository, or a volume that was created for a restore; never for data of users.
bool may_take_over_volumes(proto::create_job const& command, surroundings const& there) {
  if (std::holds_alternative<proto::snapshot_work>(command.work.task)) return false;
  return !std::holds_alternative<proto::restore_work>(command.work.task) || there.fresh_target;
}

/// Where kopia's cache is stored.
enum class cache_location {
  node,            ///< in the pod's own storage
  volume,          ///< on a volume of a class: the mover can write there anyway
  volume_by_group  ///< the same, but the pod needs a group for it; the source is mounted read-only, so the kubelet does not change it
};

/// A volume of a class is deleted with its pod. If the group that gives the mover access would also apply to data of users, the cache stays
/// on the node.
cache_location location_of_cache(proto::create_job const& command, proto::mover_options const& options, bool takes_over_volumes) {
  if (!options.cache || !options.cache->storage_class_name) return cache_location::node;
  auto says = [](std::optional<value> const& context, char const* what) { return context ? context->find(what) : nullptr; };
  auto* user = says(options.security_context, "runAsUser");
  if (!user) user = says(options.pod_security_context, "runAsUser");
  bool root = options.privileged_mode || (user && *user == value(0));
  if (takes_over_volumes || root || says(options.pod_security_context, "fsGroup")) return cache_location::volume;
  bool only_reads = std::holds_alternative<proto::snapshot_work>(command.work.task);
  return only_reads ? cache_location::volume_by_group : cache_location::node;
}

value environment_of(proto::create_job const& command) {
  value out = list({object{{"name", "KOPIUR_CONTAINED"}, {"value", "1"}}, object{{"name", "HOME"}, {"value", "/tmp"}},
                    object{{"name", "XDG_RUNTIME_DIR"}, {"value", "/run/kopiur"}}});
  for (auto const& use : command.secrets) {
    auto secret_key = secret_key_of(use);
    if (!use.env || !secret_key) continue;
    value from = object{{"name", job_name(command.run, command.attempt).value_or("")}, {"key", *secret_key}, {"optional", use.optional}};
    out.push(object{{"name", *use.env}, {"valueFrom", object{{"secretKeyRef", std::move(from)}}}});
  }
  return out;
}

value labels_of(std::string_view run) {
  return object{{ours("run"), run}, {"app.kubernetes.io/name", "kopiur-mover"}, {"app.kubernetes.io/managed-by", "kopiur"}};
}

value cache_volume(proto::create_job const& command, proto::mover_options const& options, cache_location location) {
  auto size = options.cache ? options.cache->capacity : std::nullopt;
  if (location == cache_location::node) return empty_folder("cache", size ? object{{"sizeLimit", *size}} : object{});
  auto labels = labels_of(command.run);
  labels.set(of_a_mover(), "cache");
  value wish = object{{"accessModes", list({"ReadWriteOnce"})},
                      {"storageClassName", *options.cache->storage_class_name},
                      {"resources", object{{"requests", object{{"storage", size.value_or(std::string(usual_cache))}}}}}};
  value claim = object{{"metadata", object{{"labels", std::move(labels)}}}, {"spec", std::move(wish)}};
  return object{{"name", "cache"}, {"ephemeral", object{{"volumeClaimTemplate", std::move(claim)}}}};
}

/// In addition to the claims: a writable folder contains all their mount points (kopia removes a file next to a restore's target), and a
/// folder in memory contains the repository's keys.
void add_folders(value& volumes, value& mounts, std::string_view job, value cache) {
  volumes = list({object{{"name", "job"}, {"secret", object{{"secretName", job}}}}, empty_folder("run", {{"medium", "Memory"}}),
                  empty_folder("tmp"), empty_folder("volumes"), std::move(cache)});
  mounts = list({mounted("job", std::string(job_folder), true), mounted("run", "/run/kopiur"), mounted("tmp", "/tmp"),
                 mounted("volumes", std::string(volumes_folder)), mounted("cache", std::string(cache_folder))});
}

outcome<value> source_of(proto::create_job const& command, proto::volume_use const& use, cache_location cache) {
  if (use.nfs) return object{{"nfs", object{{"server", use.nfs->server}, {"path", use.nfs->path}, {"readOnly", use.read_only}}}};
  if (use.claim_name.empty())
    return refuse(answer_code::Invalid, "The folder " + use.host_path + " of the host is not available in a cluster: use a claim.");
  if (!use.claim_namespace.empty() && use.claim_namespace != command.namespace_)
    return refuse(answer_code::Invalid, "The claim " + use.claim_namespace + "/" + use.claim_name + " cannot be mounted by a Job in " +
                                            command.namespace_ + ": they have to be in one namespace.");
  value claim = object{{"claimName", use.claim_name}};
  if (use.read_only && cache == cache_location::volume_by_group) claim.set("readOnly", true);
  return object{{"persistentVolumeClaim", std::move(claim)}};
}

outcome<void> add_volume(value& volumes, value& mounts, proto::create_job const& command, proto::volume_use const& use,
                         cache_location cache) {
  auto volume = source_of(command, use, cache);
  if (!volume) return std::unexpected(volume.error());
  auto name = "claim-" + use.name;
  volume->set("name", name);
  volumes.push(std::move(*volume));
  mounts.push(mounted(name, std::string(volumes_folder) + "/" + use.name, use.read_only));
  return {};
}

/// The account by which the storage authenticates the pod. The clouds inject their parts into a pod that runs as this account.
std::optional<std::string> account_of(proto::create_job const& command) {
  return std::visit(
      [](auto const& one) -> std::optional<std::string> {
        if constexpr (requires { one.auth; })
          if (one.auth && one.auth->workload_identity) return one.auth->workload_identity->service_account_name;
        return {};
      },
      command.work.repository.backend);
}

value metadata_of(std::string_view run, std::string_view name, std::string_view ns) {
  return object{{"name", name}, {"namespace", ns}, {"labels", labels_of(run)}, {"annotations", object{}}};
}

std::map<std::string, std::string> folders_of(proto::create_job const& command) {
  std::map<std::string, std::string> folders{{"cache", std::string(cache_folder)}};
  bool files = std::ranges::any_of(command.secrets, [](auto const& use) { return use.file.has_value(); });
  folders["secrets"] = files ? job_folder : "";
  for (auto const& use : command.volumes) folders[use.name] = std::string(volumes_folder) + "/" + use.name;
  return folders;
}

proto::mover_options options_of(proto::create_job const& command) {
  if (command.pod.is_null()) return {};
  return json::decode<proto::mover_options>(command.pod).value_or(proto::mover_options{});
}

}  // namespace

outcome<value> job_manifest(proto::create_job const& command, pod_settings const& settings, surroundings const& there) {
  auto name = job_name(command.run, command.attempt);
  if (!name) return std::unexpected(name.error());
  if (name->size() > longest_label)
    return refuse(answer_code::Invalid, "The name " + *name + " is longer than the 63 characters that a Job's may have.");
  if (auto known = with_paths(command.work, folders_of(command)); !known) return std::unexpected(known.error());
  for (auto const& use : command.secrets)
    if (auto secret_key = secret_key_of(use); !secret_key) return std::unexpected(secret_key.error());
  auto options = options_of(command);
  bool takes_over_volumes = may_take_over_volumes(command, there);
  auto cache = location_of_cache(command, options, takes_over_volumes);
  value volumes, mounts;
  add_folders(volumes, mounts, *name, cache_volume(command, options, cache));
  for (auto const& use : command.volumes)
    if (auto added = add_volume(volumes, mounts, command, use, cache); !added) return std::unexpected(added.error());

  value container = object{{"name", "mover"},
                           {"image", settings.image},
                           {"imagePullPolicy", settings.pull_policy},
                           {"command", list({"/usr/bin/kopiur-mover"})},
                           {"args", list({std::string(job_folder) + "/" + std::string(work_file)})},
                           {"env", environment_of(command)},
                           {"securityContext", security_of_container(options)},
                           {"volumeMounts", std::move(mounts)},
                           {"terminationMessagePath", "/dev/termination-log"}};
  if (options.resources) container.set("resources", *options.resources);
  value pod = object{{"restartPolicy", "Never"},
                     {"automountServiceAccountToken", false},
                     {"enableServiceLinks", false},
                     {"terminationGracePeriodSeconds", grace_seconds},
                     {"securityContext", security_of_pod(options, takes_over_volumes || cache == cache_location::volume_by_group)},
                     {"containers", list({std::move(container)})},
                     {"volumes", std::move(volumes)}};
  if (!there.placement.nodes.empty()) pod.set("affinity", affinity_to(there.placement.nodes));
  if (!there.placement.tolerations.empty()) pod.set("tolerations", there.placement.tolerations);
  auto pod_labels = labels_of(command.run);
  if (auto account = account_of(command)) {
    pod.set("serviceAccountName", *account);
    if (std::holds_alternative<proto::azure_backend>(command.work.repository.backend))
      pod_labels.set("azure.workload.identity/use", "true");
  }
  auto metadata = metadata_of(command.run, *name, command.namespace_);
  if (target_of(command) && !there.fresh_target) metadata.set("finalizers", list({value(proto::finalizer::mover_result)}));
  auto text = json::write(command);
  auto seal = seal_of(settings.seal_secret, {"Job", command.namespace_, *name}, text);
  metadata.set("annotations", object{{ours("create-job"), std::move(text)}, {ours("seal"), std::move(seal)}});
  return object{{"apiVersion", "batch/v1"},
                {"kind", "Job"},
                {"metadata", std::move(metadata)},
                {"spec", object{{"backoffLimit", 0},
                                {"activeDeadlineSeconds", command.deadline_seconds},
                                {"podReplacementPolicy", "Failed"},
                                {"template", object{{"metadata", object{{"labels", std::move(pod_labels)}}}, {"spec", std::move(pod)}}}}}};
}

bool brings_volumes(value const& job) {
  auto* volumes = job.at("spec.template.spec.volumes");
  auto* all = volumes ? volumes->as_array() : nullptr;
  return all && std::ranges::any_of(*all, [](value const& volume) { return volume.find("ephemeral"); });
}

bool is_of_a_mover(value const& object) {
  return object.text("kind") == proto::persistent_volume_claim::info.kind && !label(object, of_a_mover()).empty();
}

outcome<std::string> secret_key_of(proto::secret_use const& use) {
  auto plain = [](std::string const& name) {
    return !name.empty() && name.size() < 200 && name != work_file &&
           std::ranges::all_of(
               name, [](unsigned char c) { return std::isalnum(c) || c == '-' || c == '_' || c == '.'; }) &&
           !name.starts_with(".");
  };
  if (use.env && !use.file && plain(*use.env)) return "env." + *use.env;
  if (use.file && !use.env && plain(*use.file) && !use.file->starts_with("env.")) return *use.file;
  return refuse(answer_code::Invalid,
                "The key " + use.key + " of Secret " + use.secret_name + " has to go either to a variable or to a file of a plain name.");
}

outcome<value> job_secret(proto::create_job const& command, std::string_view job_uid, secret_values const& values) {
  auto name = job_name(command.run, command.attempt);
  if (!name) return std::unexpected(name.error());
  auto work = with_paths(command.work, folders_of(command));
  if (!work) return std::unexpected(work.error());
  auto data = value::make_object();
  data.set(work_file, encoding::base64(json::pretty(json::encode(*work))));
  for (auto const& [secret_key, content] : values) data.set(secret_key, encoding::base64(content));
  auto metadata = metadata_of(command.run, *name, command.namespace_);
  metadata.set("ownerReferences", list({object{{"apiVersion", "batch/v1"}, {"kind", "Job"}, {"name", *name}, {"uid", job_uid}}}));
  return object{{"apiVersion", "v1"}, {"kind", proto::secret::info.kind}, {"metadata", std::move(metadata)}, {"immutable", true},
                {"type", "Opaque"},   {"data", std::move(data)}};
}

std::optional<proto::create_job> command_of(value const& job, std::string_view seal_secret) {
  auto text = annotation(job, ours("create-job"));
  if (text.empty() || !is_sealed(annotation(job, ours("seal")), seal_secret, key_of(job), text)) return std::nullopt;
  auto read = json::read<proto::create_job>(text);
  return read ? std::optional(std::move(*read)) : std::nullopt;
}

bool is_held(value const& job) {
  auto* all = job.at("metadata.finalizers");
  auto ours = [](value const& each) { return each.as_string() && *each.as_string() == proto::finalizer::mover_result; };
  return all && all->as_array() && std::ranges::any_of(*all->as_array(), ours);
}

std::string_view removed_at(value const& job) { return annotation(job, ours("removed-at")); }

value removal(value const& job, bool end_it, instant now, duration kept) {
  auto seconds = std::chrono::duration_cast<std::chrono::seconds>(kept).count();
  value metadata = object{{"uid", uid_of(job)}, {"resourceVersion", version_of(job)}};
  metadata.set("annotations", object{{ours("removed-at"), to_text(now)}});
  value spec = object{{"ttlSecondsAfterFinished", seconds}};
  // Only a deadline ends a Job permanently, and lets its pod terminate gracefully.
  if (end_it) spec.set("activeDeadlineSeconds", 1);
  return object{{"metadata", std::move(metadata)}, {"spec", std::move(spec)}};
}

value tombstone(std::string_view run, std::string_view name, std::string_view ns, pod_settings const& settings, instant now,
                duration kept) {
  auto metadata = metadata_of(run, name, ns);
  metadata.find("annotations")->set(ours("removed-at"), to_text(now));
  value little = object{{"cpu", "10m"}, {"memory", "16Mi"}};
  value container = object{{"name", "mover"},
                           {"image", settings.image},
                           {"securityContext", security_of_container({})},
                           {"resources", object{{"requests", little}, {"limits", little}}}};
  value pod = object{{"restartPolicy", "Never"},
                     {"automountServiceAccountToken", false},
                     {"securityContext", security_of_pod({}, false)},
                     {"containers", list({std::move(container)})}};
  return object{{"apiVersion", "batch/v1"},
                {"kind", "Job"},
                {"metadata", std::move(metadata)},
                {"spec", object{{"completions", 0},
                                {"parallelism", 0},
                                {"ttlSecondsAfterFinished", std::chrono::duration_cast<std::chrono::seconds>(kept).count()},
                                {"template", object{{"metadata", object{{"labels", labels_of(run)}}}, {"spec", std::move(pod)}}}}}};
}

}  // namespace kopiur::gateway::kubernetes
