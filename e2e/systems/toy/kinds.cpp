#include "e2e/systems/toy/kinds.hpp"

#include "proto/schema/notes.hpp"

/// Schema notes for kinds.hpp.
namespace kopiur::proto {

schema::type_notes notes_of(std::type_identity<echo_spec>) {
  return {.text = "What to print.", .fields = {{"text", "The text; an empty one makes the container fail.", {.max_length = 256}}}};
}
schema::type_notes notes_of(std::type_identity<echo_status>) {
  return {.text = "What was printed.",
          .fields = {{"observedGeneration", "Generation of the spec that this status is about."},
                     {"phase", "Pending, Succeeded or Failed."},
                     {"said", "What the container printed."},
                     {"conditions", "Conditions of this object."}}};
}
schema::type_notes notes_of(std::type_identity<echo>) { return {.text = "Prints a text in a container, once."}; }

}  // namespace kopiur::proto
