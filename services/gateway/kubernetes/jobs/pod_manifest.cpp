#include "services/gateway/kubernetes/jobs/pod_manifest.hpp"

#include <algorithm>
#include <set>

#include "proto/codec.hpp"
#include "services/gateway/core/names.hpp"

namespace kopiur::gateway::kubernetes {

using json::object;
using json::value;
using proto::answer_code;

namespace {

constexpr std::int64_t grace_seconds = 30;  // kopia gets 20 of them to finish its uploads
/// Size of a cache volume when none is specified: kopia's default limit.
constexpr std::string_view usual_cache = "10Gi";
constexpr std::string_view job_folder = "/kopiur/job", volumes_folder = "/volumes", cache_folder = "/cache";
constexpr std::string_view mover = "mover";

value list(std::initializer_list<value> items) { return json::array(items); }
value mounted(std::string_view name, std::string path, bool read_only = false) {
  return object{{"name", name}, {"mountPath", std::move(path)}, {"readOnly", read_only}};
}

value security_of_pod(proto::pod_options const& options, bool owns_volumes) {
  value out = object{{"runAsNonRoot", true},
                     {"runAsUser", options.user},
                     {"runAsGroup", options.group},
                     {"seccompProfile", object{{"type", "RuntimeDefault"}}}};
  if (owns_volumes) out.set("fsGroup", options.group), out.set("fsGroupChangePolicy", "OnRootMismatch");
  if (options.pod_security_context) json::merge(out, *options.pod_security_context);
  return out;
}
value security_of_container(proto::pod_options const& options) {
  value out =
      object{{"allowPrivilegeEscalation", false}, {"readOnlyRootFilesystem", true}, {"capabilities", object{{"drop", list({"ALL"})}}}};
  if (options.privileged_mode)
    out = object{{"privileged", true}, {"runAsNonRoot", false}, {"runAsUser", 0}, {"runAsGroup", 0}, {"readOnlyRootFilesystem", true}};
  if (options.security_context) json::merge(out, *options.security_context);
  return out;
}

/// Where the cache is stored.
enum class cache_location {
  node,            ///< in the pod's own storage
  volume,          ///< on a volume of a class: the pod can write there anyway
  volume_by_group  ///< the same, but the pod needs a group for it; claims of users are mounted read-only, so the kubelet does not change
                   ///< them
};

/// If the group that gives the pod access to its cache would also apply to data of users, the cache stays on the node.
cache_location location_of_cache(proto::pod_options const& options, bool owns_volumes) {
  if (!options.cache || !options.cache->storage_class_name) return cache_location::node;
  auto says = [](std::optional<value> const& context, char const* what) { return context ? context->find(what) : nullptr; };
  auto* user = says(options.security_context, "runAsUser");
  if (!user) user = says(options.pod_security_context, "runAsUser");
  bool root = options.privileged_mode || (user && *user == value(0));
  if (owns_volumes || root || says(options.pod_security_context, "fsGroup")) return cache_location::volume;
  return options.volumes == proto::volume_group::CacheAlone ? cache_location::volume_by_group : cache_location::node;
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

/// The volumes of a pod, and where its containers see them.
struct storage {
  value volumes = value::make_array(), mounts = value::make_array();

  void add(std::string_view name, object source, std::string path, bool read_only = false) {
    value volume = object{{"name", name}};
    for (auto& [member, content] : source) volume.set(member, std::move(content));
    volumes.push(std::move(volume));
    mounts.push(mounted(name, std::move(path), read_only));
  }
  void add_folder(std::string_view name, std::string path, object options = {}) {
    add(name, {{"emptyDir", std::move(options)}}, std::move(path));
  }
};

void add_cache(storage& all, proto::create_job const& command, proto::pod_options const& options, cache_location location) {
  if (!options.cache) return;
  auto& size = options.cache->capacity;
  if (location == cache_location::node)
    return all.add_folder("cache", std::string(cache_folder), size ? object{{"sizeLimit", *size}} : object{});
  auto labels = labels_of_job(command.run);
  labels.set(cache_label(), "cache");
  value wish = object{{"accessModes", list({"ReadWriteOnce"})},
                      {"storageClassName", *options.cache->storage_class_name},
                      {"resources", object{{"requests", object{{"storage", size.value_or(std::string(usual_cache))}}}}}};
  value claim = object{{"metadata", object{{"labels", std::move(labels)}}}, {"spec", std::move(wish)}};
  all.add("cache", {{"ephemeral", object{{"volumeClaimTemplate", std::move(claim)}}}}, std::string(cache_folder));
}

/// A writable folder contains all mount points of claims (kopia removes a file next to a restore's target), and a folder in memory the
/// repository's keys.
outcome<storage> storage_of(proto::create_job const& command, std::string const& job, proto::pod_options const& options,
                            cache_location cache) {
  storage all;
  all.add("job", {{"secret", object{{"secretName", job}}}}, std::string(job_folder), true);
  all.add_folder("run", "/run/kopiur", {{"medium", "Memory"}});
  all.add_folder("tmp", "/tmp");
  all.add_folder("volumes", std::string(volumes_folder));
  add_cache(all, command, options, cache);
  for (auto const& use : command.volumes) {
    auto source = source_of(command, use, cache);
    if (!source) return std::unexpected(source.error());
    all.add("claim-" + use.name, *source->as_object(), std::string(volumes_folder) + "/" + use.name, use.read_only);
  }
  return all;
}

/// The token is in a folder of its own, because a mount hides what else its folder contains.
/// What a client of the API server needs besides the token, under the names that clients expect.
void add_api_server(value& sources) {
  value certificate = object{{"name", "kube-root-ca.crt"}, {"items", list({object{{"key", "ca.crt"}, {"path", "ca.crt"}}})}};
  value own = object{{"path", "namespace"}, {"fieldRef", object{{"apiVersion", "v1"}, {"fieldPath", "metadata.namespace"}}}};
  sources.push(object{{"configMap", std::move(certificate)}});
  sources.push(object{{"downwardAPI", object{{"items", list({std::move(own)})}}}});
}

std::string token_volume(std::size_t index) { return "token-" + std::to_string(index); }

void add_tokens(storage& all, std::vector<proto::pod_token> const& tokens) {
  for (std::size_t index = 0; auto const& each : tokens) {
    auto slash = each.path.rfind('/');
    value token = object{{"path", each.path.substr(slash + 1)}, {"expirationSeconds", each.expiration_seconds}};
    if (each.audience) token.set("audience", *each.audience);
    auto sources = list({object{{"serviceAccountToken", std::move(token)}}});
    if (!each.audience) add_api_server(sources);
    all.add(token_volume(index++), {{"projected", object{{"sources", std::move(sources)}}}}, each.path.substr(0, slash), true);
  }
}

void add_folders(storage& all, std::vector<proto::pod_folder> const& folders) {
  for (auto const& each : folders) {
    object options;
    if (each.in_memory) options.emplace_back("medium", "Memory");
    if (each.size_limit) options.emplace_back("sizeLimit", *each.size_limit);
    all.add_folder("folder-" + each.name, each.path, std::move(options));
  }
}

void add_secrets(value& environment, proto::create_job const& command, std::string const& job) {
  for (auto const& use : command.secrets) {
    auto secret_key = secret_key_of(use);
    if (!use.env || !secret_key) continue;
    value from = object{{"name", job}, {"key", *secret_key}, {"optional", use.optional}};
    environment.push(object{{"name", *use.env}, {"valueFrom", object{{"secretKeyRef", std::move(from)}}}});
  }
}

/// What the containers of one pod have in common.
struct pod_frame {
  proto::create_job const& command;
  std::string const& job;
  pod_settings const& settings;
  proto::pod_options options;
  storage parts;

  surroundings const& there;

  value container(std::string_view name, std::string_view image, value command_line, value arguments, value environment,
                  std::set<std::string> const& hidden = {}) const {
    if (!hidden.contains("job")) add_secrets(environment, command, job);
    auto mounts = value::make_array();
    for (auto const& each : *parts.mounts.as_array())
      if (!hidden.contains(std::string(each.text("name")))) mounts.push(each);
    return object{{"name", name},
                  {"image", image},
                  {"imagePullPolicy", settings.pull_policy},
                  {"command", std::move(command_line)},
                  {"args", std::move(arguments)},
                  {"env", std::move(environment)},
                  {"securityContext", security_of_container(options)},
                  {"volumeMounts", std::move(mounts)},
                  {"terminationMessagePath", "/dev/termination-log"}};
  }
};

value texts(std::vector<std::string> const& items) {
  auto all = value::make_array();
  for (auto const& each : items) all.push(each);
  return all;
}

/// The image of a container: that of a workload, or the configured one of its role.
outcome<std::string> image_for(pod_frame const& frame, proto::pod_container const& one) {
  auto& known = one.image_of ? frame.there.images : frame.settings.images;
  auto image = known.find(one.image_of ? one.name : one.image);
  if (image != known.end()) return image->second;
  if (one.image_of) return refuse(answer_code::Invalid, "The image of the container " + one.name + " is not known.");
  return refuse(answer_code::Invalid, "No image is configured for \"" + one.image + "\": name it in the gateway's KOPIUR_IMAGES.");
}

/// The volumes of the pod that this container does not get.
std::set<std::string> hidden_from(proto::pod_container const& one, proto::pod_plan const& plan) {
  std::set<std::string> hidden;
  if (one.without_secrets) hidden.insert("job");
  for (std::size_t index = 0; auto const& token : plan.tokens) {
    bool is_for_it = token.containers.empty() || std::ranges::find(token.containers, one.name) != token.containers.end();
    if (!is_for_it) hidden.insert(token_volume(index));
    ++index;
  }
  return hidden;
}

outcome<value> plain_container(pod_frame const& frame, proto::pod_container const& one, proto::pod_plan const& plan) {
  auto image = image_for(frame, one);
  if (!image) return std::unexpected(image.error());
  auto environment = list({object{{"name", "HOME"}, {"value", "/tmp"}}});
  for (auto const& [name, content] : one.env) environment.push(object{{"name", name}, {"value", content}});
  for (auto const& [name, path] : one.pod_fields) {
    value field = object{{"fieldRef", object{{"apiVersion", "v1"}, {"fieldPath", path}}}};
    environment.push(object{{"name", name}, {"valueFrom", std::move(field)}});
  }
  auto made = frame.container(one.name, *image, texts(one.command), texts(one.args), std::move(environment), hidden_from(one, plan));
  if (one.resources) made.set("resources", *one.resources);
  if (one.image_of) made.set("terminationMessagePolicy", "FallbackToLogsOnError");  // it knows nothing of our contract
  return made;
}

value mover_container(pod_frame const& frame) {
  value environment = list({object{{"name", "KOPIUR_CONTAINED"}, {"value", "1"}}, object{{"name", "HOME"}, {"value", "/tmp"}},
                            object{{"name", "XDG_RUNTIME_DIR"}, {"value", "/run/kopiur"}}});
  auto made = frame.container(mover, frame.settings.image, list({"/usr/bin/kopiur-mover"}),
                              list({std::string(job_folder) + "/" + std::string(task_file)}), std::move(environment));
  auto& resources = frame.options.resources ? frame.options.resources : frame.settings.mover_resources;
  if (resources) made.set("resources", *resources);
  return made;
}

struct containers {
  value init = value::make_array(), main = value::make_array();
};
outcome<containers> containers_of(pod_frame& frame) {
  containers all;
  auto* plan = std::get_if<proto::pod_plan>(&frame.command.body);
  if (!plan) {
    all.main.push(mover_container(frame));
    return all;
  }
  add_folders(frame.parts, plan->folders);
  add_tokens(frame.parts, plan->tokens);
  for (auto const& each : plan->init) {
    auto made = plain_container(frame, each, *plan);
    if (!made) return std::unexpected(made.error());
    all.init.push(std::move(*made));
  }
  auto main = plain_container(frame, plan->main, *plan);
  if (!main) return std::unexpected(main.error());
  all.main.push(std::move(*main));
  return all;
}

}  // namespace

outcome<value> pod_manifest(proto::create_job const& command, std::string const& job, pod_settings const& settings,
                            surroundings const& there) {
  auto options = command.pod.value_or(proto::pod_options{});
  bool owns_volumes =
      options.volumes == proto::volume_group::Always || (options.volumes == proto::volume_group::IfFresh && there.fresh_target);
  auto cache = location_of_cache(options, owns_volumes);
  auto parts = storage_of(command, job, options, cache);
  if (!parts) return std::unexpected(parts.error());
  pod_frame frame{command, job, settings, options, std::move(*parts), there};
  auto containers = containers_of(frame);
  if (!containers) return std::unexpected(containers.error());

  value pod = object{{"restartPolicy", "Never"},
                     {"automountServiceAccountToken", false},
                     {"enableServiceLinks", false},
                     {"terminationGracePeriodSeconds", grace_seconds},
                     {"securityContext", security_of_pod(options, owns_volumes || cache == cache_location::volume_by_group)}};
  if (!containers->init.as_array()->empty()) pod.set("initContainers", std::move(containers->init));
  pod.set("containers", std::move(containers->main));
  pod.set("volumes", std::move(frame.parts.volumes));
  if (!there.placement.nodes.empty()) pod.set("affinity", affinity_to(there.placement.nodes));
  if (!there.placement.tolerations.empty()) pod.set("tolerations", there.placement.tolerations);
  if (options.service_account) pod.set("serviceAccountName", *options.service_account);
  return pod;
}

value idle_pod(pod_settings const& settings) {
  value little = object{{"cpu", "10m"}, {"memory", "16Mi"}};
  value container = object{{"name", mover},
                           {"image", settings.image},
                           {"securityContext", security_of_container({})},
                           {"resources", object{{"requests", little}, {"limits", little}}}};
  return object{{"restartPolicy", "Never"},
                {"automountServiceAccountToken", false},
                {"securityContext", security_of_pod({}, false)},
                {"containers", list({std::move(container)})}};
}

value labels_of_job(std::string_view run) {
  return object{{ours("run"), run}, {"app.kubernetes.io/name", "kopiur-mover"}, {"app.kubernetes.io/managed-by", "kopiur"}};
}

std::string cache_label() { return ours("mover-volume"); }

std::map<std::string, std::string> folders_of(proto::create_job const& command) {
  std::map<std::string, std::string> folders{{"cache", std::string(cache_folder)}};
  bool files = std::ranges::any_of(command.secrets, [](auto const& use) { return use.file.has_value(); });
  folders["secrets"] = files ? job_folder : "";
  for (auto const& use : command.volumes) folders[use.name] = std::string(volumes_folder) + "/" + use.name;
  return folders;
}

std::string_view main_container(proto::create_job const& command) {
  auto* plan = std::get_if<proto::pod_plan>(&command.body);
  return plan ? std::string_view(plan->main.name) : mover;
}

outcome<std::string> secret_key_of(proto::secret_use const& use) {
  auto plain = [](std::string const& name) {
    return !name.empty() && name.size() < 200 && name != task_file &&
           std::ranges::all_of(
               name, [](unsigned char c) { return std::isalnum(c) || c == '-' || c == '_' || c == '.'; }) &&
           !name.starts_with(".");
  };
  if (use.env && !use.file && plain(*use.env)) return "env." + *use.env;
  if (use.file && !use.env && plain(*use.file) && !use.file->starts_with("env.")) return *use.file;
  return refuse(answer_code::Invalid,
                "The key " + use.key + " of Secret " + use.secret_name + " has to go either to a variable or to a file of a plain name.");
}

}  // namespace kopiur::gateway::kubernetes
