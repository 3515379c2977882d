#include "proto/events/status.hpp"

#include "proto/schema/notes.hpp"

/// Schema notes for status.hpp. Descriptions only, because readers are lenient.
namespace kopiur::proto {

schema::type_notes notes_of(std::type_identity<source>) {
  return {.text = "The fact or resource that something was made from.",
          .fields = {{"sequence", "Its sequence in its stream."}, {"at", "When it came there."}}};
}
schema::type_notes notes_of(std::type_identity<status_fragment>) {
  return {.text = "One service's fragment of an object's status.",
          .fields = {{"uid", "The object's uid; it is written to that one only."},
                     {"madeFrom", "What it was made from: a fragment that was made from something older is not written over it."},
                     {"observedGeneration", "The generation that it is about."},
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
