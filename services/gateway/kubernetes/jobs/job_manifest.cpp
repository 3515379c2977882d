#include "services/gateway/kubernetes/jobs/job_manifest.hpp"

#include <algorithm>

#include "common/encoding/base64.hpp"
#include "proto/codec.hpp"
#include "proto/core/kubernetes.hpp"
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

value list(std::initializer_list<value> items) { return json::array(items); }

value metadata_of(std::string_view run, std::string_view name, std::string_view ns) {
  return object{{"name", name}, {"namespace", ns}, {"labels", labels_of_job(run)}, {"annotations", object{}}};
}

/// A Job that runs one pod, once.
value job_with(value metadata, object spec, value pod_labels, value pod) {
  spec.emplace_back("template", object{{"metadata", object{{"labels", std::move(pod_labels)}}}, {"spec", std::move(pod)}});
  return object{{"apiVersion", "batch/v1"}, {"kind", "Job"}, {"metadata", std::move(metadata)}, {"spec", std::move(spec)}};
}

}  // namespace

outcome<value> job_manifest(proto::create_job const& command, pod_settings const& settings, surroundings const& there) {
  auto name = job_name(command.run, command.attempt);
  if (!name) return std::unexpected(name.error());
  if (name->size() > longest_label)
    return refuse(answer_code::Invalid, "The name " + *name + " is longer than the 63 characters that a Job's may have.");
  if (auto known = task_text(command, folders_of(command)); !known) return std::unexpected(known.error());
  for (auto const& use : command.secrets)
    if (auto secret_key = secret_key_of(use); !secret_key) return std::unexpected(secret_key.error());
  auto pod = pod_manifest(command, *name, settings, there);
  if (!pod) return pod;

  auto pod_labels = labels_of_job(command.run);
  if (command.pod)
    for (auto const& [label, content] : command.pod->labels) pod_labels.set(label, content);
  auto metadata = metadata_of(command.run, *name, command.namespace_);
  if (target_of(command) && !there.fresh_target) metadata.set("finalizers", list({value(proto::finalizer::mover_result)}));
  auto text = json::write(command);
  auto seal = seal_of(settings.seal_secret, {"Job", command.namespace_, *name}, text);
  metadata.set("annotations", object{{ours("create-job"), std::move(text)}, {ours("seal"), std::move(seal)}});
  return job_with(std::move(metadata),
                  {{"backoffLimit", 0}, {"activeDeadlineSeconds", command.deadline_seconds}, {"podReplacementPolicy", "Failed"}},
                  std::move(pod_labels), std::move(*pod));
}

bool brings_volumes(value const& job) {
  auto* volumes = job.at("spec.template.spec.volumes");
  auto* all = volumes ? volumes->as_array() : nullptr;
  return all && std::ranges::any_of(*all, [](value const& volume) { return volume.find("ephemeral"); });
}

bool is_of_a_mover(value const& object) {
  return object.text("kind") == proto::persistent_volume_claim::info.kind && !label(object, cache_label()).empty();
}

outcome<value> job_secret(proto::create_job const& command, std::string_view job_uid, secret_values const& values) {
  auto name = job_name(command.run, command.attempt);
  if (!name) return std::unexpected(name.error());
  auto task = task_text(command, folders_of(command));
  if (!task) return std::unexpected(task.error());
  auto data = value::make_object();
  if (!task->empty()) data.set(task_file, encoding::base64(*task));
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
  return job_with(
      std::move(metadata),
      {{"completions", 0}, {"parallelism", 0}, {"ttlSecondsAfterFinished", std::chrono::duration_cast<std::chrono::seconds>(kept).count()}},
      labels_of_job(run), idle_pod(settings));
}

}  // namespace kopiur::gateway::kubernetes
