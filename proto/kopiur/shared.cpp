#include "proto/kopiur/shared.hpp"

#include "proto/kopiur/rules.hpp"

/// Schema notes for shared.hpp.
namespace kopiur::proto {

schema::type_notes notes_of(std::type_identity<repository_ref>) {
  return {
      .text = "Which repository.",
      .fields = {{"kind", "Repository (of this namespace) or ClusterRepository."},
                 {"name", "Name of the repository object.", schema::object_name},
                 {"namespace", "Only with Repository, and then this object's own namespace.", schema::namespace_name}},
      .rules = {{.cel = "!has(self.__namespace__) || self.kind == 'Repository'",
                 .message = "A ClusterRepository has no namespace.",
                 .hint = "Remove namespace, or refer to a Repository.",
                 .field = "namespace",
                 .holds = [](json::value const& self) { return !schema::has(self, "namespace") || self.text("kind") == "Repository"; }}}};
}

schema::type_notes notes_of(std::type_identity<resolved_repository>) {
  return {.text = "The repository as it was resolved.",
          .fields = {{"kind", "Repository or ClusterRepository."},
                     {"name", "Name of the repository object."},
                     {"namespace", "Its namespace; absent for a ClusterRepository."},
                     {"uniqueID", "Kopia's own id of the repository, by which snapshots are known even when the object is made again."}}};
}

constexpr std::string_view pod_start_text =
    "Seconds after which an attempt is given up whose pod says that it cannot start (image, scheduling, volume); absent: as the operator "
    "is set up, else 300.";

schema::type_notes notes_of(std::type_identity<failure_policy>) {
  return {.text = "How often it is tried, and for how long.",
          .fields = {{"backoffLimit", "How many more attempts follow a failed one, with growing pauses.", {.min = 0, .max = 20}},
                     {"activeDeadlineSeconds", "Seconds after which all attempts together are given up.", schema::at_least_1},
                     {"podStartDeadlineSeconds", pod_start_text, schema::at_least_1}}};
}

schema::type_notes notes_of(std::type_identity<backup_failure_policy>) {
  return {
      .text = "How often a Backup is tried, and for how long. A Backup takes from its recipe what it does not say itself.",
      .fields = {
          {"backoffLimit", "How many more attempts follow a failed one, with growing pauses; absent: 2.", {.min = 0, .max = 20}},
          {"activeDeadlineSeconds", "Seconds after which all attempts together are given up; absent: 172800.", schema::at_least_1},
          {"preconditionDeadlineSeconds",
           "Seconds after which a Backup fails that waits for something that does not exist: its claim, a Secret, the recipe or a source "
           "of it, a repository that can be used; absent: 900. Time in which kopiur, its bus or the API server was down does not count, "
           "and a wait for a free slot or lease has no such end.",
           {.min = 1, .max = 604800}},
          {"podStartDeadlineSeconds", pod_start_text, schema::at_least_1}}};
}

schema::type_notes notes_of(std::type_identity<cache_options>) {
  return {
      .text = "Kopia's cache; what is absent is inherited from the repository's cacheDefaults.",
      .fields = {{"capacity",
                  "Size that the cache may have, as in 8Gi; kopia then keeps half of it for contents and three tenths for metadata, "
                  "unless the fields below say otherwise.",
                  schema::quantity},
                 {"storageClassName",
                  "In a cluster: the cache lies on a volume of this class, which is made for each mover and goes with it (10Gi without a "
                  "capacity). Without it, on the node. A restore into a claim that was there before keeps its cache on the node, unless "
                  "its recipe's podSecurityContext has an fsGroup: the cache's group would be given to what is in that claim.",
                  schema::object_name},
                 {"metadataCacheSizeMB", "Megabytes for kopia's metadata cache, at most.", schema::at_least_0},
                 {"contentCacheSizeMB", "Megabytes for kopia's content cache, at most.", schema::at_least_0}}};
}

schema::type_notes notes_of(std::type_identity<run_timing>) {
  return {.text = "When it began and ended.",
          .fields = {{"startTime", "When the first attempt started."},
                     {"endTime", "When it reached its terminal phase."},
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
