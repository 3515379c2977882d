#include "proto/core/metadata.hpp"

#include "proto/schema/notes.hpp"

/// Schema notes for metadata.hpp.
namespace kopiur::proto {

schema::type_notes notes_of(std::type_identity<condition>) {
  return {.text = "One aspect of the object's state, as a metav1.Condition.",
          .fields = {
              {"type",
               "Name of the condition, in CamelCase; every kind has Ready.",
               {.min_length = 1,
                .max_length = 316,
                .pattern = R"(^[A-Za-z]([A-Za-z0-9_./-]*[A-Za-z0-9])?$)",
                .pattern_says = "a condition's name"},
               {},
               {},
               {},
               {},
               true},
              {"status", "Whether the condition holds: True, False or Unknown.", {}, {}, {}, {}, {}, true},
              {"observedGeneration", "The metadata.generation that the condition is based on.", schema::at_least_0},
              {"lastTransitionTime", "When status last changed.", {}, {}, {}, {}, {}, true},
              {"reason",
               "Reason for the status: one CamelCase word, for programs.",
               {.min_length = 1, .max_length = 1024},
               {},
               {},
               {},
               {},
               true},
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
           {"values", "Values to compare with: required with In and NotIn, not allowed with the others.", {}, {.max_length = 63}, {}, 64}},
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
  return {.text = "Selects objects by labels. All requirements must match; an empty selector matches everything.",
          .fields = {{"matchLabels", "Labels that must have exactly these values.", {}, {.max_length = 63}, {}, 32},
                     {"matchExpressions", "Expressions over labels that must hold.", {}, {}, {}, 32}}};
}

}  // namespace kopiur::proto
