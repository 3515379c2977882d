#include "proto/events/status.hpp"

#include "proto/schema/notes.hpp"

/// Schema notes for status.hpp. Descriptions only, because readers are lenient.
namespace kopiur::proto {

schema::type_notes notes_of(std::type_identity<source>) {
  return {.text = "The fact or resource that something is based on.",
          .fields = {{"sequence", "Its sequence number in its stream."}, {"at", "When the stream received it."}}};
}
schema::type_notes notes_of(std::type_identity<status_fragment>) {
  return {.text = "One service's fragment of an object's status.",
          .fields = {{"uid", "uid of the object; an object with another uid is not changed."},
                     {"madeFrom", "What the fragment is based on. A fragment that is based on something older does not overwrite it."},
                     {"observedGeneration", "The metadata.generation that the fragment describes."},
                     {"status", "Merged into the object's status (RFC 7386)."},
                     {"conditions", "Merged by type."}}};
}
schema::type_notes notes_of(std::type_identity<condition_fragment>) {
  return {.text = "A condition as a service states it.",
          .fields = {{"type", "Name of the condition."},
                     {"status", "True, False or Unknown."},
                     {"reason", "One CamelCase word."},
                     {"message", "A sentence."}}};
}

}  // namespace kopiur::proto
