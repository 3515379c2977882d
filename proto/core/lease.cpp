#include "proto/core/lease.hpp"

#include "proto/schema/notes.hpp"

/// Schema notes for lease.hpp. Descriptions only, because readers are lenient.
namespace kopiur::proto {

schema::type_notes notes_of(std::type_identity<lease_holder>) {
  return {.text = "A run that holds the lease.",
          .fields = {{"cluster", "Cluster of the run."},
                     {"run", "The run."},
                     {"mode", "Shared or Exclusive."},
                     {"until", "After this time another run can take the lease over, once this run's pods are proven gone."},
                     {"fence", "Fencing token; it grows with every grant."}}};
}
schema::type_notes notes_of(std::type_identity<lease_waiter>) {
  return {.text = "A run that waits for the lease.",
          .fields = {{"cluster", "Cluster of the run."},
                     {"run", "The run."},
                     {"mode", "Shared or Exclusive."},
                     {"priority", "Restore before Manual before Scheduled before Background."},
                     {"since", "When the run first requested the lease."},
                     {"until", "A waiter that does not repeat its request by this time is removed."},
                     {"key", "Key of the lease."}}};
}
schema::type_notes notes_of(std::type_identity<lease_state>) {
  return {.text = "Holders of one key.",
          .fields = {{"key", "Key of the lease, for example repo/<unique id>."},
                     {"holders", "Runs that hold the lease."},
                     {"waiters", "Written by old versions only: a waiter is a fact of its own now (lease_waiter)."}}};
}
schema::type_notes notes_of(std::type_identity<acquire_lease>) {
  return {.text = "Requests a lease.",
          .fields = {{"key", "Key of the lease."},
                     {"cluster", "Cluster of the run."},
                     {"run", "The run that requests the lease."},
                     {"mode", "Shared or Exclusive."},
                     {"priority", "Priority among the waiting runs."}}};
}
schema::type_notes notes_of(std::type_identity<renew_lease>) {
  return {.text = "Extends a lease to at least 120 s from now.",
          .fields = {{"key", "Key of the lease."}, {"cluster", "Cluster of the run."}, {"run", "The run that holds the lease."}}};
}
schema::type_notes notes_of(std::type_identity<release_lease>) {
  return {.text = "Releases a lease, or ends the wait for it.",
          .fields = {
              {"key", "Key of the lease."}, {"cluster", "Cluster of the run."}, {"run", "The run that holds the lease or waits for it."}}};
}

}  // namespace kopiur::proto
