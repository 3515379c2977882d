#include "proto/kopiur/maintenance.hpp"

#include "proto/kopiur/longest.hpp"
#include "proto/kopiur/rules.hpp"

/// Schema notes for maintenance.hpp.
namespace kopiur::proto {

schema::type_notes notes_of(std::type_identity<maintenance_slot>) {
  return {.text = "When one kind of maintenance runs.",
          .fields = {{"cron", "Five fields, as in a BackupSchedule.", schema::cron_text},
                     {"jitter", "Each run is delayed by up to this much.", schema::up_to(longest::jitter)}}};
}
schema::type_notes notes_of(std::type_identity<maintenance_schedule>) {
  return {.text = "When maintenance runs.",
          .fields = {{"quick", "Quick maintenance: keeps the index small."},
                     {"full", "Full maintenance: frees the storage of deleted snapshots. Nothing else does."},
                     {"timezone", "IANA time zone of both cron expressions.", schema::timezone_text}}};
}
schema::type_notes notes_of(std::type_identity<maintenance_ownership>) {
  return {.text = "Owner of the repository's maintenance, as kopia records it.",
          .fields = {{"owner",
                      "The owner, as user@host. Default: kopiur@<the repository's unique id>.",
                      {.min_length = 3, .max_length = 253, .pattern = R"(^[^-@ \n][^@ \n]*@[^@ \n]+$)", .pattern_says = "user@host"}},
                     {"takeoverPolicy",
                      "What to do if kopia records another owner: Never, PromptCondition (report it in a condition and wait), or Force "
                      "(take over)."}}};
}
schema::type_notes notes_of(std::type_identity<maintenance_mover>) {
  return {.text = "Options of the movers of this Maintenance.",
          .fields = {{"resources", "Resource requests and limits, as in a container."}}};
}
schema::type_notes notes_of(std::type_identity<maintenance_spec>) {
  return {.text = "Which repository is maintained, and when.",
          .fields = {{"repository", "The repository to maintain."},
                     {"schedule", "When maintenance runs."},
                     {"ownership", "Owner of the repository's maintenance."},
                     {"mover", "Options of the movers, the pods that run kopia."},
                     {"failurePolicy", "Retries and deadlines of a run."},
                     {"suspend", "Run no maintenance. `kopiur suspend` has the same effect without changing this field."}}};
}
schema::type_notes notes_of(std::type_identity<maintenance_owner>) {
  return {.text = "The owner that kopia records.",
          .fields = {{"owner", "The owner, as user@host."}, {"claimedAt", "When this Maintenance became the owner."}}};
}
schema::type_notes notes_of(std::type_identity<maintenance_run_status>) {
  return {.text = "State of one kind of maintenance.",
          .fields = {{"lastRunAt", "When the last run ended. It succeeded if consecutiveFailures is 0."},
                     {"lastSuccessAt", "When the last successful run ended."},
                     {"nextScheduledAt", "When the next run starts."},
                     {"consecutiveFailures", "Number of runs that failed since the last success.", schema::at_least_0},
                     {"lastContentReclaimedBytes", "Bytes that the last successful run freed.", schema::at_least_0}}};
}
schema::type_notes notes_of(std::type_identity<maintenance_status>) {
  return {.text = "State of the maintenance.",
          .fields = {{"observedGeneration", "The metadata.generation that this status describes."},
                     {"ownership", "The owner that kopia records."},
                     {"quick", "State of quick maintenance."},
                     {"full", "State of full maintenance."},
                     {"lastHandledRequest", "The last value of the annotation run-maintenance for which a run was started."},
                     {"conditions",
                      "Ready, OwnershipClaimed, OwnershipConflict. Allowed appears only once the namespace was not allowed to maintain the "
                      "repository.",
                      {},
                      {},
                      {},
                      {},
                      "type"}}};
}
schema::type_notes notes_of(std::type_identity<maintenance>) {
  schema::type_notes out{.text = "Maintenance runs kopia's quick and full maintenance of one repository, and says who owns it."};
  out.rules = {same_namespace_rule()};
  return out;
}

}  // namespace kopiur::proto
