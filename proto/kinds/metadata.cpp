#include "proto/kinds/metadata.hpp"

#include "proto/kinds/rules.hpp"

/// What the schema says of metadata.hpp.
namespace kopiur::proto {

schema::type_notes notes_of(std::type_identity<condition>) {
  return {.text = "One aspect of the object's state, in the metav1 form.",
          .fields = {
              {"type",
               "Name of the condition, in CamelCase; Ready stands on every kind.",
               {.min_length = 1,
                .max_length = 316,
                .pattern = R"(^[A-Za-z]([A-Za-z0-9_./-]*[A-Za-z0-9])?$)",
                .pattern_says = "a condition's name"},
               {},
               {},
               {},
               {},
               true},
              {"status", "Whether it holds: True, False or Unknown.", {}, {}, {}, {}, {}, true},
              {"observedGeneration", "The metadata.generation that this was judged from.", schema::at_least_0},
              {"lastTransitionTime", "When status last changed.", {}, {}, {}, {}, {}, true},
              {"reason", "One CamelCase word for programs: why it is so.", {.min_length = 1, .max_length = 1024}, {}, {}, {}, {}, true},
              {"message", "A sentence for people: what, why, and what to do.", {.max_length = 32768}, {}, {}, {}, {}, true},
          }};
}

schema::type_notes notes_of(std::type_identity<local_ref>) {
  return {.text = "An object of the same namespace.", .fields = {{"name", "Name of the object, in this namespace.", schema::object_name}}};
}

schema::type_notes notes_of(std::type_identity<selector_requirement>) {
  return {
      .text = "One expression over labels.",
      .fields =
          {{"key", "The label's key.", {.min_length = 1, .max_length = 317}},
           {"operator", "How the label is compared: In, NotIn, Exists or DoesNotExist."},
           {"values", "What it is compared with: needed with In and NotIn, refused with the others.", {}, {.max_length = 63}, {}, 64}},
      .rules = {
          {.cel =
               "self.operator in ['In', 'NotIn'] ? has(self.values) && size(self.values) > 0 : !has(self.values) || size(self.values) == 0",
           .message = "In and NotIn compare with values, Exists and DoesNotExist with none.",
           .hint = "Give values with In or NotIn; leave them out with the others.",
           .field = "values",
           .holds = [](json::value const& self) {
             auto* values = self.find("values");
             bool some = values && values->as_array() && !values->as_array()->empty();
             auto op = self.text("operator");
             return some == (op == "In" || op == "NotIn");
           }}}};
}

schema::type_notes notes_of(std::type_identity<label_selector>) {
  return {.text = "Selects objects by labels; all that is said must hold, an empty selector selects everything.",
          .fields = {{"matchLabels", "Labels that must have exactly these values.", {}, {.max_length = 63}, {}, 32},
                     {"matchExpressions", "Expressions over labels that must hold.", {}, {}, {}, 32}}};
}

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
           "Seconds after which a Backup fails that waits for something which is not there: its claim, a Secret, the recipe or a source "
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
