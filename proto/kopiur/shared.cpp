#include "proto/kopiur/shared.hpp"

#include "proto/kopiur/longest.hpp"
#include "proto/kopiur/rules.hpp"

/// Schema notes for shared.hpp.
namespace kopiur::proto {

schema::type_notes notes_of(std::type_identity<repository_ref>) {
  return {
      .text = "Reference to a repository.",
      .fields = {{"kind", "Repository (of this namespace) or ClusterRepository."},
                 {"name", "Name of the repository object.", schema::object_name},
                 {"namespace", "Allowed only with kind Repository, and must be this object's own namespace.", schema::namespace_name}},
      .rules = {{.cel = "!has(self.__namespace__) || self.kind == 'Repository'",
                 .message = "A ClusterRepository has no namespace.",
                 .hint = "Remove namespace, or refer to a Repository.",
                 .field = "namespace",
                 .holds = [](json::value const& self) { return !schema::has(self, "namespace") || self.text("kind") == "Repository"; }}}};
}

schema::type_notes notes_of(std::type_identity<resolved_repository>) {
  return {.text = "The repository that the reference resolved to.",
          .fields = {{"kind", "Repository or ClusterRepository."},
                     {"name", "Name of the repository object."},
                     {"namespace", "Its namespace; absent for a ClusterRepository."},
                     {"uniqueID",
                      "Kopia's own id of the repository. It identifies the snapshots even if the repository object is created again."}}};
}

constexpr std::string_view pod_start_text =
    "Seconds after which an attempt fails if its pod reports that it cannot start (image, scheduling, volume). Default: the operator's "
    "setting, else 300.";

schema::type_notes notes_of(std::type_identity<failure_policy>) {
  return {.text = "Retries and deadlines.",
          .fields = {{"backoffLimit", "Number of further attempts after a failed one, with growing pauses.", {.min = 0, .max = 20}},
                     {"activeDeadlineSeconds", "Deadline of all attempts together, in seconds.", schema::seconds(1, longest::deadline)},
                     {"podStartDeadlineSeconds", pod_start_text, schema::seconds(1, longest::pod_start)}}};
}

schema::type_notes notes_of(std::type_identity<backup_failure_policy>) {
  return {
      .text = "Retries and deadlines of a Backup. What a Backup does not set is taken from its BackupConfig.",
      .fields = {{"backoffLimit", "Number of further attempts after a failed one, with growing pauses. Default: 2.", {.min = 0, .max = 20}},
                 {"activeDeadlineSeconds", "Deadline of all attempts together, in seconds. Default: 172800.",
                  schema::seconds(1, longest::deadline)},
                 {"preconditionDeadlineSeconds",
                  "Seconds after which a Backup fails if something that it needs is missing: its claim, a Secret, the BackupConfig or its "
                  "source, a usable repository. Default: 900. Time in which kopiur, its bus or the API server was down does not count. A "
                  "wait for a free slot or lease is not limited.",
                  schema::seconds(1, longest::precondition)},
                 {"podStartDeadlineSeconds", pod_start_text, schema::seconds(1, longest::pod_start)}}};
}

schema::type_notes notes_of(std::type_identity<cache_options>) {
  return {
      .text = "Kopia's cache. What is not set is taken from the repository's cacheDefaults.",
      .fields = {{"capacity",
                  "Maximum size of the cache, for example 8Gi. kopia uses half of it for contents and three tenths for metadata, unless "
                  "metadataCacheSizeMB and contentCacheSizeMB are set.",
                  schema::quantity},
                 {"storageClassName",
                  "In a cluster: StorageClass of the cache's volume. The volume is created for each mover and deleted with it; its size is "
                  "10Gi without a capacity. Not set: the cache is on the node. A restore into an existing claim uses the node, unless its "
                  "mover runs as root or with an fsGroup. Otherwise the cache's group would be set on the files of that claim.",
                  schema::object_name},
                 {"metadataCacheSizeMB", "Maximum size of kopia's metadata cache, in megabytes.", schema::at_least_0},
                 {"contentCacheSizeMB", "Maximum size of kopia's content cache, in megabytes.", schema::at_least_0}}};
}

schema::type_notes notes_of(std::type_identity<run_timing>) {
  return {.text = "When the run began and ended.",
          .fields = {{"startTime", "When the first attempt started."},
                     {"endTime", "When the object reached its final phase."},
                     {"durationSeconds", "Seconds from start to end.", schema::at_least_0}}};
}

schema::rule same_namespace_rule() {
  return {.cel = "",
          .message = "A Repository of another namespace cannot be used (v1alpha1).",
          .hint = "Remove spec.repository.namespace, or share the repository as a ClusterRepository.",
          .field = "spec.repository.namespace",
          .holds = [](json::value const& self) {
            auto named = self.text("spec.repository.namespace"), own = self.text("metadata.namespace");
            return named.empty() || own.empty() || named == own;
          }};
}

}  // namespace kopiur::proto
