#include "proto/events/run.hpp"

#include "proto/schema/notes.hpp"

/// Schema notes for run.hpp. Descriptions only, because readers are lenient.
namespace kopiur::proto {

schema::type_notes notes_of(std::type_identity<run_order>) {
  return {.text = "Why a run exists.",
          .fields = {{"plan", "Kind of plan: connect, backup, restore, delete, maintain, discover ..."},
                     {"object", "The object that the run is mainly for."},
                     {"create", "Manifest of an object that must exist before the run is prepared."},
                     {"parameters", "Parameters of the plan."},
                     {"slot", "The slot of the schedule, without jitter."}}};
}
schema::type_notes notes_of(std::type_identity<run_fact>) {
  return {.text = "What happened to a run, and the state after it.",
          .fields = {{"event", "What happened: exactly one member, in the past tense."}, {"state", "The complete state after the event."}}};
}

}  // namespace kopiur::proto
