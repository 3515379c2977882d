#include "proto/kopiur/maintenance.hpp"

#include "proto/kopiur/rules.hpp"

/// Schema notes for maintenance.hpp.
namespace kopiur::proto {

schema::type_notes notes_of(std::type_identity<maintenance_slot>) {
  return {.text = "When one kind of maintenance runs.",
          .fields = {{"cron", "Five fields, as in a BackupSchedule.", schema::cron_text},
                     {"jitter", "Each run starts up to this much later."}}};
}
schema::type_notes notes_of(std::type_identity<maintenance_schedule>) {
  return {.text = "When maintenance runs.",
          .fields = {{"quick", "Quick maintenance: keeps the index small."},
                     {"full", "Full maintenance: reclaims the content of deleted snapshots. Nothing else does."},
                     {"timezone", "IANA time zone that both are read in.", schema::timezone_text}}};
}
schema::type_notes notes_of(std::type_identity<maintenance_ownership>) {
  return {.text = "Who maintains the repository, as kopia records it.",
          .fields = {{"owner",
                      "Kopia's owner, user@host; absent: kopiur@<the repository's unique id>.",
                      {.min_length = 3, .max_length = 253, .pattern = R"(^[^@ \n]+@[^@ \n]+$)", .pattern_says = "user@host"}},
                     {"takeoverPolicy", "What to do about a foreign owner: Never, PromptCondition (say so and wait), or Force."}}};
}
schema::type_notes notes_of(std::type_identity<maintenance_mover>) {
  return {.text = "How movers of this maintenance run.", .fields = {{"resources", "Requests and limits, as of a container."}}};
}
schema::type_notes notes_of(std::type_identity<maintenance_spec>) {
  return {.text = "Which repository is maintained, and when.",
          .fields = {{"repository", "The repository."},
                     {"schedule", "When maintenance runs."},
                     {"ownership", "Who maintains the repository."},
                     {"mover", "How movers run."},
                     {"failurePolicy", "How often a run is tried, and for how long."},
                     {"suspend", "Run no maintenance; kopiur suspend does the same without a change here."}}};
}
schema::type_notes notes_of(std::type_identity<maintenance_owner>) {
  return {.text = "The owner that kopia records.", .fields = {{"owner", "user@host."}, {"claimedAt", "Since when it is ours."}}};
}
schema::type_notes notes_of(std::type_identity<maintenance_run_status>) {
  return {.text = "One kind of maintenance.",
          .fields = {{"lastRunAt", "When it last ran; consecutiveFailures says how that ended."},
                     {"lastSuccessAt", "When it last succeeded."},
                     {"nextScheduledAt", "When it runs next."},
                     {"consecutiveFailures", "How many runs failed since.", schema::at_least_0},
                     {"lastContentReclaimedBytes", "Bytes that the last run reclaimed.", schema::at_least_0}}};
}
schema::type_notes notes_of(std::type_identity<maintenance_status>) {
  return {.text = "State of the maintenance.",
          .fields = {{"observedGeneration", "The metadata.generation that this status is about."},
                     {"ownership", "The owner that kopia records."},
                     {"quick", "Quick maintenance."},
                     {"full", "Full maintenance."},
                     {"lastHandledRequest", "The value of the annotation run-maintenance that a run was last made for."},
                     {"conditions",
                      "Ready, OwnershipClaimed, OwnershipConflict; Allowed where the namespace may not maintain the repository.",
                      {},
                      {},
                      {},
                      {},
                      "type"}}};
}
schema::type_notes notes_of(std::type_identity<maintenance>) {
  schema::type_notes out{.text = "Maintenance is the quick and full maintenance of one repository, and who owns it."};
  out.rules = {same_namespace_rule()};
  return out;
}

}  // namespace kopiur::proto
