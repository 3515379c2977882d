#include "proto/events/lease.hpp"

#include "proto/schema/notes.hpp"

/// Schema notes for lease.hpp. Descriptions only, because readers are lenient.
namespace kopiur::proto {

schema::type_notes notes_of(std::type_identity<lease_holder>) {
  return {.text = "A run that holds the lease.",
          .fields = {{"cluster", "Cluster of the run."},
                     {"run", "The run."},
                     {"mode", "Shared or Exclusive."},
                     {"until", "Past this it may be taken over, once its pods are proven gone."},
                     {"fence", "Grows with every grant."}}};
}
schema::type_notes notes_of(std::type_identity<lease_waiter>) {
  return {.text = "A run that waits for the lease.",
          .fields = {{"cluster", "Cluster of the run."},
                     {"run", "The run."},
                     {"mode", "Shared or Exclusive."},
                     {"priority", "Restore before Manual before Scheduled before Background."},
                     {"since", "When it asked first."},
                     {"until", "A waiter that does not ask again by then is forgotten."}}};
}
schema::type_notes notes_of(std::type_identity<lease_state>) {
  return {.text = "Holders and waiters of one key.",
          .fields = {{"key", "What is leased, as in repo/<unique id>."},
                     {"holders", "Who holds it."},
                     {"waiters", "Who waits, in the order in which they are served."}}};
}
schema::type_notes notes_of(std::type_identity<acquire_lease>) {
  return {.text = "Asks for a lease.",
          .fields = {{"key", "What is leased."},
                     {"cluster", "Cluster of the run."},
                     {"run", "The run that would hold it."},
                     {"mode", "Shared or Exclusive."},
                     {"priority", "Who is served first."}}};
}
schema::type_notes notes_of(std::type_identity<renew_lease>) {
  return {.text = "Keeps a lease for another 30 s.",
          .fields = {{"key", "What is leased."}, {"cluster", "Cluster of the run."}, {"run", "The run that holds it."}}};
}
schema::type_notes notes_of(std::type_identity<release_lease>) {
  return {.text = "Gives a lease back, or gives up waiting.",
          .fields = {{"key", "What is leased."}, {"cluster", "Cluster of the run."}, {"run", "The run that holds it or waits."}}};
}

}  // namespace kopiur::proto
