#include "proto/events/run.hpp"

#include "proto/schema/notes.hpp"

/// Schema notes for run.hpp. Descriptions only, because readers are lenient.
namespace kopiur::proto {

schema::type_notes notes_of(std::type_identity<run_order>) {
  return {.text = "Why a run exists.",
          .fields = {{"plan", "connect, backup, restore, delete, maintain, discover ..."},
                     {"object", "Whom it is for first of all."},
                     {"create", "A manifest that has to exist before the run is prepared."},
                     {"parameters", "The plan's own."},
                     {"slot", "The schedule's base slot."}}};
}
schema::type_notes notes_of(std::type_identity<run_fact>) {
  return {.text = "What happened to a run, and the state after it.",
          .fields = {{"event", "What happened: exactly one member, in the past tense."}, {"state", "The whole state after it."}}};
}

}  // namespace kopiur::proto
